import { choice, duration, maxChars, maxDays, type OptionsOf, toggle, whole } from '../kernel/options.ts';

export const mawOptions = {
  dayMs: duration(120_000, 'how long a day lasts', { people: 300_000 }),
  nightMs: duration(60_000, 'how long a night lasts', { opens: { least: 30_000, most: 45_000 }, decisions: 4 }),
  fullNights: toggle(false, 'a night lasts its full time, and the last votes of the Werewolves count at its end', true),
  graceSeconds: whole(0, 3600, 0, 'how long a majority must stand before it ends the day, in seconds; votes may change meanwhile', 20),
  shortestDaySeconds: whole(0, 3600, 0, 'how long a day lasts at least before a majority can end it, in seconds', 90),
  maxDays: maxDays('after this many days and nights the round is a draw'),
  maxChars: maxChars('the longest speech'),
  votes: choice(['public', 'silent'], 'public', 'whether votes are announced as they are cast'),
  dayTie: choice(['none', 'random'], 'none', 'who is executed when the day ends in a tie'),
  parityWin: toggle(false, 'wolves win as soon as they are as many as the others'),
  scoreDead: toggle(true, 'dead members of the winning side score too'),
  whisper: toggle(false, 'by day a living player may send a private line to another'),
  whisperVisible: toggle(false, 'the others see that somebody whispers, and to whom'),
  hurry: toggle(false, 'a day or a night ends as soon as everybody has voted, not before and not later, unless time runs out'),
  seer: toggle(false, 'one of the villagers is a seer, who each day may ask the role of one player'),
} as const;

export type MawOptions = OptionsOf<typeof mawOptions>;
