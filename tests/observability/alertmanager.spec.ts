import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { root } from '../equipment/source/repository.ts';
import { amtool, runProgram } from './prometheus.ts';

interface Route {
  readonly receiver: string;
  readonly matchers?: readonly string[];
  readonly routes?: readonly Route[];
}
interface Config {
  readonly route: Route;
  readonly receivers: readonly { readonly name: string }[];
  readonly inhibit_rules: readonly { readonly source_matchers: readonly string[]; readonly target_matchers: readonly string[] }[];
}

const file = join(root, 'infra/alertmanager/alertmanager.yml');
const { route, receivers, inhibit_rules: inhibited } = parse(readFileSync(file, 'utf8')) as Config;

/** Whether matchers fit, as Alertmanager anchors them. */
const fits = (matchers: readonly string[], labels: Readonly<Record<string, string>>): boolean =>
  matchers.every((matcher) => {
    const [, label, is, value] = /^(\w+) (=|=~) "(.*)"$/.exec(matcher)!;
    const actual = labels[label!] ?? '';
    return is === '=' ? actual === value : new RegExp(`^(?:${value})$`).test(actual);
  });
const receiverOf = (labels: Readonly<Record<string, string>>): string =>
  (route.routes ?? []).find(({ matchers = [] }) => fits(matchers, labels))?.receiver ?? route.receiver;

describe('the example for Alertmanager', () => {
  it('pages for what is critical, and only for that', () => {
    for (const { name, severity } of alerts)
      expect([name, receiverOf({ alertname: name, severity })]).toEqual([name, severity === 'critical' ? 'pager' : 'daily']);
    expect(receivers.map(({ name }) => name)).toEqual(['pager', 'daily']);
  });

  it('keeps quiet only about alerts that there are, and never about the one that it follows from', () => {
    for (const { source_matchers: sources, target_matchers: targets } of inhibited) {
      const matched = [sources, targets].map((matchers) =>
        alerts.filter(({ name }) => fits(matchers, { alertname: name })).map(({ name }) => name),
      );
      expect(matched.map(({ length }) => length > 0)).toEqual([true, true]);
      expect(matched[0]!.filter((name) => matched[1]!.includes(name))).toEqual([]);
      const named = [...sources, ...targets].flatMap((matcher) => matcher.match(/[A-Z]\w+/g) ?? []);
      expect(named.filter((name) => !alerts.some((alert) => alert.name.startsWith(name)))).toEqual([]);
    }
  });

  // oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
  (amtool ? it : it.skip)(
    `is valid to amtool${amtool ? '' : ' (skipped: there is no amtool here; Debian: prometheus-alertmanager)'}`,
    async () => {
      expect(await runProgram(amtool!, ['check-config', file])).toMatchObject({
        isWell: true,
        said: expect.stringContaining('2 receivers'),
      });
    },
  );
});
