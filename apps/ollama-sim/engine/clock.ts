/** The simulator's clock; tests use a manual one. */
export interface Clock {
  /** Monotonic, in milliseconds with fractions. */
  now(): number;
  /** Nanoseconds since 1970. */
  wall(): bigint;
  /** Resolves after `ms`, or as soon as `signal` aborts; at once when `ms` is not above zero. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

// setTimeout fires at once for anything longer.
const LONGEST_MS = 2 ** 31 - 1;

/** The system's clock. */
export const systemClock = (): Clock => {
  const epoch = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
  return { now: () => performance.now(), wall: () => epoch + process.hrtime.bigint(), wait };
};

const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  let left = ms;
  while (left > 0) {
    if (signal?.aborted === true) return;
    await nap(Math.min(left, LONGEST_MS), signal);
    left -= LONGEST_MS;
  }
};

const nap = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });

/** Formats a time as Go does: RFC 3339 in UTC with up to nine digits and no trailing zeros. */
export const rfc3339 = (ns: bigint): string => {
  const seconds = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = (ns % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
};
