import type { Notifier } from '@maw/async/notifier.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Ask } from '@maw/bus/request-client.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { ExperienceStore } from '@maw/lab/training/experience/build.ts';
import type { Contests } from '@maw/store/ports/contests.ts';
import type { Store } from '@maw/store/store.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { ContestServiceOptions } from './defaults.ts';

/** What is needed to read contests. */
export interface ContestReader {
  readonly contests: Contests;
  readonly recipes: readonly Recipe[];
  now(): number;
}

/** What is needed to open, stop and play them. What runs is no part of it: each contest has its own state, and `keep-contests.ts` has them all. */
export interface ContestContext extends ContestReader, ContestServiceOptions {
  readonly bus: Bus;
  readonly ask: Ask;
  /** Where what agents learn from game to game comes from and goes to, too. */
  readonly store: ExperienceStore & Pick<Store, 'contests' | 'policies' | 'strategies'>;
  readonly log: Log;
  /** This process, as a holder of leases. */
  readonly holder: string;
  /** Rings when contests may have to be begun or stopped. */
  readonly notifier: Notifier;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** A contest that this process plays. */
export interface RunningContest {
  readonly id: string;
  /** Whether no further table shall be opened. Only ever set. */
  isStopping: boolean;
  /** Notified when something has changed: a result, or whether it is stopping. */
  readonly notifier: Notifier;
  /** Aborted when the service closes, or another replica has the contest. */
  readonly signal: AbortSignal;
  /** Leaves the contest to another replica. */
  leave(): void;
  task: Promise<void>;
}
