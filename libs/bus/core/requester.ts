import { type Context, context } from '@opentelemetry/api';
import { unlessAborted } from '@maw/async/abort.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import { RequestTimeout } from '../bus.ts';
import { processSpan } from '../message-span.ts';
import { jsonOf, senderLabelOf, typeLabelOf } from './parse.ts';
import type { Publisher } from './publisher.ts';
import type { SenderCheck } from './sender-check.ts';
import { ANSWERS } from './topology.ts';
import type { RawMessage, Transport } from './transport.ts';

export type Requester = ReturnType<typeof createRequester>;

interface RequesterOptions {
  readonly publisher: Publisher;
  readonly senderCheck: SenderCheck;
  readonly service: string;
  readonly transport: Pick<Transport, 'system' | 'server'>;
  now(): number;
  /** The time before the request is sent again for the first time, in milliseconds. */
  readonly resendMs: number;
}

interface State extends RequesterOptions {
  /** By message id. The same request may be made twice at a time; one reply resolves both. */
  readonly pending: Map<string, Set<PendingRequest>>;
  isClosed: boolean;
}

interface PendingRequest {
  readonly message: Message;
  readonly deadline: number;
  readonly reply: PromiseWithResolvers<Reply>;
  /** Aborted once the request has ended, so that it is not sent any more. */
  readonly ended: AbortController;
  readonly parent: Context;
  resendMs: number;
  /** The last sending is confirmed, and the next one not begun. */
  isSent: boolean;
  resendTimer?: NodeJS.Timeout;
  deadlineTimer?: NodeJS.Timeout;
}

/** Why publishing stops once a request has ended. Shared, because an abort without a reason creates an error with a stack. */
const REQUEST_ENDED = new Error('the request has ended');

/** The longest delay that setTimeout takes. */
const MAX_TIMER_MS = 2_147_483_647;

/** Sends requests and waits for their replies. A request without a reply is sent again, with the same id and after twice the time each time. */
export function createRequester(options: RequesterOptions) {
  const state: State = { ...options, pending: new Map(), isClosed: false };
  const all = () => [...state.pending.values()].flatMap((some) => [...some]);
  return {
    /** @throws TypeError when no reply can come; RequestTimeout; UnreadableMessage for the reply; the reason of the abort */
    request: (message: Message, signal: AbortSignal | undefined): Promise<Reply> => request(state, message, signal),
    onReply: (raw: RawMessage): void => receiveReply(state, raw),
    /** Sends all pending requests again: their replies may be lost. */
    resendAll: (): void => all().forEach((one) => resend(state, one)),
    /** Fails all pending requests, and later ones. */
    close(): void {
      state.isClosed = true;
      for (const { reply } of all()) reply.reject(closedError(state));
    },
  };
}

const closedError = ({ service }: State) => new Error(`the bus of ${service} is closed: no reply can arrive`);

async function request(state: State, message: Message, signal: AbortSignal | undefined): Promise<Reply> {
  const { id, type } = message;
  if (message.replyby === undefined) throw new TypeError(`${type} ${id} has no replyby: pass replyBy, the deadline for the reply`);
  if (!contracts.get(type).reply) throw new TypeError(`${type} has no reply: publish it`);
  if (state.isClosed) throw closedError(state);
  signal?.throwIfAborted();
  const one: PendingRequest = {
    message,
    deadline: Date.parse(message.replyby),
    reply: Promise.withResolvers<Reply>(),
    ended: new AbortController(),
    parent: context.active(),
    resendMs: state.resendMs,
    isSent: false,
  };
  const startedAt = performance.now();
  state.pending.set(id, (state.pending.get(id) ?? new Set()).add(one));
  watchDeadline(state, one);
  if (one.deadlineTimer) send(state, one, false);
  try {
    const reply = await (signal ? unlessAborted(one.reply.promise, signal) : one.reply.promise);
    metrics.answerSeconds.observe({ service: state.service, type }, (performance.now() - startedAt) / 1000);
    return reply;
  } finally {
    end(state, one);
  }
}

function end({ pending }: State, one: PendingRequest): void {
  one.ended.abort(REQUEST_ENDED);
  clearTimeout(one.resendTimer);
  clearTimeout(one.deadlineTimer);
  const { id } = one.message;
  const same = pending.get(id)!;
  same.delete(one);
  if (!same.size) pending.delete(id);
}

function send(state: State, one: PendingRequest, isRepeat: boolean): void {
  one.isSent = false;
  const sent = (): void => {
    if (one.ended.signal.aborted) return;
    one.isSent = true;
    one.resendTimer = setTimeout(() => resend(state, one), Math.min(one.resendMs, MAX_TIMER_MS)).unref();
    one.resendMs *= 2;
  };
  state.publisher
    .publish(one.message, { expectsReply: true, isRepeat, signal: one.ended.signal, parent: one.parent })
    .then(sent, one.reply.reject);
}

function resend(state: State, one: PendingRequest): void {
  if (!one.isSent) return;
  clearTimeout(one.resendTimer);
  metrics.resent.inc({ service: state.service, type: one.message.type });
  send(state, one, true);
}

/** Rejects the request at its deadline. Reads the clock again, as it may have been set. */
function watchDeadline(state: State, one: PendingRequest): void {
  const leftMs = one.deadline - state.now();
  const { id, type, replyby } = one.message;
  if (leftMs > 0) one.deadlineTimer = setTimeout(() => watchDeadline(state, one), Math.min(leftMs, MAX_TIMER_MS));
  else {
    metrics.unanswered.inc({ service: state.service, type });
    one.reply.reject(new RequestTimeout(`${type} ${id}: no reply until ${replyby}`));
  }
}

function receiveReply({ pending, service, transport, senderCheck }: State, raw: RawMessage): void {
  const requests = [...(pending.get(raw.correlationId ?? '') ?? [])];
  const type = typeLabelOf(raw.type);
  let sender = senderLabelOf(undefined); // a late reply is not parsed
  if (!requests.length) return metrics.messagesTaken.inc({ service, sender, type, outcome: 'late' });
  const { name, attributes } = processSpan(transport, type, { raw, exchange: ANSWERS });
  let outcome = 'done';
  const requestType = requests[0]!.message.type;
  const resolve = (): void => {
    const forgery = senderCheck.forgedReply(raw, requestType);
    if (forgery) {
      outcome = 'dropped'; // the real reply may still come
      return senderCheck.count(raw.type, forgery);
    }
    const json = jsonOf(raw);
    sender = senderLabelOf(json);
    for (const { message, reply } of requests) reply.resolve(contracts.readReply(message.type, json) as Reply);
  };
  inSpan(service, name, { kind: 'consumer', parent: contextFromHeaders(raw.headers), attributes }, resolve).then(
    () => metrics.messagesTaken.inc({ service, sender, type, outcome }),
    (error: unknown) => {
      metrics.messagesTaken.inc({ service, sender, type, outcome: 'unreadable' });
      for (const { reply } of requests) reply.reject(error);
    },
  );
}
