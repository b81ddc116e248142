import { maw } from '@maw/games/maw/maw.ts';
import { strengthSuite } from './strength.suite.ts';

const seer = { players: 7, options: { seer: true } };
strengthSuite(
  maw,
  [
    { side: 'villagers', games: [15, 100] },
    { side: 'wolves', games: [80, 100] },
    { side: 'villagers', ...seer, games: [10, 100] },
    { side: 'wolves', ...seer, games: [80, 100] },
  ],
  { games: 30, atLeast: 3 },
  { dayMs: 30_000, nightMs: 15_000 }, // fewer thoughts in a day
);
