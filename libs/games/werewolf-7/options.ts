import { choice, duration, maxChars, maxDays, type OptionsOf, toggle } from '../kernel/options.ts';

export const werewolf7Options = {
  nightMs: duration('Each step of a night', 30_000, 'how long each step of a night lasts', {
    opens: { least: 15_000, most: 15_000 },
    decisions: 1,
  }),
  turnMs: duration('Time to speak', 60_000, 'how long a speech may take', { people: 120_000 }),
  voteMs: duration('Time to vote', 30_000, 'how long a vote may take', { people: 60_000 }),
  hurry: toggle('End steps early', false, 'a step of the night ends as soon as it is answered: the timing tells the others something'),
  maxDays: maxDays('after this many nights and days the game is a draw'),
  maxChars: maxChars('the longest speech'),
  guardRepeat: toggle('Same ward twice', false, 'the guard may protect the same player on two nights running'),
  witchBoth: toggle('Both potions in one night', true, 'the witch may use antidote and poison in one night'),
  wolfWin: choice(
    'When werewolves win',
    ['villagers-dead', 'all-good-dead', 'parity'],
    'villagers-dead',
    'when the werewolves win: once both plain villagers are dead, once everybody else is dead, or once they are as many as the others',
  ),
  endFirst: choice('When both sides win', ['village', 'werewolves'], 'village', 'who wins when both sides would win at the same time'),
  nightState: choice(
    'Whom night choices may name',
    ['nightfall', 'running'],
    'nightfall',
    'whom night choices may name: everybody alive at nightfall, or only those still alive at that step, as in the published program',
  ),
  revealNightRoles: toggle('Roles of the murdered', false, 'the roles of those who die in the night are announced'),
  revealFirstNight: toggle('Roles, first night', false, 'the roles of the first night’s dead are announced, as in the published program'),
  revealExecuted: toggle('Role of the executed', false, 'the role of the executed is announced'),
  lastWords: toggle('Last words', true, 'whoever is to be executed may speak once more'),
  tie: choice('A tied vote', ['none', 'runoff'], 'none', 'whether a second ballot decides between players with the most votes'),
  runoffVoters: choice('Voters of a second ballot', ['others', 'all'], 'others', 'whether those in the tie vote in it, too'),
  sheriff: choice('Sheriff', ['none', 'elected'], 'none', 'whether a sheriff is elected on day 1'),
  sheriffAt: choice('Time of the election', ['before-deaths', 'after-deaths'], 'before-deaths', 'before or after the dead are named'),
  sheriffVote: choice('Weight of the sheriff', ['1.5', '2', '1'], '1.5', 'how much the vote of the sheriff counts by day'),
  sheriffTies: choice('A tie with a sheriff', ['none', 'decides'], 'none', 'whether the sheriff names who of a tie is executed'),
} as const;

export type Werewolf7Options = OptionsOf<typeof werewolf7Options>;
