import { describe, expect, it } from '@jest/globals';
import { isTableKept } from '@maw/telemetry/kept-tables.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { isKept, readCollector, type SampledSpan, tailSampling } from './tail-sampling.ts';

/** A question and what follows from it, at a table. */
const decision = (table: string, ...more: readonly SampledSpan[]): readonly SampledSpan[] => [
  { name: span.ask, isRoot: true, attributes: { [attribute.table]: table } },
  { name: span.publish('commands:seat.decide'), attributes: { [attribute.table]: table, [attribute.messagingOperation]: 'send' } },
  { name: span.decide, lasts: 100, attributes: { [attribute.table]: table, [attribute.verb]: 'say' } },
  { name: span.model('chat', 'm'), lasts: 5, attributes: { [attribute.model]: 'm' } },
  ...more,
];
const tables = Array.from({ length: 2_000 }, (_, i) => `${i}247754f-1192-459f-bc3a-1fe06af9b7c1`);
const left = tables.find((table) => !isTableKept(table, 0.1))!;

describe('the traces that the collector keeps', () => {
  it('are all of a table or none, for the share of tables that metrics link to', () => {
    for (const share of [0, 0.1, 1])
      for (const table of tables.slice(0, 50)) {
        const kept = [decision(table), [{ name: span.phase, isRoot: true, attributes: { [attribute.table]: table } }]].map((trace) =>
          isKept(trace, share),
        );
        expect([table, share, kept]).toEqual([table, share, kept.map(() => isTableKept(table, share))]);
      }
    const many = tables.filter((table) => isTableKept(table, 0.1)).length;
    expect([many > 140, many < 260]).toEqual([true, true]); // 200 expected, with a standard deviation of 13
  });

  it.each([
    ['with an error', { name: 'process commands:table.act:gamemaster', isError: true }],
    ['with an act that took long to write', { name: span.act, lasts: 1.1 }],
    [
      'with a message that the broker took long to confirm',
      { name: 'publish commands:table.act', lasts: 1.1, attributes: { [attribute.messagingOperation]: 'send' } },
    ],
    ['with a slow model', { name: 'chat m', lasts: 31, attributes: { [attribute.model]: 'm' } }],
    ['with a slow vote', { name: span.decide, lasts: 31, attributes: { [attribute.verb]: 'choose' } }],
  ])('are those %s too', (_, more) => {
    expect([isKept(decision(left), 0.1), isKept(decision(left, more), 0.1)]).toEqual([false, true]);
  });

  it('are those of no table too, without the reports of the gateway', () => {
    const alone = (name: string) => isKept([{ name, isRoot: true }], 0);
    expect(
      ['GET /leaderboard', 'publish events:contest.moved', 'publish events:llm.capacity', 'publish commands:llm.status'].map(alone),
    ).toEqual([true, true, false, false]);
  });

  it('are chosen after the guard of the memory and before batches, by documented settings', () => {
    const { processors, service } = readCollector();
    expect(service.pipelines.traces.processors).toEqual(['memory_limiter', 'tail_sampling', 'batch']);
    expect(tailSampling.safeParse({ ...processors.tail_sampling, decision_waits: '1s' }).success).toBe(false);
  });
});
