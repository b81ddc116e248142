import { setTimeout as sleep } from 'node:timers/promises';

/** The simulator's clock; tests use a manual one. */
export interface Clock {
  /** Monotonic, in milliseconds with fractions. */
  now(): number;
  /** Nanoseconds since 1970. */
  wall(): bigint;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock = (): Clock => {
  const epoch = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
  return {
    now: () => performance.now(),
    wall: () => epoch + process.hrtime.bigint(),
    wait: async (ms, signal) => {
      for (let left = ms; left > 0 && !signal?.aborted; left -= MAX_TIMER_MS)
        await sleep(Math.min(left, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined);
    },
  };
};

/** Formats a time as Go does: RFC 3339 in UTC with up to nine digits and no trailing zeros. */
export const rfc3339 = (ns: bigint): string => {
  const seconds = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = (ns % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
};
