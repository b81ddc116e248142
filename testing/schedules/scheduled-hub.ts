import { type MemoryHub, createHub } from '@maw/bus/memory/hub.ts';
import { attemptOf } from '@maw/bus/core/parse.ts';
import type { Destination, TransportConsumer, RawMessage, RawDelivery, Transport } from '@maw/bus/core/transport.ts';
import type { Process, TurnKind } from './simulated-process.ts';

/** A message in a queue or held by a process. */
export interface QueuedMessage {
  readonly queue: string;
  readonly id: string;
  readonly type: string;
  readonly parcel: RawMessage;
  /** It was delivered before. */
  readonly isAgain: boolean;
}

/** Where parcels of the processes go, and the fate of those they take. The schedule is notified of both. */
export interface Hearing {
  /** The parcel is stored safely. */
  sent(to: Destination, parcel: RawMessage): void;
  acknowledged(letter: QueuedMessage): void;
}

/**
 * An in-memory hub whose deliveries a schedule decides. Parcels stay in `waiting` until given to a process, and return there when the
 * process dies. A delayed retry returns at once, as a schedule may leave it there for any time.
 */
export interface ScheduledHub {
  readonly hub: MemoryHub;
  readonly waiting: readonly QueuedMessage[];
  readonly held: ReadonlyMap<Process, readonly QueuedMessage[]>;
  wire(process: Process): Transport;
  /** Whether a process has free capacity and consumes the queue. */
  mayTake(process: Process, letter: QueuedMessage): boolean;
  give(process: Process, letter: QueuedMessage): void;
  /** Takes a letter out of its queue on behalf of no process. */
  pull(letter: QueuedMessage): void;
  /** Duplicates a waiting letter. */
  copy(letter: QueuedMessage): void;
  died(process: Process): void;
}

const NOTHING: TransportConsumer = { cancel: () => Promise.resolve(), release: () => Promise.resolve() };

/** @param atOnce how many messages one process holds at once */
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

/** A `send` goes to a service outside the exploration; `other` messages come back. */
function kindOf(to: Destination, { type }: RawMessage): TurnKind {
  if ('replyQueue' in to) return 'answer';
  return 'queue' in to || type === 'table.tick' || type === 'table.act' ? 'other' : 'send';
}

function labelOf(to: Destination, { id, type, correlationId }: RawMessage): string {
  if ('replyQueue' in to) return `answer ${correlationId}`;
  if ('queue' in to) return to.queue.endsWith('.dead') ? `bury ${id}` : `later ${id}`;
  return `send ${type} ${id}`;
}
