import type { Subscription } from '../bus.ts';

/** A consumer on the broker. */
export interface OpenConsumer extends Subscription {
  /** Takes no more messages. */
  cancel(): Promise<void>;
  /** Takes no more messages, and resolves once all work in flight is done, however long that takes. */
  drain(): Promise<void>;
}

/** The consumers of a bus, which are paused and resumed together. */
export function consumerGroup() {
  const consumers = new Set<PausableConsumer>();
  let isPaused = false;
  /** What was asked for last; a consumer that is added while others are resumed is opened as well. */
  let isWanted = true;
  let changes = 0;
  return {
    /** Adds a consumer; `open` opens it at the broker, and again after every pause. @throws what `open` throws */
    async add(open: () => Promise<OpenConsumer>): Promise<Subscription> {
      const consumer = pausableConsumer(open);
      consumers.add(consumer);
      try {
        if (isWanted) await consumer.resume();
      } catch (error) {
        consumers.delete(consumer);
        throw error;
      }
      const stop = async (): Promise<void> => {
        consumers.delete(consumer);
        await consumer.stop();
      };
      return { stop };
    },
    /** Takes no more messages; work in flight goes on. Idempotent. */
    async pause(): Promise<void> {
      changes++;
      isWanted = false;
      isPaused = true;
      await Promise.all([...consumers].map((one) => one.pause()));
    },
    /** Resolves once all consumers are open. @throws what opening throws; the group then counts as paused, and `resume` can be tried again */
    async resume(): Promise<void> {
      const change = ++changes;
      isWanted = true;
      await Promise.all([...consumers].map((one) => one.resume()));
      if (change === changes) isPaused = false;
    },
    isPaused: (): boolean => isPaused,
  };
}

type PausableConsumer = ReturnType<typeof pausableConsumer>;

function pausableConsumer(open: () => Promise<OpenConsumer>) {
  let current: OpenConsumer | undefined;
  let opening: Promise<void> | undefined;
  const draining = new Set<OpenConsumer>();
  let isWanted = false;

  async function openOnce(): Promise<void> {
    const opened = await open();
    if (isWanted) current = opened;
    else await opened.stop(); // paused or stopped meanwhile
  }

  return {
    async stop() {
      isWanted = false;
      await Promise.all([...(current ? [current] : []), ...draining].map((one) => one.stop()));
    },
    async resume() {
      isWanted = true;
      // A consumer that was opened for an earlier call may have been stopped, because it was not wanted then.
      while (isWanted && !current) await (opening ??= openOnce().finally(() => (opening = undefined)));
    },
    async pause() {
      isWanted = false;
      const paused = current;
      if (!paused) return;
      current = undefined;
      draining.add(paused);
      void paused.drain().finally(() => draining.delete(paused));
      await paused.cancel();
    },
  };
}
