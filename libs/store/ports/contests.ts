/** `stopping`: no further table is opened, those that run are played to their end. Only `stopped` and `failed` contests can go on. */
export type ContestState = 'running' | 'stopping' | 'stopped' | 'finished' | 'failed';

/** A contest as it was opened. */
export interface NewContest {
  readonly id: string;
  /** When it was opened, in milliseconds since the epoch. */
  readonly at: number;
  /** What it is: its agents, games, schedule ... JSON. */
  readonly contest: { readonly [field: string]: unknown };
  /** How many pairings it has in all. */
  readonly pairings: number;
}

export interface StoredContest extends NewContest {
  readonly state: ContestState;
  /** Why it is in this state, in words. */
  readonly why?: string;
  /** When it came into this state, in milliseconds since the epoch. */
  readonly since: number;
  /** How many of its pairings have a result. */
  readonly finished: number;
}

/** A pairing that is played at a table. */
export interface BegunPairing {
  /** From 0. */
  readonly number: number;
  /** From 1. */
  readonly attempt: number;
  readonly table: string;
  /** When this attempt began, in milliseconds since the epoch. */
  readonly at: number;
}

/** What came of one pairing. JSON. */
export interface StoredPairingResult {
  readonly number: number;
  readonly attempt: number;
  /** What the measures of behaviour need: much larger than all else. */
  readonly records?: unknown;
}

/** Where a page of results begins, and how much it may have. */
export interface ResultPageTerms {
  /** The number of the last pairing that was read, or -1. */
  readonly after: number;
  /** Games of the first result that were read before. */
  readonly skip: number;
  readonly limit: number;
  /** The size of all results together, as they are stored; the first one is given in any case. */
  readonly bytes: number;
  /** The most games of a first result that is larger, or of which some were read before. */
  readonly games: number;
  readonly withRecords?: boolean;
}

/** Results in their order. The last one has `moreGames` when only some of its games are here. */
export interface StoredResultPage {
  readonly results: readonly (StoredPairingResult & { readonly moreGames?: true })[];
  /** Whether there are further results, or games. */
  readonly more: boolean;
}

/** Contests and their pairings. Any number of processes write them. */
export interface Contests {
  /** Repeating it changes nothing. A new contest is running. */
  open(contest: NewContest): Promise<void>;
  get(id: string): Promise<StoredContest | undefined>;
  /** The newest first, at most `limit`; only those in one of some states. */
  list(about: { readonly states?: readonly ContestState[]; readonly limit: number }): Promise<readonly StoredContest[]>;
  /**
   * Changes the state. Of concurrent changes from one state, one is made. Returns whether this one was.
   * @param about.holder changes nothing when another one, or nobody, has the lease
   * @param about.terms replace those it was opened with
   */
  setState(
    id: string,
    from: readonly ContestState[],
    to: ContestState,
    about: {
      readonly at: number;
      readonly why?: string;
      readonly holder?: string;
      readonly terms?: Pick<NewContest, 'contest' | 'pairings'>;
    },
  ): Promise<boolean>;
  /** Takes or renews the lease of a contest until a time, unless another holder has it at the time `at`. Returns whether it was taken. */
  claim(id: string, holder: string, lease: { readonly at: number; readonly until: number }): Promise<boolean>;
  /** Ends the lease of a holder. */
  release(id: string, holder: string): Promise<void>;
  /**
   * Begins an attempt at a pairing of a running contest. Changes nothing when the pairing has a result, or this attempt or a later one has begun.
   * Returns whether the contest is running.
   */
  begin(id: string, pairing: BegunPairing): Promise<boolean>;
  /** The pairings that have begun and have no result, each with its latest attempt, by number. */
  begun(id: string): Promise<readonly BegunPairing[]>;
  /** The numbers of the pairings that have a result, in order. */
  finished(id: string): Promise<readonly number[]>;
  /**
   * Writes results, one for a pairing. The first counts: one for a pairing that has a result, or for an attempt after which another has begun, is
   * dropped. Returns the numbers of those that were written, in order.
   * @param at in milliseconds since the epoch
   */
  finish(id: string, results: readonly StoredPairingResult[], at: number): Promise<readonly number[]>;
  /** How many results were written after a time. */
  countFinished(id: string, since: number): Promise<number>;
  /** Results of pairings after a number, in order, at most `limit`; without `records` unless they are wanted. */
  results(
    id: string,
    about: { readonly after: number; readonly limit: number; readonly withRecords?: boolean },
  ): Promise<readonly StoredPairingResult[]>;
  /** The same in pages of a bounded size, however large the results are. */
  page(id: string, terms: ResultPageTerms): Promise<StoredResultPage>;
}
