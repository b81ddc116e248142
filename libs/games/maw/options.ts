import { choice, duration, maxChars, maxDays, type OptionsOf, toggle, whole } from '../kernel/options.ts';

export const mawOptions = {
  dayMs: duration('Longest day', 120_000, 'how long a day lasts at most', { people: 300_000 }),
  nightMs: duration('Longest night', 60_000, 'how long a night lasts at most', {
    people: 120_000,
    opens: { least: 30_000, most: 45_000 },
    decisions: 4,
  }),
  fullNights: toggle('Full nights', false, 'a night lasts its full time, and the last votes of the Werewolves count at its end', true),
  graceSeconds: whole(
    'Countdown',
    [0, 3600, 'seconds'],
    0,
    'how long a majority stands before it ends the day; votes may still change',
    20,
  ),
  shortestDaySeconds: whole('Shortest day', [0, 3600, 'seconds'], 0, 'how long a day lasts at least before a majority can end it', 90),
  maxDays: maxDays('after this many days and nights the round is a draw'),
  maxChars: maxChars('the longest speech'),
  votes: choice('Votes', ['public', 'silent'], 'public', 'whether votes are announced as they are cast'),
  dayTie: choice('A tie by day', ['none', 'random'], 'none', 'who is executed when the day ends in a tie'),
  parityWin: toggle('Wolves win at parity', false, 'wolves win as soon as they are as many as the others'),
  scoreDead: toggle('Points for the dead', true, 'dead members of the winning side score too'),
  whisper: toggle('Whispers', false, 'by day a living player may send a private line to another'),
  whisperVisible: toggle('Whispers are noticed', false, 'the others see that somebody whispers, and to whom'),
  hurry: toggle('End phases early', false, 'a day or a night ends once all have voted, not before and not later, unless time runs out'),
  seer: toggle('A Seer', false, 'one of the villagers is a seer, who each day may ask the role of one player'),
} as const;

export type MawOptions = OptionsOf<typeof mawOptions>;
