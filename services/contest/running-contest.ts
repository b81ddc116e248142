import type { Notifier } from '@maw/async/notifier.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Ask } from '@maw/bus/request-client.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Contests } from '@maw/store/ports/contests.ts';
import type { Policies } from '@maw/store/ports/policies.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { ContestServiceOptions } from './defaults.ts';

/** What all parts of the service use. */
export interface ContestContext extends ContestServiceOptions {
  readonly bus: Bus;
  readonly ask: Ask;
  readonly contests: Contests;
  readonly recipes: readonly Recipe[];
  /** Policies, for contests that are played here; undefined: there are none. */
  readonly policies: Pick<Policies, 'get' | 'list'> | undefined;
  now(): number;
  readonly log: Log;
  /** This process, as a holder of leases. */
  readonly holder: string;
  /** The contests that this process plays, by id. */
  readonly running: Map<string, RunningContest>;
  /** Notified when a table that is followed may be over; by table. */
  readonly tables: Map<string, Notifier>;
  /** Notified when contests may have to be begun or stopped. */
  readonly notifier: Notifier;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** A contest that this process plays. */
export interface RunningContest {
  readonly id: string;
  /** Whether no further table shall be opened. */
  isStopping: boolean;
  /** Notified when something has changed: a result, or whether it is stopping. */
  readonly notifier: Notifier;
  /** Aborted when the service closes, or another replica has the contest. */
  readonly signal: AbortSignal;
  /** Leaves the contest to another replica. */
  leave(): void;
  task: Promise<void>;
}
