import { setTimeout as after } from 'node:timers/promises';
import { type Context, context } from '@opentelemetry/api';
import { keyedQueue } from '@maw/async/keyed-queue.ts';
import { semaphore } from '@maw/async/semaphore.ts';
import type { ContractName, Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { span } from '@maw/telemetry/names.ts';
import type { Delivery, Handler, ConsumeOptions } from '../bus.ts';
import { type Settlement, inTrace, type Outcome, UNREADABLE } from './settlement.ts';
import { trackInFlight } from './in-flight.ts';
import { attemptOf, messageOf, senderLabelOf } from './parse.ts';
import type { SenderCheck } from './sender-check.ts';
import type { TransportConsumer, RawDelivery, Transport } from './transport.ts';

/** A retry within this time, in milliseconds, keeps its subject waiting where order is asked for; a later one lets the others pass. */
export const MAX_IN_PLACE_RETRY_MS = 1_000;

export interface PoolAsked<N extends ContractName> {
  readonly queue: string;
  readonly types: readonly N[];
  readonly options: ConsumeOptions;
  readonly hear: Handler<N>;
}

export interface Pooling {
  readonly wire: Transport;
  readonly desk: Settlement;
  readonly senders: SenderCheck;
  readonly service: string;
  readonly log: Log;
  readonly graceMs: number;
  readonly retryMs: readonly number[];
}

/** Takes messages from a queue until it is stopped. */
export async function openConsumer<N extends ContractName>(
  { wire, desk, senders, service, log, graceMs, retryMs }: Pooling,
  { queue, types, options, hear }: PoolAsked<N>,
): Promise<{ stop(): Promise<void> }> {
  const { concurrency: prefetch, isSingle = false, inOrder = false, takesLate = false } = options;
  const hands = trackInFlight(graceMs);
  const inLane = keyedQueue();
  const inSlot = semaphore(prefetch);

  /** One try. `returned`: it was not done in time and somebody else is to do it. */
  async function attemptAt(
    message: Message<N>,
    { parcel }: RawDelivery,
    attempt: number,
    noted: (within: Context) => void,
  ): Promise<Outcome> {
    const about = { parcel, queue, subject: message.subject, type: message.type };
    const isLate = desk.isLate(message);
    if (isLate && !takesLate) return 'late';
    const delivery: Delivery = {
      attempt,
      signal: hands.signal,
      forward: (next) => desk.forward(about, next),
    };
    let outcome: Outcome | undefined;
    const attempted = async (): Promise<void> => {
      noted(context.active());
      try {
        const reply = await hear(message, delivery);
        if (reply && !hands.signal.aborted) await desk.answer(about, reply);
        outcome = hands.signal.aborted ? 'returned' : isLate && !reply ? 'late' : 'done';
      } catch (error) {
        if (hands.signal.aborted) outcome = 'returned';
        else if (error instanceof Refusal) outcome = await desk.refuse(about, error);
        else outcome = await desk.fail(about, error, attempt, retryMs[attempt - 1], isHeld(attempt));
        throw error;
      }
    };
    await inTrace(service, wire.system, span.process(message.type), { ...about, attempt }, attempted).catch((error: unknown) => {
      if (outcome === undefined) throw error;
    });
    return outcome ?? 'returned';
  }

  const isHeld = (attempt: number) => inOrder && (retryMs[attempt - 1] ?? Number.POSITIVE_INFINITY) <= MAX_IN_PLACE_RETRY_MS;

  /** All tries that are not left to the broker. */
  async function work(message: Message<N>, taken: RawDelivery): Promise<void> {
    const since = performance.now();
    let within = context.active();
    const noted = (last: Context): void => void (within = last);
    for (let attempt = attemptOf(taken.parcel); ; attempt++) {
      const outcome = await inSlot(async () => (hands.isStopping() ? 'returned' : attemptAt(message, taken, attempt, noted)));
      if (outcome === 'returned') return;
      const { type } = message;
      metrics.messagesTaken.inc({ service, sender: senderLabelOf(message), type, outcome: outcome === 'held' ? 'retried' : outcome });
      if (outcome !== 'held') {
        taken.ack();
        const seconds = (performance.now() - since) / 1000;
        context.with(within, () => metrics.messageSeconds.observe({ service, type }, seconds)); // its span has ended; the time leads to it
        return;
      }
      await after(retryMs[attempt - 1], undefined, { ref: false, signal: hands.stopping }).catch(() => undefined);
    }
  }

  /** Whether it was dropped, because it is not from whom it says. A dead letter of each would let a forger fill the disk. */
  function isForged({ parcel, ack }: RawDelivery, message: Message<N> | undefined): boolean {
    const forgery = senders.forgery(parcel, message);
    if (!forgery) return false;
    const type = message?.type ?? UNREADABLE;
    senders.count(type, forgery);
    metrics.messagesTaken.inc({ service, sender: senderLabelOf(message), type, outcome: 'dropped' });
    log.warn({ queue, type, id: parcel.id, forgery, source: message?.source, sender: senders.of(parcel) }, 'dropped as forged');
    ack();
    return true;
  }

  async function take(taken: RawDelivery): Promise<void> {
    let message: Message<N>;
    try {
      message = messageOf(taken.parcel, types);
    } catch (error) {
      if (isForged(taken, undefined)) return;
      const about = { parcel: taken.parcel, queue, subject: '-', type: UNREADABLE };
      let isBuried = false;
      const attempted = async (): Promise<void> => {
        await desk.unreadable(about, error);
        isBuried = true;
        throw error;
      };
      await inTrace(service, wire.system, span.process(UNREADABLE), about, attempted).catch((failure: unknown) => {
        if (!isBuried) throw failure;
      });
      metrics.messagesTaken.inc({ service, sender: senderLabelOf(undefined), type: UNREADABLE, outcome: 'dead' });
      return taken.ack();
    }
    if (isForged(taken, message)) return;
    await (inOrder ? inLane(message.subject, () => work(message, taken)) : work(message, taken));
  }

  const consuming: TransportConsumer = await wire.consume({ queue, types, isSingle, prefetch, delaysMs: retryMs }, (taken) =>
    // What fails here could not be told to the broker: it is not acknowledged, so it comes again.
    hands.hold(take(taken).catch((err: unknown) => log.error({ err, queue }, 'a message could not be settled'))),
  );
  return { stop: () => hands.stop(consuming) };
}
