import { maw } from '@maw/games/maw/maw.ts';
import { strengthSuite } from '../strength.suite.ts';

const seer = { players: 7, options: { seer: true } };
strengthSuite(
  maw,
  [
    { side: 'villagers', games: [25, 60] },
    { side: 'wolves', games: [100, 100] },
    { side: 'villagers', ...seer, games: [25, 60] },
    { side: 'wolves', ...seer, games: [60, 60] },
  ],
  { games: 30, atLeast: 3 },
  { dayMs: 60_000, nightMs: 30_000 }, // fewer thoughts in a day
);
