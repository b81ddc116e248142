import { choice, duration, maxChars, maxDays, type OptionsOf, toggle } from '../kernel/options.ts';

export const werewolf7Options = {
  nightMs: duration(30_000, 'how long each step of a night lasts', { people: 15_000, decisions: 1 }),
  turnMs: duration(60_000, 'how long a speech may take', { people: 120_000 }),
  voteMs: duration(30_000, 'how long a vote may take', { people: 60_000 }),
  hurry: toggle(false, 'a step of the night ends as soon as it is answered: the timing tells the others something'),
  maxDays: maxDays('after this many nights and days the game is a draw'),
  maxChars: maxChars('the longest speech'),
  guardRepeat: toggle(false, 'the guard may protect the same player on two nights running'),
  witchBoth: toggle(true, 'the witch may use antidote and poison in one night'),
  wolfWin: choice(
    ['villagers-dead', 'all-good-dead', 'parity'],
    'villagers-dead',
    'when the werewolves win: once both plain villagers are dead, once everybody else is dead, or once they are as many as the others',
  ),
  endFirst: choice(['village', 'werewolves'], 'village', 'who wins when both sides would win at the same time'),
  nightState: choice(
    ['nightfall', 'running'],
    'nightfall',
    'whom night choices may name: everybody alive at nightfall, or only those still alive at that step, as in the published program',
  ),
  revealNightRoles: toggle(false, 'the roles of those who die in the night are announced'),
  revealFirstNight: toggle(false, 'the roles of those who die in the first night are announced, as in the published program'),
  revealExecuted: toggle(false, 'the role of the executed is announced'),
  lastWords: toggle(true, 'whoever is to be executed may speak once more'),
} as const;

export type Werewolf7Options = OptionsOf<typeof werewolf7Options>;
