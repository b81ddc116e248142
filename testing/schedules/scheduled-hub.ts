import { type MemoryHub, createHub } from '@maw/bus/memory/hub.ts';
import { attemptOf } from '@maw/bus/core/parse.ts';
import type { Destination, TransportConsumer, RawMessage, RawDelivery, Transport } from '@maw/bus/core/transport.ts';
import type { Process, TurnKind } from './simulated-process.ts';

/** A message in a queue, or in somebody's hands. */
export interface QueuedMessage {
  readonly queue: string;
  readonly id: string;
  readonly type: string;
  readonly parcel: RawMessage;
  /** It was in somebody's hands before. */
  readonly isAgain: boolean;
}

/** Where parcels go that the processes send, and what becomes of those they take; what a schedule must know of that, it hears. */
export interface Hearing {
  /** A parcel is in safe hands. */
  sent(to: Destination, parcel: RawMessage): void;
  acknowledged(letter: QueuedMessage): void;
}

/**
 * A hub in memory whose deliveries are decided by a schedule: what is put there lies in `waiting` until it is given to a process, and
 * what a process had in its hands when it died lies there again. A parcel that is put aside for a later attempt comes at once: a schedule may
 * let it lie as long as it likes.
 */
export interface ScheduledHub {
  readonly hub: MemoryHub;
  readonly waiting: readonly QueuedMessage[];
  readonly held: ReadonlyMap<Process, readonly QueuedMessage[]>;
  wire(process: Process): Transport;
  /** Whether a process has both hands free and listens to the queue. */
  mayTake(process: Process, letter: QueuedMessage): boolean;
  give(process: Process, letter: QueuedMessage): void;
  /** Takes a letter out of its queue for somebody who is no process. */
  pull(letter: QueuedMessage): void;
  /** One more copy of a letter that waits. */
  copy(letter: QueuedMessage): void;
  died(process: Process): void;
}

const NOTHING: TransportConsumer = { cancel: () => Promise.resolve(), release: () => Promise.resolve() };

/** @param atOnce how many messages one process has in its hands */
export function scheduledHub(queues: readonly string[], hearing: Hearing, atOnce: number): ScheduledHub {
  const hub = createHub();
  let waiting: QueuedMessage[] = [];
  const held = new Map<Process, QueuedMessage[]>();
  const takers = new Map<Process, { readonly queue: string; readonly take: (taken: RawDelivery) => void }>();
  const lay = (queue: string, parcel: RawMessage, isAgain: boolean): void =>
    void waiting.push({ queue, id: parcel.id ?? '?', type: parcel.type ?? '?', parcel, isAgain });
  for (const queue of queues)
    hub.consume({ queue, types: [], isSingle: false, prefetch: Number.POSITIVE_INFINITY, delaysMs: [] }, ({ raw: parcel, ack }) => {
      lay(queue, parcel, attemptOf(parcel) > 1);
      ack();
    });

  const without = (letter: QueuedMessage): QueuedMessage[] => waiting.filter((one) => one !== letter);
  const drop = (process: Process, letter: QueuedMessage): void =>
    void held.set(
      process,
      (held.get(process) ?? []).filter((one) => one !== letter),
    );

  return {
    hub,
    get waiting() {
      return waiting;
    },
    held,
    wire: (process) => ({
      system: 'memory',
      user: process.name,
      send(to, parcel, { expectsReply } = {}) {
        return process.turn(
          kindOf(to, parcel),
          labelOf(to, parcel),
          () => {
            const sent = expectsReply ? { ...parcel, replyTo: process.name } : parcel;
            hearing.sent(to, sent);
            hub.send('queue' in to ? { queue: to.queue.replace(/\.after-\d+$/, '') } : to, sent);
          },
          { isAlarm: parcel.type === 'table.tick' },
        );
      },
      async consume({ queue }, take) {
        takers.set(process, { queue, take });
        return NOTHING;
      },
      subscribe: () => Promise.resolve(NOTHING),
      onReply: () => undefined,
      onReconnected: () => undefined,
      isUp: () => true,
      unconfirmedCount: () => 0,
      close: () => Promise.resolve(),
    }),
    mayTake: (process, { queue }) => !process.isDead && takers.get(process)?.queue === queue && (held.get(process)?.length ?? 0) < atOnce,
    give(process, letter) {
      waiting = without(letter);
      held.set(process, [...(held.get(process) ?? []), letter]);
      process.note(`${letter.isAgain ? 'again ' : ''}${attemptOf(letter.parcel)} ${letter.id}`);
      let isAcknowledged = false;
      takers.get(process)!.take({
        raw: letter.parcel,
        ack: () => {
          if (isAcknowledged) return;
          isAcknowledged = true;
          void process.turn('ack', `ack ${letter.id}`, () => {
            drop(process, letter);
            hearing.acknowledged(letter);
          });
        },
      });
    },
    pull: (letter) => void (waiting = without(letter)),
    copy: (letter) => void waiting.push({ ...letter }),
    died(process) {
      process.isDead = true;
      takers.delete(process);
      for (const { queue, parcel } of held.get(process) ?? []) lay(queue, parcel, true);
      held.delete(process);
    },
  };
}

/** What follows from a tape is sent to others than those who are explored; the rest comes back to them. */
function kindOf(to: Destination, { type }: RawMessage): TurnKind {
  if ('replyQueue' in to) return 'answer';
  return 'queue' in to || type === 'table.tick' || type === 'table.act' ? 'other' : 'send';
}

function labelOf(to: Destination, { id, type, correlationId }: RawMessage): string {
  if ('replyQueue' in to) return `answer ${correlationId}`;
  if ('queue' in to) return to.queue.endsWith('.dead') ? `bury ${id}` : `later ${id}`;
  return `send ${type} ${id}`;
}
