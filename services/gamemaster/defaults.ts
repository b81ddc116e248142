import type { BacklogLimits } from './admission/backlog.ts';

export interface GamemasterOptions {
  /** The interval for polling due alarms, in milliseconds; 0: never. */
  readonly alarmEveryMs: number;
  /** How many messages are processed at the same time; those of one table one after another. */
  readonly concurrency: number;
  /** How many running tables stay in memory. */
  readonly tablesInMemory: number;
  /** How many events of all tables stay in memory; each counts once by itself and once for each eye that has seen it. */
  readonly eventsInMemory: number;
  /** The heartbeat interval, in milliseconds; five missed beats of all replicas together are an outage. */
  readonly heartbeatMs: number;
  /** How often a gamemaster tells the others that it is there, in milliseconds, so that they share the tables; 0: never. */
  readonly shareEveryMs: number;
  /** The interval for counting tables for `/metrics`, in milliseconds; 0: never. */
  readonly metricsEveryMs: number;
  /** The recipe of seats without one, as the player service has it. */
  readonly defaultRecipe: string;
  /** Whether to refuse tables whose minds need a model while the gateway reports no capacity. */
  readonly obeyCapacity: boolean;
  /** Whether to refuse tables while this gamemaster has a backlog. */
  readonly obeyBacklog: boolean;
  /** The limits above which there is a backlog. */
  readonly behind: BacklogLimits;
}

export const defaultOptions: GamemasterOptions = {
  alarmEveryMs: 200,
  concurrency: 64,
  tablesInMemory: 2_000,
  eventsInMemory: 2_000_000,
  heartbeatMs: 200,
  shareEveryMs: 1_000,
  metricsEveryMs: 5_000,
  defaultRecipe: 'algorithm-1',
  obeyCapacity: true,
  obeyBacklog: true,
  behind: { messageMs: 3_000, alarmMs: 3_000, appendMs: 1_000, unsent: 1_000, windowMs: 5_000 },
};
