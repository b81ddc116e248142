/** More workers than this gain nothing. */
const MAX_WORKERS = 8;
/** What one worker holds at most. */
const WORKER_BYTES = 500 * 2 ** 20;

interface Machine {
  readonly cores: number;
  /** Memory that is available without swapping. */
  readonly freeBytes: number;
  /** Whether suites with servers run at the same time. */
  readonly isShared: boolean;
}

/** How many unit suites run at once: more than there are cores, because many wait for timers or programs, but no more than fit in memory. */
export function unitWorkers({ cores, freeBytes, isShared }: Machine): number {
  const wanted = Math.min(MAX_WORKERS, Math.max(2, cores) + (isShared ? 0 : 1));
  return Math.max(1, Math.min(wanted, Math.floor(freeBytes / WORKER_BYTES)));
}
