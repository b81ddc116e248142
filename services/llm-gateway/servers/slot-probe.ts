import type { LoadOptions, Provider, SlotTiming } from '../providers/provider.ts';

/** How many slots work at once, at most as many as were asked about; or why it cannot be told. */
export type ProbeResult = number | 'too-fast' | 'in-use';

/** Shorter waits are noise. */
const MIN_WAIT_MS = 4;
/** A request that had to wait waited about as long as one request takes; half of that separates the two cases. */
const WAIT_SHARE = 0.5;
/** How many probes must find slots missing before it is believed. */
const ROUNDS = 2;

/**
 * Finds out how many slots a server really has: it sends one tiny request more than slots at the same moment; each request that had to wait
 * shows a missing slot. The wait is the total time that Ollama reports minus its times for load, prompt and answer. A single request
 * goes first, as the baseline. The server must be idle and the model in its memory.
 * @throws what the provider throws, and what `signal` was aborted with; all requests have ended then
 */
export async function probeSlots(
  { timeSlot }: Pick<Provider, 'timeSlot'>,
  model: string,
  { slots, ...options }: LoadOptions & { readonly slots: number },
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (!timeSlot) return 'too-fast';
  const min = { waitedMs: Infinity, workedMs: Infinity };
  const threshold = (): number => Math.max(MIN_WAIT_MS, WAIT_SHARE * min.workedMs);
  const learn = (timings: readonly SlotTiming[]): void => {
    min.waitedMs = Math.min(min.waitedMs, ...timings.map(({ waitedMs }) => waitedMs));
    min.workedMs = Math.min(min.workedMs, ...timings.map(({ workedMs }) => workedMs));
  };

  learn([await timeSlot(model, options, signal)]);
  // The very first request may be slow for other reasons.
  if (min.waitedMs >= threshold()) learn([await timeSlot(model, options, signal)]);
  if (min.waitedMs >= threshold()) return 'in-use';
  if (min.workedMs < MIN_WAIT_MS) return 'too-fast';

  let best = 0;
  for (let round = 0; round < ROUNDS && best < slots; round++) {
    const requests = Array.from({ length: slots + 1 }, () => (stop: AbortSignal) => timeSlot(model, options, stop));
    const timings = await allOrNone(requests, signal);
    learn(timings);
    best = Math.max(best, slots + 1 - timings.filter(({ waitedMs }) => waitedMs - min.waitedMs >= threshold()).length);
  }
  return best < slots && min.workedMs < MIN_WAIT_MS ? 'too-fast' : Math.min(slots, best);
}

/** Runs all tasks at once. When one fails, the others are aborted and awaited. */
async function allOrNone<T>(tasks: readonly ((signal: AbortSignal) => Promise<T>)[], signal: AbortSignal): Promise<readonly T[]> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const all = tasks.map((task) => task(stop));
  try {
    return await Promise.all(all);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(all);
    throw error;
  }
}
