import type { OptionsOf } from '../kernel/options.ts';

/** The options of MAW. */
export const mawOptions = {
  dayMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 120_000, says: 'how long a day lasts, in milliseconds' },
  nightMs: { kind: 'whole', least: 100, most: 86_400_000, usual: 60_000, says: 'how long a night lasts, in milliseconds' },
  maxDays: { kind: 'whole', least: 1, most: 1000, usual: 30, says: 'after this many days and nights the round is a draw' },
  maxChars: { kind: 'whole', least: 20, most: 2000, usual: 500, says: 'the longest speech, in characters' },
  votes: { kind: 'choice', of: ['public', 'silent'] as const, usual: 'public', says: 'whether votes are announced as they are cast' },
  dayTie: { kind: 'choice', of: ['none', 'random'] as const, usual: 'none', says: 'who is executed when the day ends in a tie' },
  parityWin: { kind: 'switch', usual: false, says: 'wolves win as soon as they are as many as the others' },
  scoreDead: { kind: 'switch', usual: true, says: 'dead members of the winning side score too' },
  whisper: { kind: 'switch', usual: false, says: 'by day a living player may send a private line to another' },
  whisperVisible: { kind: 'switch', usual: false, says: 'the others see that somebody whispers, and to whom' },
  seer: { kind: 'switch', usual: false, says: 'one of the villagers is a seer, who each day may ask the role of one player' },
} as const;

export type MawOptions = OptionsOf<typeof mawOptions>;
