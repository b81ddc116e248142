import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { dashboardOf } from '../../infra/grafana/board.ts';
import { boards } from '../../infra/grafana/boards.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { burnOf, objectives, recordings } from '../../infra/prometheus/objectives.ts';
import { conditionOf, panelUrl, runbookUrl } from '../../infra/prometheus/rule-file.ts';
import { anchorsOf } from '../docs/links.ts';
import { withRunbooksPage } from '../docs/runbooks-page.ts';
import { root } from '../equipment/source/repository.ts';
import { type Case, cases } from './alert-cases.ts';
import { declared, errorsIn, labelsIn, metricsIn } from './expressions.ts';
import { promtool, runPromtool } from './prometheus.ts';
import { temporaryFolder } from '../equipment/temporary-folder.ts';

describe('the alerts', () => {
  it('are valid PromQL over declared metrics and labels', () => {
    for (const alert of alerts) {
      const expr = conditionOf(alert);
      expect([alert.name, errorsIn(expr), errorsIn(alert.measure)]).toEqual([alert.name, [], []]);
      const names = metricsIn(expr);
      expect([alert.name, names.length > 0, names.filter((name) => !declared.has(name))]).toEqual([alert.name, true, []]);
      const known = new Set(['job', 'instance', ...names.flatMap((name) => declared.get(name)!)]);
      expect([alert.name, labelsIn(expr).filter((label) => !known.has(label))]).toEqual([alert.name, []]);
    }
  });

  it('have unique names, and runbooks where they link to', async () => {
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
    const anchors = anchorsOf(await readFile(join(root, 'docs/alerts.md'), 'utf8'));
    for (const alert of alerts) {
      const { pathname, searchParams } = new URL(panelUrl(alert), 'http://grafana');
      const board = boards.find(({ uid }) => pathname === `/d/${uid}`);
      const panel = dashboardOf(board!).panels?.find(({ id }) => String(id) === searchParams.get('viewPanel')) as Panel | undefined;
      expect([alert.name, panel?.title]).toEqual([alert.name, alert.name]);
      // As it is read: Grafana would put variables in where a dollar is.
      const { content } = panel!.options as { content: string };
      expect(content).toContain(alert.remedy.map((one, i) => `${i + 1}. ${one}`).join('\n'));
      expect([content.includes(alert.means), content.includes(conditionOf(alert)), content.includes('$')]).toEqual([true, true, false]);
      const runbook = new URL(runbookUrl(alert)); // it throws unless the address is absolute
      expect(runbook.href).not.toContain('version}');
      expect([alert.name, anchors.has(runbook.hash.slice(1))]).toEqual([alert.name, true]);
      expect([alert.name, alert.remedy.length > 0]).toEqual([alert.name, true]);
    }
  });

  it('take another address for their runbooks, and refuse one that cannot be one', async () => {
    const file = await readFile(join(root, 'infra/prometheus/runbooks-page.ts'), 'utf8');
    const page = (text: string) => /^const PAGE = (.*);$/m.exec(text)![1];
    expect(page(withRunbooksPage(file, 'https://wiki.example.com/$&/{version}?a=b'))).toBe("'https://wiki.example.com/$&/{version}?a=b'");
    for (const [address, says] of [
      ['/docs/alerts.md', 'no absolute address'],
      ['javascript:alert(1)', 'no absolute address'],
      ['https://wiki.example.com/alerts#top', 'leave out what begins with #'],
    ] as const)
      expect(() => withRunbooksPage(file, address)).toThrow(says);
  });

  it('mention only labels that their expression keeps', () => {
    for (const { name, measure, summary, description } of alerts) {
      const named = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!);
      expect([name, named.filter((label) => !labelsIn(measure).includes(label))]).toEqual([name, []]);
    }
  });

  it('are in the file that Prometheus reads', async () => {
    const { rule_files } = parse(await readFile(join(root, 'infra/prometheus/prometheus.yml'), 'utf8')) as { rule_files: string[] };
    expect(rule_files).toEqual(['/etc/prometheus/alerts.y*ml']);
  });

  it('each have a case that fires and one that does not', () => {
    for (const { name } of alerts) {
      const mine = cases.filter(({ alert }) => alert === name);
      expect([name, mine.some(({ fires }) => fires.length > 0), mine.some(({ fires }) => fires.length === 0)]).toEqual([name, true, true]);
    }
  });
});

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
(promtool ? describe : describe.skip)(`the alerts to promtool${promtool ? '' : ' (skipped: there is no promtool here)'}`, () => {
  const rules = join(root, 'infra/prometheus/alerts.yml');
  const folder = temporaryFolder();

  it('are valid rules', async () => {
    const { isWell, said } = await runPromtool('check', 'rules', rules);
    expect([isWell, said]).toEqual([true, expect.stringContaining(`SUCCESS: ${alerts.length + recordings.length} rules found`)]);
  });

  it('are loaded by a valid Prometheus configuration', async () => {
    const ours = join(root, 'infra/prometheus/prometheus.yml');
    const check = (file: string) => runPromtool('check', 'config', '--syntax-only', file);
    expect(await check(ours)).toMatchObject({ isWell: true, said: expect.stringContaining('is valid prometheus config file syntax') });
    const wrong = join(folder, 'prometheus.yml');
    await writeFile(wrong, (await readFile(ours, 'utf8')).replace('scrape_interval:', 'scrape_intervall:'));
    expect(await check(wrong)).toMatchObject({ isWell: false, said: expect.stringContaining('scrape_intervall') });
  });

  it('fire when they must, and stay quiet otherwise', async () => {
    // Each alert alone: promtool would evaluate all of them at every step of every case.
    const { groups } = parse(await readFile(rules, 'utf8')) as RuleFile;
    const files = alerts.map(({ name }) => join(folder, `${name}.yml`));
    for (const [i, { name }] of alerts.entries()) {
      const alone = join(folder, `${name}.rules.yml`);
      const own = groups.map((group) => ({ ...group, rules: group.rules.filter(({ alert }) => alert === name) }));
      await writeFile(alone, stringify({ groups: own }));
      const mine = cases.filter(({ alert }) => alert === name);
      await writeFile(
        files[i]!,
        stringify({ rule_files: [alone], evaluation_interval: mine[0]!.interval ?? '10s', tests: mine.map(testOf) }),
      );
    }
    const { isWell, said } = await runPromtool('test', 'rules', ...files);
    expect(said.split('Unit Testing: ').filter((each) => each.trim() && !each.includes('SUCCESS'))).toEqual([]);
    expect([isWell, said.split('SUCCESS').length - 1]).toEqual([true, alerts.length]);
  });

  it('record how fast each objective uses up what it allows to be bad', async () => {
    const file = join(folder, 'objectives.test.yml');
    const series = (name: string, values: string) => ({ series: name, values });
    const input_series = [
      // A tenth instead of a twentieth; 3 of a hundred instead of one; 1 of 100 instead of half of one; in each case from the beginning.
      series('maw_decisions_total{outcome="defaulted"}', '0+1x60'),
      series('maw_decisions_total{outcome="valid"}', '0+9x60'),
      series('maw_alarm_lateness_seconds_bucket{le="2.5"}', '0+97x60'),
      series('maw_alarm_lateness_seconds_count', '0+100x60'),
      series('maw_http_requests_total{status="503"}', '0+1x60'),
      series('maw_http_requests_total{status="200"}', '0+99x60'),
    ];
    const burning = (expr: string, by: Readonly<Record<string, number>>) => ({
      expr: `round(${expr}, 0.01)`,
      eval_time: '10m',
      exp_samples: Object.entries(by).map(([slo, value]) => ({ labels: `{slo="${slo}"}`, value })),
    });
    const test = {
      interval: '10s',
      input_series,
      promql_expr_test: [
        burning(burnOf('5m'), { answers: 2, phases: 3, requests: 2 }),
        burning(burnOf('3d'), { answers: 2, phases: 3, requests: 2 }),
      ],
    };
    // Without events nothing is recorded, and no alert can be of it.
    const idle = { interval: '10s', input_series: [], promql_expr_test: [burning(burnOf('5m'), {})] };
    await writeFile(file, stringify({ rule_files: [rules], evaluation_interval: '10s', tests: [test, idle] }));
    const { isWell, said } = await runPromtool('test', 'rules', file);
    expect([isWell, said]).toEqual([true, expect.stringContaining('SUCCESS')]);
    expect(recordings).toHaveLength(objectives.length * 5);
  });

  it('fail the test of rules when they are not as expected', async () => {
    const file = join(folder, 'wrong.yml');
    const one = { ...cases.find(({ fires }) => fires.length > 0)!, fires: [] };
    await writeFile(file, stringify({ rule_files: [rules], evaluation_interval: '10s', tests: [testOf(one)] }));
    expect((await runPromtool('test', 'rules', file)).isWell).toBe(false);
  });
});

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly alert: string }[] }[];
}

/** A case as promtool reads it. */
function testOf({ alert: name, input, at, interval = '10s', fires }: Case) {
  const alert = alerts.find((one) => one.name === name)!;
  return {
    interval,
    input_series: input.map(([series, values]) => ({ series, values })),
    alert_rule_test: [
      {
        eval_time: at,
        alertname: name,
        exp_alerts: fires.map(({ labels, value }) => ({
          exp_labels: { severity: alert.severity, ...labels },
          exp_annotations: {
            summary: rendered(alert.summary, labels, value),
            description: rendered(alert.description, labels, value),
            runbook_url: runbookUrl(alert),
            dashboard_url: panelUrl(alert),
          },
        })),
      },
    ],
  };
}

const rendered = (text: string, labels: Readonly<Record<string, string>>, value: string): string =>
  text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '').replaceAll(/\{\{ \$value[^}]*\}\}/g, value);
