import type { OptionsOf } from '../kernel/options.ts';
import { ROLES } from './state.ts';

/** The options of Avalon. */
export const avalonOptions = {
  seventh: { kind: 'choice', of: ['minion', 'oberon', 'mordred'] as const, usual: 'minion', says: 'the third evil role of 7 or 8 players' },
  tenth: { kind: 'choice', of: ['minion', 'oberon'] as const, usual: 'minion', says: 'the fourth evil role of 10 players' },
  roles: {
    kind: 'counts',
    of: ROLES,
    most: 10,
    usual: {},
    says: 'a cast of your own: one merlin, one assassin, at most one percival, morgana, mordred and oberon, and as many evil as usual; empty: the cast for the number of players',
  },
  approval: {
    kind: 'choice',
    of: ['majority', 'half'] as const,
    usual: 'majority',
    says: 'what approves a team: more than half of the votes, or half of them, as in the program of document 003',
  },
  fifth: {
    kind: 'choice',
    of: ['evil-wins', 'forced'] as const,
    usual: 'evil-wins',
    says: 'the fifth proposal of a quest: evil wins when it is rejected, or it goes without a vote, as in document 003',
  },
  twoFails: { kind: 'switch', usual: true, says: 'with 7 or more players quest 4 fails with two fail cards only' },
  goodMayFail: { kind: 'switch', usual: false, says: 'good players may play a fail card' },
  assassination: {
    kind: 'choice',
    of: ['end', 'any-quest'] as const,
    usual: 'end',
    says: 'when the Assassin may name Merlin: after the third success, or once in the game, after any quest, as in the program of document 003',
  },
  hurry: {
    kind: 'switch',
    usual: false,
    says: 'with `assassination: any-quest` the game goes on as soon as the Assassin has answered; then timing tells',
  },
  talk: { kind: 'switch', usual: true, says: 'everybody speaks once before each proposal' },
  maxChars: { kind: 'whole', least: 20, most: 2000, usual: 500, says: 'the longest speech, in characters' },
  turnMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 60_000, says: 'how long each player has to speak, in milliseconds' },
  teamMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 60_000, says: 'how long the leader has to name a team, in milliseconds' },
  voteMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 30_000, says: 'how long the vote on a team lasts, in milliseconds' },
  questMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 30_000, says: 'how long a quest lasts, in milliseconds' },
  assassinMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 60_000, says: 'how long the Assassin has, in milliseconds' },
} as const;

export type AvalonOptions = OptionsOf<typeof avalonOptions>;
