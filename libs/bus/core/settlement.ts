import type { Message } from '@maw/contracts/contracts.ts';
import type { Refusal } from '@maw/contracts/refusal.ts';
import { type Reply, UnreadableMessage } from '@maw/contracts/registry.ts';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { PermanentError, isPermanent } from '../bus.ts';
import { deadParcel, type DeadReason, laterParcel } from './dead-letter.ts';
import type { Publisher } from './publisher.ts';
import type { SenderCheck } from './sender-check.ts';
import { deadLetterQueueOf, delayQueueOf } from './topology.ts';
import type { RawMessage, Transport } from './transport.ts';

/** `held`: tried again where it is; `returned`: left for somebody else. */
export type Outcome = 'done' | 'refused' | 'retried' | 'dead' | 'late' | 'held' | 'returned';

/** What stands for the type of a message that cannot be read. */
export const UNREADABLE = 'unreadable';

/** A message in hand, at one attempt. */
export interface InHand {
  readonly parcel: RawMessage;
  readonly queue: string;
  readonly subject: string;
  readonly type: string;
}

/** Where it is decided what becomes of a message that was taken. Whatever is said here is confirmed before it returns. */
export interface Settlement {
  isLate(message: Message): boolean;
  answer(about: InHand, reply: Reply): Promise<void>;
  forward(about: InHand, next: Message): Promise<void>;
  refuse(about: InHand, refusal: Refusal): Promise<Outcome>;
  /** @param waitMs until the next attempt, undefined when there is none; `isHeld`: whoever has it keeps it until then */
  fail(about: InHand, error: unknown, attempt: number, waitMs: number | undefined, isHeld: boolean): Promise<Outcome>;
  unreadable(about: InHand, error: unknown): Promise<void>;
}

export function createSettlement(given: {
  wire: Transport;
  post: Publisher;
  senders: SenderCheck;
  service: string;
  now(): number;
  log: Log;
}): Settlement {
  const { wire, post, senders, service, now, log } = given;
  const forwarded = new WeakSet<InHand>();

  async function bury({ parcel, queue, type }: InHand, reason: DeadReason, error: unknown, attempts: number): Promise<void> {
    const said = error instanceof Error ? error.message : String(error);
    const why = { reason, error: said, queue, at: now(), attempts, sender: senders.of(parcel) };
    await wire.send({ queue: deadLetterQueueOf(queue), beside: queue }, deadParcel(parcel, why));
    metrics.deadLetters.inc({ service, queue, reason });
    log.error({ err: error, queue, type, id: parcel.id, reason, attempts }, 'laid to the dead letters');
  }

  return {
    isLate: ({ replyby }) => replyby !== undefined && Date.parse(replyby) < now(),

    async answer(about, reply) {
      const { parcel, subject, type } = about;
      if (forwarded.has(about)) throw new PermanentError(`${type} was passed on and answered: whoever forwards must not answer itself`);
      await post.answer(parcel, subject, reply);
    },

    async forward(about, next) {
      await post.message(next, { onBehalfOf: about.parcel });
      forwarded.add(about);
    },

    async refuse({ parcel, subject }, { reason, detail, waitMs }) {
      metrics.refusals.inc({ service, reason });
      const data = {
        reason,
        ...(detail ? { detail: detail.slice(0, 2000) } : {}),
        ...(Number.isSafeInteger(Math.ceil(waitMs ?? NaN)) ? { waitMs: Math.max(0, Math.ceil(waitMs!)) } : {}),
      };
      await post.answer(parcel, subject, { performative: 'refuse', data });
      return 'refused';
    },

    async fail(about, error, attempt, waitMs, isHeld) {
      const { parcel, queue, subject, type } = about;
      const isHopeless = isPermanent(error) || error instanceof UnreadableMessage;
      if (isHopeless || waitMs === undefined) {
        await bury(about, isHopeless ? 'gave-up' : 'failed', error, attempt);
        // What went wrong may hold what the asker may not know; it is in the dead letters.
        await post.answer(parcel, subject, { performative: 'failure', data: { reason: 'failed' } });
        return 'dead';
      }
      log.warn({ err: error, queue, type, id: parcel.id, table: subject, attempt }, 'failed, and will be tried again');
      if (isHeld) return 'held';
      await wire.send({ queue: delayQueueOf(queue, waitMs), beside: queue }, laterParcel(parcel, attempt + 1, senders.of(parcel)));
      return 'retried';
    },

    async unreadable(about, error) {
      await bury(about, 'unreadable', error, 0);
      const detail = (error as Error).message.slice(0, 2000);
      await post.answer(about.parcel, about.subject, { performative: 'refuse', data: { reason: 'unreadable', detail } });
    },
  };
}

/** Runs `work` in a span that goes on with the sender's trace. */
export function inTrace(
  service: string,
  system: string,
  name: string,
  about: InHand & { attempt?: number },
  work: () => Promise<void>,
): Promise<void> {
  const { parcel, queue, subject, attempt } = about;
  const attributes = {
    [attribute.messagingSystem]: system,
    [attribute.messagingOperation]: 'process',
    [attribute.messagingName]: 'process',
    [attribute.destination]: queue,
    [attribute.queue]: queue,
    [attribute.attempt]: attempt,
    [attribute.messageId]: parcel.id,
    [attribute.conversation]: parcel.correlationId,
    [attribute.table]: subject === '-' ? undefined : subject,
  };
  return inSpan(service, name, { kind: 'consumer', parent: contextFromHeaders(parcel.headers), attributes }, work);
}
