/**
 * The acknowledgement rule: what becomes of a delivered message.
 *
 * | what happened                                   | reply     | message                                   | outcome    |
 * | ----------------------------------------------- | --------- | ----------------------------------------- | ---------- |
 * | the handler returned a reply, or nothing        | the reply | ack                                       | `done`     |
 * | it threw a `Refusal`                            | `refuse`  | ack                                       | `refused`  |
 * | it threw an error that is permanent             | `failure` | to the dead letters (`gave-up`), ack      | `dead`     |
 * | it threw `ComeAgain`                            | none      | to a delay queue, the same attempt, ack   | `retried`  |
 * | it threw another error, attempts are left       | none      | to a delay queue as the next attempt, ack | `retried`  |
 * | the same, in order, and the delay is short      | none      | kept, retried in place                    | `held`     |
 * | it threw another error at the last attempt      | `failure` | to the dead letters (`failed`), ack       | `dead`     |
 * | a question of which any of the last three is true | as above | kept, retried in place; at last ack      | `held`, `failed` |
 * | the message cannot be read                      | `refuse`  | to the dead letters (`unreadable`), ack   | `dead`     |
 * | `replyby` had passed before the attempt         | none      | ack                                       | `late`     |
 * | its sender is forged                            | none      | ack                                       | `dropped`  |
 * | the consumer stopped before the handler was done | none     | requeued, or redelivered by the broker    | `returned` |
 *
 * Replies and copies are confirmed before the message is acknowledged. If one cannot be sent, the message is not acknowledged and comes again.
 */
import type { Message } from '@maw/contracts/contracts.ts';
import type { Refusal } from '@maw/contracts/refusal.ts';
import { type Reply, UnreadableMessage } from '@maw/contracts/registry.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import { isPermanent, PermanentError } from '../bus.ts';
import { asDeadLetter, asNextAttempt, type DeadReason } from './dead-letter.ts';
import { processSpan } from '../message-span.ts';
import { ComeAgain } from '../retries.ts';
import type { Publisher } from './publisher.ts';
import type { SenderCheck } from './sender-check.ts';
import { deadLetterQueueOf, delayQueueOf } from './topology.ts';
import type { RawMessage, Transport } from './transport.ts';

export type Outcome = 'done' | 'refused' | 'retried' | 'held' | 'failed' | 'dead' | 'late' | 'returned';

/** Stands for the type of a message that cannot be read. */
export const UNREADABLE = 'unreadable';

/** Stands for the queue of a subscription, which is one of the process alone. */
export const SUBSCRIPTION_QUEUE = 'tap';

/** A delivered message at one attempt. */
export interface Received {
  readonly raw: RawMessage;
  readonly queue: string;
  /** A question: whoever asked asks again, so it needs no dead letter. */
  readonly isRead?: boolean;
  readonly subject: string;
  readonly type: string;
  readonly attempt?: number;
  /** The delay before the next attempt, in milliseconds; undefined: this is the last one. */
  readonly retryInMs?: number | undefined;
  isForwarded: boolean;
}

/** What receiving and settling need. */
export interface Endpoint {
  readonly service: string;
  readonly transport: Transport;
  readonly publisher: Publisher;
  readonly senderCheck: SenderCheck;
  readonly log: Log;
  now(): number;
  /** The delay before each further attempt, in milliseconds. */
  readonly retryMs: readonly number[];
  /** How long stopping waits for work in flight, in milliseconds. */
  readonly graceMs: number;
}

export const isLate = ({ replyby }: Message, now: number): boolean => replyby !== undefined && Date.parse(replyby) < now;

/** @throws PermanentError when the request was forwarded: then somebody else replies */
export async function sendReply({ publisher }: Endpoint, { raw, subject, type, isForwarded }: Received, reply: Reply): Promise<void> {
  if (isForwarded) throw new PermanentError(`${type} was forwarded and answered as well: a handler does one of both`);
  await publisher.reply(raw, subject, reply);
}

export async function forward({ publisher }: Endpoint, received: Received, next: Message): Promise<void> {
  await publisher.publish(next, { onBehalfOf: received.raw });
  received.isForwarded = true;
}

