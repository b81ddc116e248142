import { werewolf7 } from '@maw/games/werewolf-7/werewolf-7.ts';
import { strengthSuite } from './strength.suite.ts';

const others = { wolfWin: 'all-good-dead', revealNightRoles: true, lastWords: false, nightState: 'running' };
strengthSuite(
  werewolf7,
  [
    { side: 'village', games: [10, 40] },
    { side: 'werewolves', games: [16, 40] },
    { side: 'village', options: { wolfWin: 'parity' }, games: [6, 20] },
    { side: 'werewolves', options: others, games: [12, 40] },
  ],
  { games: 10, atLeast: 1 },
);
