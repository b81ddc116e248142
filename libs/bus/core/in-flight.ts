import { withTimeout } from '@maw/async/timeout.ts';
import type { TransportConsumer } from './transport.ts';

/** The deliveries that one consumer works on, and its shutdown. */
export interface InFlight {
  /** Aborted when the grace time has passed. */
  readonly expired: AbortSignal;
  /** Aborted once the consumer is cancelled: nothing begins any more. */
  readonly stopping: AbortSignal;
  track(work: Promise<unknown>): void;
  /** Cancels the consumer. Idempotent. */
  cancel(consumer: TransportConsumer): Promise<void>;
  /** Cancels the consumer, waits for the work in flight however long it takes, and returns the rest to the queue. */
  drain(consumer: TransportConsumer): Promise<void>;
  /** Cancels the consumer, waits up to the grace time for the work in flight, and returns the rest to the queue. Idempotent. */
  stop(consumer: TransportConsumer): Promise<void>;
}

/** @param graceMs how long `stop` waits for work in flight, in milliseconds */
export function trackInFlight(graceMs: number): InFlight {
  const work = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const expired = new AbortController();
  const expire = (): void => expired.abort(new Error(`stopped: not done within the grace time of ${graceMs} ms`));
  let cancelled: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

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
    expired: expired.signal,
    stopping: stopping.signal,
    track: (one) => {
      work.add(one);
      void one.finally(() => work.delete(one));
    },
    cancel,
    async drain(consumer) {
      await cancel(consumer);
      await Promise.allSettled(work);
      await consumer.release();
    },
    stop: (consumer) => (stopped ??= stop(consumer)),
  };
}
