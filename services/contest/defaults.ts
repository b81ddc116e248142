import { availableParallelism } from 'node:os';

export interface ContestServiceOptions {
  /** Whether contests are played here. Else they are only read; one that is stopped has stopped at once, as no table of it runs. */
  readonly plays: boolean;
  /** Messages that are answered at the same time. */
  readonly concurrency: number;
  /** How long a reply of another service is awaited before the request is repeated, in milliseconds. */
  readonly requestMs: number;
  /** How long to wait after a request that failed, and before a table is opened again that was refused for want of room, in milliseconds. */
  readonly retryMs: number;
  /** How often a table is read without news of it, in milliseconds: news can be lost. */
  readonly pollMs: number;
  /** How long a replica that says nothing keeps a contest, in milliseconds. It says so three times as often. */
  readonly leaseMs: number;
  /** Tables of one contest at once, unless it wants fewer. */
  readonly maxTables: number;
  /** Threads of a contest in the arena. */
  readonly workers: number;
  /** Results of the arena that are written together, and after how long they are written in any case, in milliseconds. */
  readonly batch: number;
  readonly batchMs: number;
  /** How long other services may take to say whether a contest can be played, in milliseconds. */
  readonly checkMs: number;
  /** How long seats may take to learn from a game before the next one of their cell begins without it, in milliseconds. */
  readonly learnMs: number;
  /** How long the minds of a table may take to sit down, in milliseconds. */
  readonly lobbyMs: number;
}

export const defaultOptions: ContestServiceOptions = {
  plays: true,
  concurrency: 16,
  requestMs: 10_000,
  retryMs: 1_000,
  pollMs: 5_000,
  leaseMs: 6_000,
  maxTables: 64,
  workers: availableParallelism(),
  batch: 200,
  batchMs: 1_000,
  checkMs: 8_000,
  learnMs: 600_000,
  lobbyMs: 60_000,
};
