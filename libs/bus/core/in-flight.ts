import { withTimeout } from '@maw/async/timeout.ts';
import type { TransportConsumer } from './transport.ts';

export type InFlight = ReturnType<typeof trackInFlight>;

/**
 * The deliveries that one consumer works on, and its shutdown.
 * @param graceMs how long `stop` waits for work in flight, in milliseconds
 */
export function trackInFlight(graceMs: number) {
  const work = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const expired = new AbortController();
  const expire = (): void => expired.abort(new Error(`stopped: not done within the grace time of ${graceMs} ms`));
  let cancelled: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  /** Cancels the consumer. Idempotent. */
  function cancel(consumer: TransportConsumer): Promise<void> {
    stopping.abort();
    return (cancelled ??= consumer.cancel());
  }

  async function stop(consumer: TransportConsumer): Promise<void> {
    await cancel(consumer);
    await withTimeout<unknown, void>(graceMs, Promise.allSettled(work), { onTimeout: expire });
    await consumer.release();
  }

  return {
    /** Aborted when the grace time has passed. */
    expired: expired.signal,
    /** Aborted once the consumer is cancelled: nothing begins any more. */
    stopping: stopping.signal,
    track(one: Promise<unknown>): void {
      work.add(one);
      void one.finally(() => work.delete(one));
    },
    cancel,
    /** Cancels the consumer, waits for the work in flight however long it takes, and returns the rest to the queue. */
    async drain(consumer: TransportConsumer): Promise<void> {
      await cancel(consumer);
      await Promise.allSettled(work);
      await consumer.release();
    },
    /** Cancels the consumer, waits up to the grace time for the work in flight, and returns the rest to the queue. Idempotent. */
    stop: (consumer: TransportConsumer): Promise<void> => (stopped ??= stop(consumer)),
  };
}
