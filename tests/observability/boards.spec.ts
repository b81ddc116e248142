import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { describe, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { parse } from 'yaml';
import { dashboardOf } from '../../infra/grafana/board.ts';
import { boards } from '../../infra/grafana/boards.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { increaseWithFirst, mean, nameOf, quantile, rate, series, sum } from '../../infra/prometheus/promql.ts';
import { LOKI, PROMETHEUS, TEMPO } from '../../infra/grafana/data-sources.ts';
import { root } from '../equipment/source/repository.ts';
import { declared, errorsIn, expressions, filled, labelsIn, metricsIn } from './expressions.ts';

describe('an expression', () => {
  it('uses the declared metric names', () => {
    expect(rate(metrics.messagesSent, { by: ['service', 'type'] })).toBe(
      'sum by (service, type) (rate(maw_messages_sent_total[$__rate_interval]))',
    );
    expect(series(metrics.decisions, { outcome: 'valid', model: { not: 'none' }, recipe: { like: 'a|b' }, job: { unlike: 'x"y' } })).toBe(
      'maw_decisions_total{outcome="valid", model!="none", recipe=~"a|b", job!~"x\\"y"}',
    );
    expect(quantile(0.95, metrics.appendSeconds, { by: ['service'], per: '5m' })).toBe(
      'histogram_quantile(0.95, sum by (le, service) (rate(maw_append_duration_seconds_bucket[5m])))',
    );
    expect(mean(metrics.alarmsLate, { per: '1m' })).toBe(
      'sum (rate(maw_alarm_lateness_seconds_sum[1m])) / sum (rate(maw_alarm_lateness_seconds_count[1m]))',
    );
    expect(sum(metrics.slots)).toBe('sum (maw_slots)');
    expect(increaseWithFirst(metrics.deadLetters, { by: ['queue'], per: '10m' })).toBe(
      'clamp_min(sum by (queue) (maw_dead_letters_total) - (sum by (queue) (maw_dead_letters_total offset 10m) or sum by (queue) (maw_dead_letters_total) * 0), 0)',
    );
  });

  it('does not compile with an unknown label', () => {
    // @ts-expect-error -- messages have no table
    expect(rate(metrics.messagesSent, { by: ['table'] })).toContain('table');
    // @ts-expect-error -- nor has this one a seat
    expect(series(metrics.decisions, { seat: '1' })).toContain('seat');
  });

  it('is parsed as Prometheus does', () => {
    expect(errorsIn('sum by (a) (rate(b[1m]))')).toEqual([]);
    expect(errorsIn('sum by (a (rate(b[1m]))')).not.toEqual([]);
    expect(metricsIn('sum by (a) (rate(b{c="d"}[1m])) / vector(0) or e')).toEqual(['b', 'e']);
    expect(labelsIn('sum by (a) (rate(b{c="d"}[1m]))')).toEqual(['a', 'c']);
  });
});

describe('the boards', () => {
  const panels = boards.flatMap((board) =>
    (dashboardOf(board).panels ?? []).flatMap((panel) =>
      'targets' in panel || panel.type === 'text' ? [{ board: board.title, panel: panel as Panel }] : [],
    ),
  );

  it('are the six files of their folder, with unique uids', () => {
    const uids = boards.map(({ uid }) => uid);
    expect(uids).toEqual(['maw-overview', 'maw-agents', 'maw-gateway', 'maw-table', 'maw-broker', 'maw-alerts']);
    expect(readdirSync(join(root, 'infra/grafana/boards')).filter((name) => name.endsWith('.json'))).toEqual(
      uids.map((uid) => `${uid}.json`).toSorted(),
    );
  });

  it('use valid PromQL over declared metrics and labels', () => {
    expect(expressions.length).toBeGreaterThan(70);
    for (const { panel, expr } of expressions) {
      const text = filled(expr);
      expect([panel, text, errorsIn(text)]).toEqual([panel, text, []]);
      const names = metricsIn(text);
      expect([panel, names.filter((name) => !declared.has(name))]).toEqual([panel, []]);
      expect(names.length).toBeGreaterThan(0);
      const known = new Set(['job', 'instance', 'namespace', ...names.flatMap((name) => declared.get(name)!)]);
      expect([panel, labelsIn(text).filter((label) => !known.has(label))]).toEqual([panel, []]);
    }
  });

  it('count a model server once, however many gateways report it', () => {
    const summed = expressions.filter(({ expr }) => /(maw_slots|maw_slots_busy|maw_model_server_up)\b/.test(expr));
    expect(summed.length).toBeGreaterThan(5);
    for (const { expr } of summed) expect(expr.replaceAll(/max by \(server\) \(\w+\{[^}]*\}\)/g, '')).not.toMatch(/maw_/);
  });

  it('use existing labels in legends', () => {
    for (const { panel } of panels)
      for (const { expr, legendFormat = '' } of (panel as { targets?: { expr?: string; legendFormat?: string }[] }).targets ?? []) {
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        if (named.length) expect([expr, named.filter((label) => !labelsIn(filled(expr!)).includes(label))]).toEqual([expr, []]);
      }
  });

  it('show every declared metric', () => {
    const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(filled(expr))));
    const unseen = Object.values(metrics)
      .map(nameOf)
      .filter((name) => ![name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each)));
    expect(unseen).toEqual([]);
  });

  it('give each panel a description and a unit', () => {
    for (const { board, panel } of panels) {
      expect([board, panel.title, (panel.description ?? '').length > 20]).toEqual([board, panel.title, true]);
      if (['timeseries', 'stat'].includes(panel.type)) {
        expect([panel.title, typeof panel.fieldConfig?.defaults.unit]).toEqual([panel.title, 'string']);
        for (const target of panel.targets ?? [])
          expect([panel.title, (target as { legendFormat?: string }).legendFormat]).toEqual([panel.title, expect.stringMatching(/./)]);
      }
    }
  });

  it('link to each other, and histograms to traces', () => {
    for (const board of boards) expect(dashboardOf(board).links).toMatchObject([{ type: 'dashboards', tags: ['maw'] }]);
    const led = panels.flatMap(({ panel }) => [...JSON.stringify(panel).matchAll(/"\/d\/([\w-]+)\?/g)].map(([, uid]) => uid!));
    expect(led.length).toBeGreaterThan(2);
    expect(led.filter((uid) => !boards.some((board) => board.uid === uid))).toEqual([]);
    const timed = expressions.filter(({ expr }) => expr.startsWith('histogram_quantile'));
    const leading = panels.flatMap(({ panel }) =>
      (panel.targets ?? []).flatMap((target) => {
        const { expr, exemplar } = target as { expr?: string; exemplar?: boolean };
        return exemplar ? [expr] : [];
      }),
    );
    // A count of tokens tells how long the prompt of a seat is, so it leads to no trace.
    const isTold = (expr: string): boolean => !expr.includes(nameOf(metrics.tokenUsage));
    expect(timed.filter(({ expr }) => leading.includes(expr) !== isTold(expr))).toEqual([]);
  });

  it('have unique panel ids', () => {
    for (const board of boards) {
      const ids = (dashboardOf(board).panels ?? []).map(({ id }) => id ?? 0);
      expect([board.title, new Set(ids).size, Math.min(...ids) > 0]).toEqual([board.title, ids.length, true]);
    }
  });

  const isMatrix = (panel: Panel): boolean => (panel.transformations ?? []).some(({ id }) => id === 'groupingToMatrix');
  const found = panels.flatMap(({ panel }) => (panel.datasource?.type === TEMPO.type && !isMatrix(panel) ? [panel] : []));

  it('show spans with a unit for the duration only', () => {
    expect(found.length).toBeGreaterThan(4);
    for (const { title, fieldConfig } of found) {
      expect([title, fieldConfig?.defaults.unit]).toEqual([title, undefined]);
      expect(fieldConfig?.overrides.filter(({ properties }) => properties.some(({ id }) => id === 'unit'))).toEqual([
        { matcher: { id: 'byName', options: 'Duration' }, properties: [{ id: 'unit', value: 'ns' }] },
      ]);
    }
  });

  const sources = parse(readFileSync(join(root, 'infra/grafana/provisioning/datasources/datasources.yaml'), 'utf8')) as {
    datasources: {
      uid: string;
      type: string;
      jsonData: {
        exemplarTraceIdDestinations?: unknown;
        derivedFields?: { name: string; matcherRegex: string; url: string; datasourceUid?: string }[];
      };
    }[];
  };

  it('link table ids of spans and log lines to the dashboard One table', () => {
    const { templating } = dashboardOf(boards.find(({ uid }) => uid === 'maw-table')!);
    const variables = templating!.list!;
    expect(variables.map(({ name }) => name)).toEqual(['prometheus', 'tempo', 'loki', 'namespace', 'table']);
    // A drop-down of the tables that have traces; an id can be typed into it as well.
    expect(variables.at(-1)).toMatchObject({ type: 'query', datasource: { uid: '${tempo}' }, query: { type: 1, label: 'maw.table' } });
    const leading = found.filter((panel) => JSON.stringify(panel.targets).includes('select(span.maw.table'));
    expect(leading.map(({ title }) => title)).toEqual(['Decisions']);
    const { matcher, properties } = leading[0]!.fieldConfig!.overrides[1]!;
    const columns = new RegExp(String(matcher.options).slice(1, -1));
    expect(['maw.table', 'span.maw.table', 'maw.tables', 'mawxtable', 'unmaw.table'].filter((name) => columns.test(name))).toEqual([
      'maw.table',
      'span.maw.table',
    ]);
    expect(properties).toEqual([
      { id: 'links', value: [{ title: 'One table', url: '/d/maw-table?${__url_time_range}&var-table=${__value.raw}' }] },
    ]);
    const field = sources.datasources.flatMap(({ jsonData }) => jsonData.derivedFields ?? []).filter(({ datasourceUid }) => !datasourceUid);
    // A dollar of these files is written twice.
    expect(field).toMatchObject([{ matcherRegex: '^table$$', url: '/d/maw-table?var-table=$${__value.raw}' }]);
  });

  it('ask Tempo for the newest spans, not for any', () => {
    const asked = panels.flatMap(({ panel }) =>
      (panel.targets ?? []).flatMap((target) => {
        const { queryType, query = '' } = target as { queryType?: string; query?: string };
        return queryType === 'traceql' ? [query] : [];
      }),
    );
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((query) => !/^\{ .* with \(most_recent=true\)$/.test(query))).toEqual([]);
  });

  it('ask the chosen data sources, in the chosen namespace', () => {
    for (const { panel } of panels)
      for (const { datasource } of [panel, ...((panel.targets ?? []) as readonly Pick<Panel, 'datasource'>[])])
        if (datasource) expect([panel.title, datasource.uid]).toEqual([panel.title, `\${${datasource.type}}`]);
    for (const { panel, expr } of expressions)
      expect([panel, expr, expr.split('namespace=~"$namespace"').length - 1]).toEqual([panel, expr, metricsIn(filled(expr)).length]);
  });

  it('begin with firing alerts, and with stuck tables, their phase and whom they wait for', () => {
    const [, firing, stuck] = dashboardOf(boards[0]!).panels!;
    expect([firing!.title, stuck!.title]).toEqual(['Firing alerts', 'Stuck tables']);
    for (const { name } of alerts) expect(JSON.stringify(firing)).toContain(name);
    expect(JSON.stringify(stuck)).toContain('max by (table, phase, awaited)');
    // The gamemaster writes of each stuck table every 30 s: one that is not stuck any more is gone within this.
    expect(JSON.stringify(stuck)).toContain('[1m]');
  });

  it('draw the bounds of the alerts where they show what these measure', () => {
    const redOf = (title: string) => {
      const { panel } = panels.find((one) => one.panel.title === title)!;
      return panel.fieldConfig!.defaults.thresholds!.steps.at(-1)!.value;
    };
    const boundOf = (alert: string) => Number(alerts.find(({ name }) => name === alert)!.beyond.slice(2));
    expect(['Queue time', 'Alarm lateness', 'Time lost'].map(redOf)).toEqual(['QueueWait', 'AlarmsLate', 'TimeLost'].map(boundOf));
    expect(['Queue time', 'Alarm lateness', 'Time lost'].map(redOf)).toEqual([10, 5, 30]);
  });

  it('show how long votes take apart from talk', () => {
    const asked = expressions.filter(({ panel }) => panel.startsWith('Decision time of'));
    const verbs = asked.map(({ panel, expr }) => `${panel}: ${/verb(!?=)"choose"/.exec(expr)?.[1]}`);
    expect([...new Set(verbs)]).toEqual(['Decision time of votes and choices: =', 'Decision time of talk: !=']);
  });

  it('have no external links', () => {
    for (const board of boards) expect([board.title, JSON.stringify(dashboardOf(board)).match(/https?:/g)]).toEqual([board.title, null]);
    const texts = panels.flatMap(({ panel }) => (panel.type === 'text' ? [panel.options as { content: string }] : []));
    expect(texts.length).toBeGreaterThan(1);
    for (const { content } of texts) expect(content.match(/\]\((?!\/d\/)/g)).toBeNull();
  });

  it('use the provisioned data sources, with exemplars linked by `trace_id`', () => {
    const { datasources } = sources;
    expect(datasources.map(({ uid, type }) => ({ type, uid }))).toEqual([PROMETHEUS, TEMPO, LOKI]);
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8')) as {
      services: { grafana: { environment: Record<string, string> } };
    };
    // A trace and a line open in Explore, which Grafana keeps from viewers otherwise.
    expect(services.grafana.environment).toMatchObject({ GF_AUTH_ANONYMOUS_ENABLED: 'false', GF_USERS_VIEWERS_CAN_EDIT: 'true' });
    expect(datasources[0]!.jsonData.exemplarTraceIdDestinations).toEqual([{ name: 'trace_id', datasourceUid: 'tempo' }]);
  });
});
