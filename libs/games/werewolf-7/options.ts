import type { OptionsOf } from '../kernel/options.ts';

/** The options of seven-player Werewolf. */
export const werewolf7Options = {
  nightMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 30_000, says: 'how long each step of a night lasts, in milliseconds' },
  turnMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 60_000, says: 'how long a speech may take, in milliseconds' },
  voteMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 30_000, says: 'how long a vote may take, in milliseconds' },
  hurry: {
    kind: 'switch',
    usual: false,
    says: 'a step of the night ends as soon as it is answered; how long it took then tells the others something',
  },
  maxDays: { kind: 'whole', least: 1, most: 1000, usual: 30, says: 'after this many nights and days the game is a draw' },
  maxChars: { kind: 'whole', least: 20, most: 2000, usual: 500, says: 'the longest speech, in characters' },
  guardRepeat: { kind: 'switch', usual: false, says: 'the guard may protect the same player on two nights running' },
  witchBoth: { kind: 'switch', usual: true, says: 'the witch may use antidote and poison in one night' },
  wolfWin: {
    kind: 'choice',
    of: ['villagers-dead', 'all-good-dead', 'parity'] as const,
    usual: 'villagers-dead',
    says: 'when the werewolves win: both plain villagers are dead, everybody else is, or they are as many as the others',
  },
  endFirst: {
    kind: 'choice',
    of: ['village', 'werewolves'] as const,
    usual: 'village',
    says: 'who wins when both sides would at once; with werewolves the village needs one of its own left',
  },
  nightState: {
    kind: 'choice',
    of: ['nightfall', 'running'] as const,
    usual: 'nightfall',
    says: 'whether night choices are made among those alive at nightfall, or without who has died in the night so far, as the published program does',
  },
  revealNightRoles: { kind: 'switch', usual: false, says: 'the roles of those who die in the night are announced' },
  revealFirstNight: { kind: 'switch', usual: false, says: 'those of the first night are, as the published program does' },
  revealExecuted: { kind: 'switch', usual: false, says: 'the role of the executed is announced' },
  lastWords: { kind: 'switch', usual: true, says: 'whoever is to be executed may speak once more' },
} as const;

export type Werewolf7Options = OptionsOf<typeof werewolf7Options>;
