import { afterEach, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import { type ContestSystem, smallContest, startSystem } from './system.suite.ts';

let here: ContestSystem;
afterEach(() => here.close());

const quick = { workers: 1, batch: 1, batchMs: 5 };
const regulation: ContestInput = smallContest({
  agents: ['a', 'b', 'c', 'd', 'e'].map((name, i) => ({ name, recipe: i % 2 ? 'rules' : 'random' })),
  schedule: { kind: 'aiwolf-2021', preliminary: 12, final: 4, finalists: 3, games: 4 },
  play: 'auto',
});

it('plays the final among the finalists of the preliminary contest, and is the same after a stop and a restart', async () => {
  here = await startSystem();
  const first = await here.startContests(quick);
  for (const id of ['one', 'two']) await here.open(id, regulation);
  expect((await here.view('one')).summary).toMatchObject({ play: 'arena', pairings: 16 });
  await pollUntil('a result', async () => (await here.results('two')).length > 0);
  await here.ask('contest.stop', 'two', {});
  expect((await here.untilState('two', 'stopped')).summary.finished).toBeLessThan(16);
  await here.untilState('one', 'finished');
  await first.close();
  await here.startContests(quick);
  await here.open('two', regulation);
  expect((await here.untilState('two', 'finished')).games).toBe(64);
  const [one, two] = [await here.results('one'), await here.results('two')];
  expect(two).toEqual(one);
  const final = new Set(one.slice(12).flatMap(({ games }) => games.flatMap(({ seats }) => seats.map(({ agent }) => agent))));
  expect([one.length, final.size]).toEqual([16, 3]);
  expect(await here.tables()).toEqual([]);
});
