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

/** Habits that tell nothing. */
const NOTHING = { accusation: 0, withOthers: 1, apart: 1, silent: 1, change: 1, againstWords: 1 };

/**
 * By who sits at the table. What is not surely different from 1 is 1, but for `villageOnWolf` of people: without it, their mafiosi cannot be ranked
 * (AUC .55 instead of .59). Behind each weight stand what was measured, and its interval of 95 % with games as units.
 */
export const WEIGHTS = {
  /** 14 games of Mafia between people: 235 votes, 97 accusations. `tests/minds/human-games` measures them. */
  'people': {
    villageOnWolf: 1.2, // 1.20 (0.96 to 1.49)
    wolfOnWolf: 0.36, // 0.36 (0.08 to 0.77)
    accusation: 0.3, // of the village 1.17 (0.88 to 1.56), of mafiosi 0.63 (0.14 to 1.38): less than votes
    withOthers: 1, // 1.07 (0.82 to 1.38)
    apart: 1, // 0.88 (0.53 to 1.39)
    silent: 1, // 3 times in 165: of no mafioso
    change: 1, // not recorded
    againstWords: 1, // 0.73 (0.34 to 1.33)
  },
  /** 2,000 games of `rules` minds, half of them with a seer. */
  'maw': {
    villageOnWolf: 1.13, // 1.03 (0.98 to 1.09), with a seer 1.22 (1.16 to 1.27)
    wolfOnWolf: 0.13, // 0.02 (0.01 to 0.03), with a seer 0.26 (0.23 to 0.29)
    accusation: 0.3, // of the village 1.16 (1.09 to 1.23); wolves accuse no wolf
    withOthers: 0.94, // 0.95 (0.94 to 0.96), with a seer 0.93 (0.91 to 0.94)
    apart: 10, // 21 (12 to 45), with a seer 9 (7 to 13)
    silent: 1, // 0.99 (0.86 to 1.15), with a seer 1.59 (1.35 to 1.89)
    change: 1, // 0.54 (0.35 to 0.79), with a seer 1.02 (0.90 to 1.15)
    againstWords: 1, // 0.43 (0.21 to 0.76), with a seer 1.96 (1.45 to 2.68)
  },
  /** 1,000 games. Minds vote as others do, so a day's votes are far from as many facts: counted in full, the village would win 24 points less. */
  'werewolf-7': {
    villageOnWolf: 1.3, // 2.12 (2.05 to 2.19)
    wolfOnWolf: 0.35, // 0.26 (0.23 to 0.29)
    ...NOTHING,
    accusation: 0.3, // of the village 2.34 (2.27 to 2.41); wolves accuse no wolf
    againstWords: 2, // 3.29 (2.68 to 3.99)
  },
  /** 400 games in the language of the protocol, where words are wishes and not counted. */
  'aiwolf': {
    villageOnWolf: 1.25, // 1.82 (1.74 to 1.91)
    wolfOnWolf: 0.4, // there is one wolf only
    ...NOTHING,
  },
} as const satisfies { readonly [kind: string]: Weights };
export type Kind = keyof typeof WEIGHTS;

/** Whose weights count at a table: those of people, where it has their pace, else those of minds that play the game. */
export const kindOf = (pace: Pace, game: Exclude<Kind, 'people'>): Kind => (pace === 'people' ? 'people' : game);
