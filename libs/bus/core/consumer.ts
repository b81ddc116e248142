import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, context } from '@opentelemetry/api';
import { type KeyedQueue, keyedQueue } from '@maw/async/keyed-queue.ts';
import { type Semaphore, semaphore } from '@maw/async/semaphore.ts';
import type { ContractName, Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import type { ConsumeOptions, Delivery, Handler } from '../bus.ts';
import type { OpenConsumer } from './consumer-group.ts';
import { DEAD_REASONS } from './dead-letter.ts';
import { header } from './headers.ts';
import { type InFlight, trackInFlight } from './in-flight.ts';
import { attemptOf, messageOf, senderLabelOf } from './parse.ts';
import { FORGERIES } from './sender-check.ts';
import {
  type Endpoint,
  forward,
  inProcessSpan,
  isLate,
  type Outcome,
  type Received,
  sendReply,
  settleError,
  settleRefusal,
  settleUnreadable,
  UNREADABLE,
} from './settlement.ts';
import { type PartQueue, queueFor } from './topology.ts';
import type { RawDelivery, RawMessage } from './transport.ts';

/** With `inOrder`, a retry due within this time, in milliseconds, blocks its subject; a later one lets the subject's other messages pass. */
export const MAX_IN_PLACE_RETRY_MS = 1_000;

interface Consumer<N extends ContractName> {
  readonly endpoint: Endpoint;
  readonly queue: string;
  readonly types: readonly N[];
  readonly options: ConsumeOptions;
  readonly handle: Handler<N>;
  readonly inFlight: InFlight;
  readonly bySubject: KeyedQueue;
  readonly limited: Semaphore;
}

/** Handles messages from a queue until it is stopped or drained. */
export async function openConsumer<N extends ContractName>(
  endpoint: Endpoint,
  { queue, types, options, handle }: Pick<Consumer<N>, 'queue' | 'types' | 'options' | 'handle'>,
): Promise<OpenConsumer> {
  const { concurrency: prefetch, isSingle = false } = options;
  const inFlight = trackInFlight(endpoint.graceMs);
  const bySubject = keyedQueue();
  const consumer: Consumer<N> = { endpoint, queue, types, options, handle, inFlight, bySubject, limited: semaphore(prefetch) };
  const service = [endpoint.service];
  startAtZero(metrics.deadLetters, { service, queue: [queue], reason: DEAD_REASONS });
  startAtZero(metrics.forged, { service, type: [...types, UNREADABLE], reason: FORGERIES });
  const priorityOf = ({ part }: PartQueue): number => (part === undefined ? 0 : (options.preference?.priorityOf(part) ?? 0));
  const queueOptions = { ...queueFor(queue, types, isSingle), prefetch, delaysMs: [...new Set(endpoint.retryMs)], priorityOf };
  const opened = await endpoint.transport.consume(queueOptions, (delivery) => {
    const notSettled = (err: unknown): void => endpoint.log.error({ err, queue }, 'message could not be settled; it will be redelivered');
    inFlight.track(receive(consumer, delivery).catch(notSettled));
  });
  const stopListening = options.preference?.onChange(() => void opened.reprioritize());
  inFlight.stopping.addEventListener('abort', () => stopListening?.());
  return { stop: () => inFlight.stop(opened), cancel: () => inFlight.cancel(opened), drain: () => inFlight.drain(opened) };
}

async function receive<N extends ContractName>(consumer: Consumer<N>, delivery: RawDelivery): Promise<void> {
  let message: Message<N>;
  try {
    message = messageOf(delivery.raw, consumer.types);
  } catch (error) {
    return receiveUnreadable(consumer, delivery, error);
  }
  if (dropForged(consumer, delivery, message)) return;
  observeWait(consumer, delivery.raw, message);
  const run = () => runAttempts(consumer, message, delivery);
  await (consumer.options.inOrder ? consumer.bySubject(message.subject, run) : run());
}

/** A copy for a retry, and what another consumer has had before, did not wait for all of its age. */
function observeWait<N extends ContractName>(
  { endpoint: { service, now }, queue }: Consumer<N>,
  { headers }: RawMessage,
  { time }: Message,
): void {
  if (headers[header.attempt] !== undefined || headers['x-delivery-count'] !== undefined) return;
  metrics.messageWait.observe({ service, queue }, Math.max(0, now() - Date.parse(time)) / 1000);
}

async function receiveUnreadable<N extends ContractName>(consumer: Consumer<N>, delivery: RawDelivery, error: unknown): Promise<void> {
  if (dropForged(consumer, delivery, undefined)) return;
  const { endpoint, queue } = consumer;
  const { raw, part } = delivery;
  const received: Received = { raw, queue, isRead: part?.isRead ?? false, subject: '-', type: UNREADABLE, isForwarded: false };
  let isSettled = false;
  const settle = async (): Promise<void> => {
    await settleUnreadable(endpoint, received, error);
    isSettled = true;
    throw error; // for the span
  };
  await inProcessSpan(endpoint, received, settle).catch((thrown: unknown) => {
    if (!isSettled) throw thrown;
  });
  metrics.messagesTaken.inc({ service: endpoint.service, sender: senderLabelOf(undefined), type: UNREADABLE, outcome: 'dead' });
  delivery.ack();
}

/** Whether the message was dropped because its sender is forged. It is not dead-lettered: a forger could fill the disk. */
function dropForged<N extends ContractName>(
  { endpoint: { service, senderCheck, log }, queue }: Consumer<N>,
  { raw, ack }: RawDelivery,
  message: Message<N> | undefined,
): boolean {
  const forgery = senderCheck.forgery(raw, message);
  if (!forgery) return false;
  const type = message?.type ?? UNREADABLE;
  senderCheck.count(type, forgery);
  metrics.messagesTaken.inc({ service, sender: senderLabelOf(message), type, outcome: 'dropped' });
  log.warn({ queue, type, id: raw.id, forgery, source: message?.source, sender: senderCheck.of(raw) }, 'forged message dropped');
  ack();
  return true;
}

/** All attempts that are made in this process, until the message is settled. */
async function runAttempts<N extends ContractName>(consumer: Consumer<N>, message: Message<N>, delivery: RawDelivery): Promise<void> {
  const { inFlight, queue, limited } = consumer;
  const { service, retryMs } = consumer.endpoint;
  const { subject, type } = message;
  const startedAt = performance.now();
  const trace = { last: context.active() };
  for (let attempt = attemptOf(delivery.raw); ; attempt++) {
    const retryInMs = retryMs[attempt - 1];
    const isRead = delivery.part?.isRead ?? false;
    const received = { raw: delivery.raw, queue, isRead, subject, type, attempt, retryInMs, isForwarded: false };
    const outcome = await limited(async () => (inFlight.stopping.aborted ? 'returned' : runAttempt(consumer, message, received, trace)));
    if (outcome === 'returned') return delivery.requeue();
    metrics.messagesTaken.inc({ service, sender: senderLabelOf(message), type, outcome: outcome === 'held' ? 'retried' : outcome });
    if (outcome !== 'held') {
      delivery.ack();
      const seconds = (performance.now() - startedAt) / 1000;
      // The span has ended; its context gives the measurement its exemplar.
      context.with(trace.last, () => metrics.messageSeconds.observe({ service, type }, seconds));
      return;
    }
    await sleep(Math.min(retryInMs ?? 0, MAX_IN_PLACE_RETRY_MS), undefined, { ref: false, signal: inFlight.stopping }).catch(
      () => undefined,
    );
  }
}

async function runAttempt<N extends ContractName>(
  { endpoint, options, handle, inFlight }: Consumer<N>,
  message: Message<N>,
  received: Received & { readonly attempt: number },
  trace: { last: Context },
): Promise<Outcome> {
  const late = isLate(message, endpoint.now());
  if (late && (received.isRead || !options.takesLate)) return 'late';
  const { attempt } = received;
  const delivery: Delivery = {
    attempt,
    sender: endpoint.senderCheck.serviceOf(received.raw, message),
    signal: inFlight.expired,
    forward: (next) => forward(endpoint, received, next),
  };
  let outcome: Outcome | undefined;
  const run = async (): Promise<void> => {
    trace.last = context.active();
    try {
      const reply = await handle(message, delivery);
      if (reply && !inFlight.expired.aborted) await sendReply(endpoint, received, reply);
      outcome = inFlight.expired.aborted ? 'returned' : late && !reply ? 'late' : 'done';
    } catch (error) {
      if (inFlight.expired.aborted) outcome = 'returned';
      else if (error instanceof Refusal) outcome = await settleRefusal(endpoint, received, error);
      else outcome = await settleError(endpoint, received, error, canHold(options, received));
      throw error; // for the span
    }
  };
  await inProcessSpan(endpoint, received, run).catch((error: unknown) => {
    if (outcome === undefined) throw error;
  });
  return outcome ?? 'returned';
}

const canHold = ({ inOrder = false }: ConsumeOptions, { isRead, retryInMs = Number.POSITIVE_INFINITY }: Received): boolean =>
  isRead || (inOrder && retryInMs <= MAX_IN_PLACE_RETRY_MS);
