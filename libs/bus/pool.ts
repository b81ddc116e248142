import { setTimeout as after } from 'node:timers/promises';
import type { ContractName, Message } from '@maw/contracts/contracts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { span } from '@maw/telemetry/names.ts';
import type { Delivery, Hear, PoolOptions } from './bus.ts';
import { type Desk, isRefusal, inTrace, type Outcome, UNREADABLE } from './desk.ts';
import { handsOn } from './hands.ts';
import { lanes, slots } from './order.ts';
import { attemptOf, messageOf } from './reading.ts';
import type { Consuming, Taken, Wire } from './wire.ts';

/** A retry within this time, in milliseconds, keeps its subject waiting where order is asked for; a later one lets the others pass. */
export const HOLD_MS = 1_000;

export interface PoolAsked<N extends ContractName> {
  readonly queue: string;
  readonly types: readonly N[];
  readonly options: PoolOptions;
  readonly hear: Hear<N>;
}

export interface Pooling {
  readonly wire: Wire;
  readonly desk: Desk;
  readonly service: string;
  readonly log: Log;
  readonly graceMs: number;
  readonly retryMs: readonly number[];
}

/** Takes messages from a queue until it is stopped. */
export async function openPool<N extends ContractName>(
  { wire, desk, service, log, graceMs, retryMs }: Pooling,
  { queue, types, options, hear }: PoolAsked<N>,
): Promise<{ stop(): Promise<void> }> {
  const { concurrency: prefetch, isSingle = false, inOrder = false, takesLate = false } = options;
  const hands = handsOn(graceMs);
  const inLane = lanes();
  const inSlot = slots(prefetch);

  /** One try. `returned`: it was not done in time and somebody else is to do it. */
  async function attemptAt(message: Message<N>, { parcel }: Taken, attempt: number): Promise<Outcome> {
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
      try {
        const reply = await hear(message, delivery);
        if (reply && !hands.signal.aborted) await desk.answer(about, reply);
        outcome = hands.signal.aborted ? 'returned' : isLate && !reply ? 'late' : 'done';
      } catch (error) {
        if (hands.signal.aborted) outcome = 'returned';
        else if (isRefusal(error)) outcome = await desk.refuse(about, error);
        else outcome = await desk.fail(about, error, attempt, retryMs[attempt - 1], isHeld(attempt));
        throw error;
      }
    };
    await inTrace(service, wire.system, span.process(message.type), { ...about, attempt }, attempted).catch((error: unknown) => {
      if (outcome === undefined) throw error;
    });
    return outcome ?? 'returned';
  }

  const isHeld = (attempt: number) => inOrder && (retryMs[attempt - 1] ?? Number.POSITIVE_INFINITY) <= HOLD_MS;

  /** All tries that are not left to the broker. */
  async function work(message: Message<N>, taken: Taken): Promise<void> {
    const since = performance.now();
    for (let attempt = attemptOf(taken.parcel); ; attempt++) {
      const outcome = await inSlot(async () => (hands.isStopping() ? 'returned' : attemptAt(message, taken, attempt)));
      if (outcome === 'returned') return;
      const { type } = message;
      metrics.messagesTaken.inc({ service, type, outcome: outcome === 'held' ? 'retried' : outcome });
      if (outcome !== 'held') {
        taken.ack();
        metrics.messageSeconds.observe({ service, type }, (performance.now() - since) / 1000);
        return;
      }
      await after(retryMs[attempt - 1], undefined, { ref: false, signal: hands.stopping }).catch(() => undefined);
    }
  }

  async function take(taken: Taken): Promise<void> {
    let message: Message<N>;
    try {
      message = messageOf(taken.parcel, types);
    } catch (error) {
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
      metrics.messagesTaken.inc({ service, type: UNREADABLE, outcome: 'dead' });
      return taken.ack();
    }
    await (inOrder ? inLane(message.subject, () => work(message, taken)) : work(message, taken));
  }

  const consuming: Consuming = await wire.consume({ queue, types, isSingle, prefetch, delaysMs: retryMs }, (taken) =>
    // What fails here could not be told to the broker: it is not acknowledged, so it comes again.
    hands.hold(take(taken).catch((err: unknown) => log.error({ err, queue }, 'a message could not be settled'))),
  );
  return { stop: () => hands.stop(consuming) };
}
