import { avalon } from '@maw/games/avalon/avalon.ts';
import { strengthSuite } from './strength.suite.ts';

strengthSuite(
  avalon,
  [
    { side: 'good', games: [14, 40] },
    { side: 'evil', games: [15, 40] },
    { side: 'good', players: 5, games: [30, 60] },
  ],
  { games: 8, atLeast: 1 },
);
