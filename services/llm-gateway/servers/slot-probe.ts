import type { LoadOptions, Provider, Tried } from '../providers/provider.ts';

/** What came of trying a server out: how many slots work at once, at most as many as were asked about; or why nobody can tell. */
export type Parallel = number | 'too-fast' | 'in-use';

/** What is shorter says nothing: measuring, and not waiting, may take that long. Milliseconds. */
const LEAST_MS = 4;
/** What waited for another waited about as long as one takes; half of it is far from both. */
const SHARE = 0.5;
/** Fewer than there should be are believed when they are seen so many times. */
const ROUNDS = 2;

/**
 * Tries out how many of its slots a server really has: one more tiny request than slots at the same moment, of which those that had to wait
 * tell of a slot that is not there (document ollama, section 3: what is left of the total without load, prompt and answer is waiting).
 * One alone goes first: what waits the least of all waits for nothing. Only an idle server can be tried out; the model must be in its memory.
 * @throws what the provider throws, and what `signal` was aborted with; all requests have ended then
 */
export async function parallel(
  { tryOut }: Pick<Provider, 'tryOut'>,
  model: string,
  { slots, ...options }: LoadOptions & { readonly slots: number },
  signal: AbortSignal,
): Promise<Parallel> {
  if (!tryOut) return 'too-fast';
  const least = { waited: Infinity, worked: Infinity };
  const isWaiting = (one: Tried): boolean => one.waited - least.waited >= Math.max(LEAST_MS, SHARE * least.worked);
  const learn = (seen: readonly Tried[]): void => {
    least.waited = Math.min(least.waited, ...seen.map(({ waited }) => waited));
    least.worked = Math.min(least.worked, ...seen.map(({ worked }) => worked));
  };

  // The first of all may be slow for reasons of its own.
  for (let first = 0; first < 2; first++) {
    learn([await tryOut(model, options, signal)]);
    if (least.waited < Math.max(LEAST_MS, SHARE * least.worked)) break;
    if (first === 1) return 'in-use';
  }
  if (least.worked < LEAST_MS) return 'too-fast';

  let best = 0;
  for (let round = 0; round < ROUNDS && best < slots; round++) {
    const seen = await allOf(
      Array.from({ length: slots + 1 }, () => (stop) => tryOut(model, options, stop)),
      signal,
    );
    learn(seen);
    best = Math.max(best, slots + 1 - seen.filter(isWaiting).length);
  }
  return best < slots && least.worked < LEAST_MS ? 'too-fast' : Math.min(slots, best);
}

/** All at once. When one fails the others are ended, and waited for. */
async function allOf<T>(tasks: readonly ((signal: AbortSignal) => Promise<T>)[], signal: AbortSignal): Promise<readonly T[]> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const all = tasks.map((task) => task(stop));
  try {
    return await Promise.all(all);
  } catch (error) {
    ended.abort(error);
    await Promise.allSettled(all);
    throw error;
  }
}