/** Replies with the refusal. A time to wait is sent in whole milliseconds, rounded up. */
export async function settleRefusal(endpoint: Endpoint, { raw, subject }: Received, refusal: Refusal): Promise<Outcome> {
  const { reason, detail } = refusal;
  metrics.refusals.inc({ service: endpoint.service, reason });
  const waitMs = Math.ceil(refusal.waitMs ?? NaN);
  const data = {
    reason,
    ...(detail ? { detail: detail.slice(0, 2000) } : {}),
    ...(Number.isSafeInteger(waitMs) ? { waitMs: Math.max(0, waitMs) } : {}),
  };
  await endpoint.publisher.reply(raw, subject, { performative: 'refuse', data });
  return 'refused';
}

/** @param canHold the consumer keeps the message until a retry that is due soon */
export async function settleError(endpoint: Endpoint, received: Received, error: unknown, canHold: boolean): Promise<Outcome> {
  const { transport, publisher, senderCheck, log } = endpoint;
  const { raw, queue, isRead, subject, type, attempt = 1, retryInMs } = received;
  if (error instanceof ComeAgain) {
    const delayMs = endpoint.retryMs[0] ?? 0;
    await transport.send({ queue: delayQueueOf(queue, delayMs), parent: queue }, asNextAttempt(raw, attempt, senderCheck.of(raw)));
    return 'retried';
  }
  const isHopeless = isPermanent(error) || error instanceof UnreadableMessage;
  if (isHopeless || retryInMs === undefined) {
    if (!isRead) await deadLetter(endpoint, received, isHopeless ? 'gave-up' : 'failed', error, attempt);
    else log.error({ err: error, queue, type, id: raw.id, table: subject, attempt }, 'a question could not be answered');
    // The error may hold what the requester must not know; it is in the dead letter.
    await publisher.reply(raw, subject, { performative: 'failure', data: { reason: 'failed' } });
    return isRead ? 'failed' : 'dead';
  }
  log.warn({ err: error, queue, type, id: raw.id, table: subject, attempt, retryInMs }, 'handler failed; the message is retried');
  if (canHold) return 'held';
  await transport.send({ queue: delayQueueOf(queue, retryInMs), parent: queue }, asNextAttempt(raw, attempt + 1, senderCheck.of(raw)));
  return 'retried';
}

export async function settleUnreadable(endpoint: Endpoint, received: Received, error: unknown): Promise<void> {
  if (!received.isRead) await deadLetter(endpoint, received, 'unreadable', error, 0);
  const detail = (error as Error).message.slice(0, 2000);
  await endpoint.publisher.reply(received.raw, received.subject, { performative: 'refuse', data: { reason: 'unreadable', detail } });
}

async function deadLetter(endpoint: Endpoint, { raw, queue, type }: Received, reason: DeadReason, cause: unknown, attempts: number) {
  const { service, transport, senderCheck, log } = endpoint;
  const error = cause instanceof Error ? cause.message : String(cause);
  const note = { reason, error, queue, at: endpoint.now(), attempts, sender: senderCheck.of(raw) };
  await transport.send({ queue: deadLetterQueueOf(queue), parent: queue }, asDeadLetter(raw, note));
  metrics.deadLetters.inc({ service, queue, reason });
  log.error({ err: cause, queue, type, id: raw.id, reason, attempts }, 'message dead-lettered');
}

/** Runs `work` in a span that continues the sender's trace. */
export function inProcessSpan(
  { service, transport }: Pick<Endpoint, 'service' | 'transport'>,
  { raw, queue, type, subject, attempt }: Received,
  work: () => Promise<void>,
): Promise<void> {
  const known = type === UNREADABLE ? undefined : type;
  const { name, attributes } = processSpan(transport, known, {
    raw,
    queue: queue === SUBSCRIPTION_QUEUE ? undefined : queue,
    subject,
    attempt,
  });
  return inSpan(service, name, { kind: 'consumer', parent: contextFromHeaders(raw.headers), attributes }, work);
}
