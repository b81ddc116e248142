import type { ContestGame } from '../definition.ts';

/** A deal of one game: the same roles for all its pairings. */
export interface Deal {
  /** From 0; each game of the contest has one of this number. */
  readonly number: number;
  readonly game: ContestGame;
  readonly seed: string;
}

/** Who plays whom. */
export interface Scheduled {
  /** Deals of each game that can be planned now, and in all. */
  readonly deals: number;
  readonly allDeals: number;
  readonly perDeal: number;
  readonly rounds: number;
  /** The names of the agents by seat of the k-th pairing of a deal. */
  seat(deal: Deal, k: number): readonly string[];
  /** The cell of the k-th pairing of a deal. */
  cell?(k: number): string;
}
