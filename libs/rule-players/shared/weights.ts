import type { Pace } from '@maw/games/kernel/options.ts';

/** How much likelier something is of a wolf than of anybody else, or than by chance; 1: it tells nothing. */
export interface Weights {
  /** A vote of the village, and of a wolf, on a wolf, against chance. */
  readonly villageOnWolf: number;
  readonly wolfOnWolf: number;
  /** What an accusation counts of a vote. */
  readonly accusation: number;
  /** A vote for whom the day executes, for somebody else, none, and each change of it. */
  readonly withOthers: number;
  readonly apart: number;
  readonly silent: number;
  readonly change: number;
  /** A vote on a day for none of those whom the voter accused on it. */
  readonly againstWords: number;
}

/**
 * By who sits at the table. What is not surely different from 1 is 1, but for `villageOnWolf` of people: without it, their mafiosi cannot be ranked
 * (AUC .55 instead of .59). Behind each weight stand what was measured, and its interval of 95 % with games as units.
 */
export const WEIGHTS = {
  /** 14 games of Mafia between people: 235 votes, 97 accusations. `tests/minds/human-games` measures them. */
  'people': {
    villageOnWolf: 1.2, // 1.20 (0.94 to 1.47)
    wolfOnWolf: 0.36, // 0.36 (0.08 to 0.79)
    accusation: 0.3, // of the village 1.17 (0.87 to 1.55), of mafiosi 0.63 (0.14 to 1.43): less than votes
    withOthers: 1, // 1.07 (0.83 to 1.38)
    apart: 1, // 0.88 (0.54 to 1.38)
    silent: 1, // 3 times in 165: of no mafioso
    change: 1, // not recorded
    againstWords: 1, // 0.73 (0.31 to 1.31)
  },
  'maw': {
    villageOnWolf: 1.25,
    wolfOnWolf: 0.35,
    accusation: 0.3,
    withOthers: 0.85,
    apart: 1.4,
    silent: 1.15,
    change: 1.08,
    againstWords: 1,
  },
  'werewolf-7': { villageOnWolf: 1.3, wolfOnWolf: 0.35, accusation: 0.3, withOthers: 1, apart: 1, silent: 1, change: 1, againstWords: 1 },
  'aiwolf': { villageOnWolf: 1.25, wolfOnWolf: 0.4, accusation: 0, withOthers: 1, apart: 1, silent: 1, change: 1, againstWords: 1 },
} as const satisfies { readonly [kind: string]: Weights };
export type Kind = keyof typeof WEIGHTS;

/** Whose weights count at a table: those of people, where it has their pace, else those of minds that play the game. */
export const kindOf = (pace: Pace, game: Exclude<Kind, 'people'>): Kind => (pace === 'people' ? 'people' : game);
