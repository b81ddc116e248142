/** One table of a contest. What it is follows from the contest and its number alone, so that it can be planned again anywhere. */
export interface Pairing {
  /** From 0, in the order of play. */
  readonly number: number;
  /** The index of its game in the contest. */
  readonly game: number;
  /** Pairings of one deal have the same seed and so the same roles. Their numbers follow one another. */
  readonly deal: string;
  readonly seed: string;
  /** The names of the agents by seat. */
  readonly agents: readonly string[];
  /** Games at this table: more than one in a set. */
  readonly rounds: number;
  /** The cell of a table of results that it belongs to. */
  readonly cell?: string;
}
