import type { Notifier } from '@maw/async/notifier.ts';
import type { Semaphore } from '@maw/async/semaphore.ts';
import type { ContestContext, RunningContest } from '../running-contest.ts';
import type { Standing } from '../standing.ts';

/** The tables of a contest. */
export interface Tables {
  readonly context: ContestContext;
  readonly running: RunningContest;
  readonly standing: Standing;
  /** Tables are opened one after another, so that one that has to wait holds up all. */
  readonly opening: Semaphore;
  /** Those that are followed, with what rings when they may be over. Written by `follow-table.ts`. */
  readonly followed: Map<string, Notifier>;
  /** Aborted when no further table shall be opened. */
  readonly noMore: AbortSignal;
}
