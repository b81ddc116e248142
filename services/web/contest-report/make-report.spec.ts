import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { agentsOf, contestOf, playerOf } from '@maw/lab/contests/fixtures.suite.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { makeReport, type ReportOptions, type ResultsFrom } from './make-report.ts';

const contest = contestOf({ agents: agentsOf(2), schedule: { kind: 'sides', deals: 3 }, measures: true });
const plan = planOf(contest);
const play = playerOf(contest);
const results = await Promise.all(Array.from({ length: plan.count }, (_, number) => play(plan.at(number), () => undefined)));

/** Reads one result a time. */
function reader() {
  const asked: ResultsFrom[] = [];
  const read = async (from: ResultsFrom) => {
    asked.push(from);
    const { records, ...result } = results[from.after + 1]!;
    return { results: [from.records ? { ...result, records } : result], more: result.number < plan.count - 1 };
  };
  return { asked, read };
}

const made = (given: Partial<ReportOptions>) =>
  makeReport({
    id: 'c',
    terms: { format: 'html', contest, state: 'running' },
    read: reader().read,
    signal: new AbortController().signal,
    ...given,
  });

describe('the report of a contest', () => {
  it('measures behaviour, and says why not where its records are too large, of which it reads no further ones', async () => {
    const terms = { format: 'json', contest, state: 'running' } as const;
    const whole = JSON.parse(await made({ terms }));
    expect([whole.results.games, whole.results.withoutMeasures]).toEqual([plan.count, undefined]);
    expect(whole.results.measures.length).toBeGreaterThan(0);
    const { asked, read } = reader();
    const page = await made({ read, recordBytes: JSON.stringify(results[0]!.records).length + 1 });
    expect(asked.map(({ records }) => records)).toEqual([true, true, ...Array<undefined>(plan.count - 2).fill(undefined)]);
    expect(page).toMatch(/<h2>Behaviour<\/h2>\s*<p>The records of this contest are too large .* \.\/maw contest report c measures them/);
    const { asked: without, read: readCsv } = reader();
    expect((await made({ terms: { ...terms, format: 'csv' }, read: readCsv })).split('\n')).toHaveLength(plan.count * 5 + 2);
    expect(without.some(({ records }) => records)).toBe(false);
  });

  it('is refused in words when it takes too much memory, and reads no further then', async () => {
    const { read } = reader();
    // Without an end: only what becomes of the thread ends it.
    const endless = async (from: ResultsFrom) => {
      await setImmediate();
      return { ...(await read({ ...from, after: -1 })), more: true };
    };
    await expect(made({ read: endless, heapMb: 32 })).rejects.toMatchObject({
      reason: 'report-too-large',
      detail: expect.stringContaining('./maw contest report c'),
    });
  });

  it('ends with the request it is for, and fails as reading does', async () => {
    const stop = new AbortController();
    const read = async () => {
      stop.abort(new Error('gone'));
      return { results: [results[0]!], more: true };
    };
    await expect(made({ read, signal: stop.signal })).rejects.toThrow('gone');
    await expect(made({ read: () => Promise.reject(new Error('no answer')) })).rejects.toThrow('no answer');
  });
});
