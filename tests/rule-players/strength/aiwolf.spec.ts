import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { strengthSuite } from './strength.suite.ts';

strengthSuite(
  aiwolf,
  [
    { side: 'village', players: 5, games: [15, 40] },
    { side: 'village', players: 15, games: [6, 16] },
    { side: 'werewolves', players: 15, games: [16, 16] },
  ],
  { games: 6, atLeast: 1 },
  { turns: 2, whisperTurns: 1 }, // random players do not stop talking sooner
);
