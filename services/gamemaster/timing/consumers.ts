import type { ConsumerCounts } from '@maw/bus/bus.ts';

/** The queues without whose consumers tables stand still: minds consume the one, and everybody speaks through the other. */
export const WATCHED = ['player', 'chatroom'] as const;

/** Consumers whose last sign of life is older than this count as absent, in milliseconds. A busy process may be late by as much. */
const MAX_SILENCE_MS = 1_000;
/** The broker has dropped the connection of a process that has been silent for so long, in milliseconds. */
const FORGET_MS = 60_000;

/** Judges which queues are consumed, from what the broker counts and from the signs of life of the consumers. */
export interface Consumers {
  /** A process that consumes a queue has given a sign of life. */
  hear(queue: string, replica: string): void;
  /** The watched queues all of whose consumers are alive. To be called with each beat. */
  consumed(counts: ConsumerCounts): readonly string[];
}

/**
 * The broker drops a process that is killed at once, and counts a suspended one until its connection times out; that one holds messages. So a
 * queue is consumed if as many processes have given a sign of life as the broker counts. Absence needs evidence: a number that the broker
 * does not tell counts as some, and a consumer that never gave a sign of life (of an older version) as alive.
 * @param steady a monotonic clock in milliseconds
 */
export function consumers(steady: () => number): Consumers {
  const heardAt = new Map(WATCHED.map((queue) => [queue as string, new Map<string, number>()]));
  let judgedAt = Number.NEGATIVE_INFINITY;

  function isSilent(queue: string, count: number): boolean {
    const now = steady();
    const replicas = heardAt.get(queue)!;
    for (const [replica, at] of replicas) if (now - at > FORGET_MS) replicas.delete(replica);
    const newest = [...replicas.values()].toSorted((a, b) => b - a).slice(0, count);
    return newest.some((at) => now - at > MAX_SILENCE_MS);
  }

  return {
    hear: (queue, replica) => void heardAt.get(queue)?.set(replica, steady()),
    consumed(counts) {
      const hasStalled = steady() - judgedAt > MAX_SILENCE_MS; // it has heard nobody meanwhile
      judgedAt = steady();
      return WATCHED.filter((queue) => {
        const count = counts[queue];
        return count === undefined || (count > 0 && (hasStalled || !isSilent(queue, count)));
      });
    },
  };
}
