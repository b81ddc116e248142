import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

it('shows the wins of a table in all and by side once it is over, the best first', async () => {
  await here.seated(at, { players: 3, minds: [0, 1, 2] });
  expect(await at.get('table.leaderboard', {})).toEqual({ rows: [] });
  const [wolf] = await here.who('wolf');
  await here.store.tapes.append('other', 0, [{ type: 'opened' }], {
    at: 1,
    cause: 'c',
    wake: undefined,
    summary: { stage: 'over' },
    result: {},
    scores: [
      { rules: 'avalon', side: 'good', kind: 'person', games: 1, wins: 0 },
      { rules: 'maw', side: 'wolves', kind: 'person', games: 1, wins: 1 },
    ],
  });
  await here.choose(at, 'vote', wolf!, [0, 1, 2]);
  const minds = {
    kind: 'mind',
    games: 3,
    wins: 2,
    share: 2 / 3,
    sides: [
      { rules: 'maw', side: 'villagers', games: 2, wins: 2, share: 1 },
      { rules: 'maw', side: 'wolves', games: 1, wins: 0, share: 0 },
    ],
  };
  const wolves = { rules: 'maw', side: 'wolves', games: 1, wins: 1, share: 1 };
  const good = { rules: 'avalon', side: 'good', games: 1, wins: 0, share: 0 };
  const people = { kind: 'person', games: 2, wins: 1, share: 0.5, sides: [good, wolves] };
  expect(await at.get('table.leaderboard', {})).toEqual({ rows: [minds, people] });
  expect(await at.get('table.leaderboard', { rules: 'maw' })).toEqual({
    rows: [{ kind: 'person', games: 1, wins: 1, share: 1, sides: [wolves] }, minds],
  });
  expect(await at.get('table.leaderboard', { rules: 'onuw' })).toEqual({ rows: [] });
  expect(reasonOf(await at.ask('table.leaderboard', { rules: 'chess' }))).toBe('unknown-rules');
});
