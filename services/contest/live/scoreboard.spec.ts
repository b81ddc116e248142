import { describe, expect, it } from '@jest/globals';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { gameOf } from '@maw/lab/ratings/synthetic-contest.suite.ts';
import type { Contests } from '@maw/store/ports/contests.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { scoreboards } from './scoreboard.ts';

const PAIRINGS = 40;
const contest = (prices: object = {}) => ({
  name: 'c',
  agents: ['strong', 'weak', 'lucky', 'absent'].map((name) => ({ name, recipe: 'rules' })),
  games: [{ rules: 'maw' }],
  schedule: { kind: 'balanced', deals: 10 },
  prices,
});

/** `strong` wins three games of four against `weak`; `lucky` wins its only one. */
function resultOf(number: number): PairingResult {
  const [a, b] = number === 3 ? ['lucky', 'weak'] : ['strong', 'weak'];
  const game = gameOf(`${number}/0`, { village: a, wolves: b }, number % 4 ? 'village' : 'wolves');
  const usage = { agent: a, model: 'llama3.1', calls: 1, prompt: 500_000, completion: 0, seconds: 1 };
  const decisions = [{ model: 'llama3.1', server: 's', made: 5, outcomes: { valid: 3, defaulted: 2 }, wrong: { 'it answers without JSON': 2 } }]; // prettier-ignore
  return { number, attempt: 1, games: [game], faults: [{ agent: 'weak', seat: 1, kind: 'late', times: 2 }], usage: [usage], decisions };
}

/** A contest, and which results were read of it. */
async function started() {
  const { contests } = memoryStore();
  await contests.open({ id: 'c', at: 0, contest: contest(), pairings: PAIRINGS });
  const read: number[] = [];
  const counted: Contests = {
    ...contests,
    async results(id, about) {
      const page = await contests.results(id, about);
      read.push(...page.map(({ number }) => number));
      return page;
    },
  };
  let time = 0;
  const boards = scoreboards(counted, () => time);
  const add = (numbers: readonly number[]) => contests.finish('c', numbers.map(resultOf) as never, 0);
  const board = async () => boards.of((await contests.get('c'))!);
  return { contests, read, add, board, later: () => void (time += 1) };
}

describe('a scoreboard', () => {
  it('counts games whatever order they came in, and reads those before a gap once', async () => {
    const { read, add, board, later } = await started();
    await add([0, 1, 2, 4, 5]);
    expect(await board()).toMatchObject({ games: 5, lost: ['25 decisions by llama3.1 on s: 10 by default: it answers without JSON.'] });
    later();
    await add([3, 7]);
    await board();
    expect(read).toEqual([0, 1, 2, 4, 5, 3, 4, 5, 7]);
    later();
    await add(Array.from({ length: PAIRINGS }, (_, number) => number).toReversed());
    const { ranking, games, faults, usage } = await board();
    expect(read.slice(9, 11)).toEqual([6, 7]);
    expect([games, faults]).toEqual([PAIRINGS, [{ agent: 'weak', kind: 'late', times: 2 * PAIRINGS }]]);
    expect(usage).toEqual([{ agent: 'strong', prompt: 39 * 500_000, completion: 0 }, { agent: 'lucky', prompt: 500_000, completion: 0 }]); // prettier-ignore
    // One game says little, though it was won; without any nothing is known.
    expect(ranking.map(({ agent, wins, share }) => [agent, wins, Number(share.toFixed(2))])).toEqual([
      ['strong', 29, 0.74],
      ['lucky', 1, 1],
      ['weak', 10, 0.25],
      ['absent', 0, 0],
    ]);
  });

  it('is made once for all who look at a moment, and is never an old one of a contest that is over', async () => {
    const { contests, read, add, board, later } = await started();
    await add([0, 1]);
    const [first, second] = await Promise.all([board(), board()]);
    expect([first === second, read]).toEqual([true, [0, 1]]);
    later();
    const looking = board();
    await add([2]);
    await contests.setState('c', ['running'], 'stopped', { at: 1, terms: { contest: contest({ 'llama3.1': { prompt: 2, completion: 0 } }), pairings: 9 } }); // prettier-ignore
    expect(await board()).toMatchObject({ games: 3, cost: 3, usage: [{ agent: 'strong', prompt: 1_500_000, cost: 3 }] });
    await looking;
  });

  it('goes on where reading failed', async () => {
    const { contests, add } = await started();
    await add([0, 1]);
    let fails = true;
    const boards = scoreboards({
      ...contests,
      results: (...about) => (fails ? Promise.reject(new Error('gone')) : contests.results(...about)),
    });
    const stored = (await contests.get('c'))!;
    await expect(boards.of(stored)).rejects.toThrow('gone');
    fails = false;
    expect(await boards.of(stored)).toMatchObject({ games: 2, void: 0 });
  });
});
