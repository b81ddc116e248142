import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { describe, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { parse } from 'yaml';
import { built } from '../../infra/grafana/board.ts';
import { boards } from '../../infra/grafana/boards.ts';
import { grown, mean, nameOf, quantile, rate, series, sum } from '../../infra/grafana/promql.ts';
import { LOKI, PROMETHEUS, TEMPO } from '../../infra/grafana/sources.ts';
import { root } from '../floor/tree.ts';
import { declared, errorsIn, expressions, filled, labelsIn, metricsIn } from './expressions.ts';

describe('an expression', () => {
  it('is made of the declared names', () => {
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
    expect(grown(metrics.deadLetters, { by: ['queue'], per: '10m' })).toBe(
      'clamp_min(sum by (queue) (maw_dead_letters_total) - (sum by (queue) (maw_dead_letters_total offset 10m) or sum by (queue) (maw_dead_letters_total) * 0), 0)',
    );
  });

  it('cannot ask for a label that its metric does not have', () => {
    // @ts-expect-error -- messages have no table
    expect(rate(metrics.messagesSent, { by: ['table'] })).toContain('table');
    // @ts-expect-error -- nor has this one a seat
    expect(series(metrics.decisions, { seat: '1' })).toContain('seat');
  });

  it('is read here as Prometheus reads it', () => {
    expect(errorsIn('sum by (a) (rate(b[1m]))')).toEqual([]);
    expect(errorsIn('sum by (a (rate(b[1m]))')).not.toEqual([]);
    expect(metricsIn('sum by (a) (rate(b{c="d"}[1m])) / vector(0) or e')).toEqual(['b', 'e']);
    expect(labelsIn('sum by (a) (rate(b{c="d"}[1m]))')).toEqual(['a', 'c']);
  });
});

describe('the boards', () => {
  const panels = boards.flatMap((board) =>
    (built(board).panels ?? []).flatMap((panel) =>
      'targets' in panel || panel.type === 'text' ? [{ board: board.title, panel: panel as Panel }] : [],
    ),
  );

  it('are five, each with a name of its own, and nothing else is in their folder', () => {
    const uids = boards.map(({ uid }) => uid);
    expect(uids).toEqual(['maw-overview', 'maw-agents', 'maw-gateway', 'maw-table', 'maw-broker']);
    expect(readdirSync(join(root, 'infra/grafana/boards')).filter((name) => name.endsWith('.json'))).toEqual(
      uids.map((uid) => `${uid}.json`).toSorted(),
    );
  });

  it('ask for PromQL, of declared metrics and their labels alone', () => {
    expect(expressions.length).toBeGreaterThan(70);
    for (const { panel, expr } of expressions) {
      const text = filled(expr);
      expect([panel, text, errorsIn(text)]).toEqual([panel, text, []]);
      const names = metricsIn(text);
      expect([panel, names.filter((name) => !declared.has(name))]).toEqual([panel, []]);
      expect(names.length).toBeGreaterThan(0);
      const known = new Set(['job', 'instance', ...names.flatMap((name) => declared.get(name)!)]);
      expect([panel, labelsIn(text).filter((label) => !known.has(label))]).toEqual([panel, []]);
    }
  });

  it('name their series by labels that are there', () => {
    for (const { panel } of panels)
      for (const { expr, legendFormat = '' } of (panel as { targets?: { expr?: string; legendFormat?: string }[] }).targets ?? []) {
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        if (named.length) expect([expr, named.filter((label) => !labelsIn(filled(expr!)).includes(label))]).toEqual([expr, []]);
      }
  });

  it('show every metric that is declared', () => {
    const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(filled(expr))));
    const unseen = Object.values(metrics)
      .map(nameOf)
      .filter((name) => ![name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each)));
    expect(unseen).toEqual([]);
  });

  it('say of each panel what it shows and in what unit', () => {
    for (const { board, panel } of panels) {
      expect([board, panel.title, (panel.description ?? '').length > 20]).toEqual([board, panel.title, true]);
      if (['timeseries', 'stat'].includes(panel.type)) {
        expect([panel.title, typeof panel.fieldConfig?.defaults.unit]).toEqual([panel.title, 'string']);
        for (const target of panel.targets ?? [])
          expect([panel.title, (target as { legendFormat?: string }).legendFormat]).toEqual([panel.title, expect.stringMatching(/./)]);
      }
    }
  });

  it('lead from each to all others, and from the times of histograms to traces', () => {
    for (const board of boards) expect(built(board).links).toMatchObject([{ type: 'dashboards', tags: ['maw'] }]);
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
    expect(timed.filter(({ expr }) => !leading.includes(expr))).toEqual([]);
  });

  it('have the sources of data that are provisioned, and Prometheus leads from an exemplar to Tempo by `trace_id`', () => {
    const { datasources } = parse(readFileSync(join(root, 'infra/grafana/provisioning/datasources/datasources.yaml'), 'utf8')) as {
      datasources: { uid: string; type: string; jsonData: { exemplarTraceIdDestinations?: unknown } }[];
    };
    expect(datasources.map(({ uid, type }) => ({ type, uid }))).toEqual([PROMETHEUS, TEMPO, LOKI]);
    expect(datasources[0]!.jsonData.exemplarTraceIdDestinations).toEqual([{ name: 'trace_id', datasourceUid: 'tempo' }]);
  });
});
