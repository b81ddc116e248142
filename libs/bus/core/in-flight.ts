import { setTimeout as after } from 'node:timers/promises';
import type { TransportConsumer } from './transport.ts';

/** What one listener has in its hands, and how it lets go of it. */
export interface InFlight {
  /** Aborted when the grace time has passed. */
  readonly signal: AbortSignal;
  /** Aborted as soon as it is to stop. */
  readonly stopping: AbortSignal;
  isStopping(): boolean;
  hold(work: Promise<unknown>): void;
  /** Takes no more, waits for what is in hand, at most for the grace time, and gives back the rest. The same again while it lasts. */
  stop(consuming: TransportConsumer): Promise<void>;
}

/** @param graceMs how long it waits for what is in hand, in milliseconds */
export function trackInFlight(graceMs: number): InFlight {
  const held = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const late = new AbortController();
  let stopped: Promise<void> | undefined;

  async function stop(consuming: TransportConsumer): Promise<void> {
    stopping.abort();
    await consuming.cancel();
    const over = new AbortController();
    const grace = after(graceMs, undefined, { signal: over.signal }).then(
      () => late.abort(new Error(`stopped: not done within ${graceMs} ms`)),
      () => undefined,
    );
    await Promise.race([Promise.allSettled(held), grace]);
    over.abort();
    await consuming.release();
  }

  return {
    signal: late.signal,
    stopping: stopping.signal,
    isStopping: () => stopping.signal.aborted,
    hold: (work) => {
      held.add(work);
      void work.finally(() => held.delete(work));
    },
    stop: (consuming) => (stopped ??= stop(consuming)),
  };
}
