import { describe, expect, it } from '@jest/globals';
import { ExchangeRecorder } from './exchanges.ts';
import { ratesOf, type Run } from './rates.ts';

describe('what instant agents record', () => {
  it('is the time from the answer of a turn to the next packet of its game', () => {
    const recorder = new ExchangeRecorder();
    recorder.received('a', 'INITIALIZE', 100);
    recorder.received('a', 'TALK', 101);
    recorder.answered('a', 'TALK', 'Over', 102);
    recorder.received('b', 'INITIALIZE', 103); // another game
    recorder.received('a', 'TALK', 109);
    recorder.answered('a', 'TALK', 'ä', 110);
    recorder.received('a', 'DAILY_FINISH', 112);
    recorder.received('a', 'DAILY_FINISH', 150); // of another agent
    recorder.received('a', 'VOTE', 151);
    recorder.answered('a', 'VOTE', '1', 152); // does not wait for its turn
    recorder.received('a', 'FINISH', 190);
    const bytes = 10 + 4 + 4 + 10 + 4 + 2 + 12 + 12 + 4 + 1 + 6 + 11;
    expect(recorder.result()).toEqual({ games: 2, acts: 3, bytes, elapsedMs: 90, turnMs: [7, 2] });
  });
});

describe('the figures of agents', () => {
  const run = (elapsedMs: number, cpu: number): Run => {
    const exchanges = { games: 10, acts: 600, bytes: 50_000, elapsedMs, turnMs: [1, 2, 3, 40] };
    return {
      one: exchanges,
      many: { ...exchanges, games: 80, elapsedMs: elapsedMs * 2 },
      agents: { cpu, games: 10, acts: 600 },
      minds: { cpu: 4, games: 5, acts: 400 },
    };
  };

  it('are medians of the runs, of which each has its own ratio', () => {
    expect(ratesOf([run(5_000, 9), run(2_000, 10), run(1_000, 2)], 80)).toEqual({
      runs: 3,
      one: 5,
      many: 20,
      relative: 0.25,
      turnP50: 2,
      turnP99: 40,
      bytes: 5_000,
      acts: 60,
      mindActs: 80,
      cpu: 0.9,
      cpuRatio: expect.closeTo(1.125),
      cpuRatioPerAct: expect.closeTo(1.5),
    });
  });

  it('are not compared where nothing is known of the published server', () => {
    expect(ratesOf([run(1, 1)], undefined).relative).toBeUndefined();
  });
});
