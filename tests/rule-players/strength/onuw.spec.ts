import { onuw } from '@maw/games/onuw/onuw.ts';
import { strengthSuite } from './strength.suite.ts';

strengthSuite(
  onuw,
  [
    { side: 'village', games: [8, 40] },
    { side: 'village', players: 7, games: [12, 40] },
    // A lone Werewolf among random voters gains little: only a pack that does not vote against itself shows.
    { side: 'werewolves', options: { deck: { werewolf: 4, villager: 2, seer: 1, robber: 1 } }, games: [100, 100] },
  ],
  { games: 12, atLeast: 2 },
  { talkRounds: 1, hurry: true }, // random players listen to nobody
);
