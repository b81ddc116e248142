import { choice, counts, duration, maxChars, type OptionsOf, toggle } from '../kernel/options.ts';
import { ROLES } from './state.ts';

export const avalonOptions = {
  seventh: choice('Third evil role', ['minion', 'oberon', 'mordred'], 'minion', 'the third evil role of 7 or 8 players'),
  tenth: choice('Fourth evil role', ['minion', 'oberon'], 'minion', 'the fourth evil role of 10 players'),
  roles: counts(
    'Roles',
    ROLES,
    10,
    'a cast of your own: one merlin, one assassin, at most one percival, morgana, mordred and oberon, tristan and isolde both or neither, and as many evil as usual; empty: the cast for the number of players',
  ),
  approval: choice(
    'What approves a team',
    ['majority', 'half'],
    'majority',
    'what approves a team: more than half of the votes, or half of them, as in the program of document 003',
  ),
  fifth: choice(
    'The fifth proposal',
    ['evil-wins', 'forced'],
    'evil-wins',
    'the fifth proposal of a quest: evil wins if it is rejected, or the team goes without a vote, as in document 003',
  ),
  twoFails: toggle('Quest 4 needs two fails', true, 'with 7 or more players quest 4 fails with two fail cards only'),
  goodMayFail: toggle('Good may fail quests', false, 'good players may play a fail card'),
  lady: toggle(
    'Lady of the Lake',
    false,
    'after quests 2, 3 and 4 the holder of the Lady of the Lake learns on which side a player is, who then holds her',
  ),
  assassination: choice(
    'When Merlin may be named',
    ['end', 'any-quest'],
    'end',
    'when the Assassin may name Merlin: after the third success, or once in the game, after any quest, as in the program of document 003',
  ),
  hurry: toggle(
    'End secret steps early',
    false,
    'with `assassination: any-quest`, the game goes on as soon as the Assassin has answered: the timing reveals how long that took',
  ),
  talk: toggle('Talk before proposals', true, 'everybody speaks once before each proposal'),
  maxChars: maxChars('the longest speech'),
  turnMs: duration('Time to speak', 60_000, 'how long each player has to speak', { people: 120_000 }),
  teamMs: duration('Time to name a team', 60_000, 'how long the leader has to name a team', { people: 120_000 }),
  voteMs: duration('Vote on a team', 30_000, 'how long the vote on a team lasts', { people: 60_000 }),
  questMs: duration('A quest', 30_000, 'how long a quest lasts', { people: 60_000 }),
  assassinMs: duration('Time of the Assassin', 60_000, 'how long the Assassin has to answer', { people: 120_000 }),
} as const;

export type AvalonOptions = OptionsOf<typeof avalonOptions>;
