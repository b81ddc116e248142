import { randomUUID } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Envelope } from '@maw/contracts/envelope.ts';
import { checkBeforeSending, type MessageHead, type Reply } from '@maw/contracts/registry.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { PermanentError } from '../bus.ts';
import { requestTypeOf, typeLabelOf } from './parse.ts';
import { MAX_MESSAGE_BYTES } from './message-limits.ts';
import { publishSpan } from '../message-span.ts';
import { header } from './headers.ts';
import { ANSWERS, asideExchangeOf, routeFor, typeOfKey } from './topology.ts';
import type { Destination, RawMessage, Transport } from './transport.ts';

interface PublishOptions {
  /** The sender waits for the reply. */
  readonly expectsReply?: boolean;
  /** It was sent before. */
  readonly isRepeat?: boolean | undefined;
  /** Aborted when sending is no longer worthwhile. */
  readonly signal?: AbortSignal;
  /** The parent of the span; the active span when not given. */
  readonly parent?: Context;
  /** The reply goes to the sender of this request. */
  readonly onBehalfOf?: RawMessage;
}

export type Publisher = ReturnType<typeof createPublisher>;

interface Sender {
  readonly transport: Transport;
  readonly service: string;
  now(): number;
}

/** Sends messages and replies: validated, measured and traced. */
export const createPublisher = (sender: Sender) => ({
  /** @throws UnreadableMessage when it breaks its contract; RangeError when it is too large */
  async publish(message: Message, options: PublishOptions = {}): Promise<void> {
    checkBeforeSending(contracts, message);
    const { type } = message;
    const { kind } = contracts.get(type);
    const { replyTo, correlationId } = options.onBehalfOf ?? (options.expectsReply ? { correlationId: message.id } : {});
    const answers = options.onBehalfOf && requestTypeOf(options.onBehalfOf);
    const headers = answers && answers !== type ? { [header.answers]: answers } : {};
    const { key, canExpire } = routeFor(message, options.isRepeat);
    const expiresInMs = canExpire && message.replyby !== undefined ? Math.max(1, Date.parse(message.replyby) - sender.now()) : undefined;
    await send(sender, { kind, key }, message, { body: bytesOf(message), replyTo, correlationId, expiresInMs, headers }, options);
  },

  /**
   * Replies to a request; does nothing when it wants no reply.
   * @throws PermanentError when the reply breaks the contract
   */
  async reply(request: RawMessage, subject: string, reply: Reply): Promise<void> {
    const type = requestTypeOf(request);
    if (request.replyTo === undefined || type === undefined) return;
    const { correlationId } = request;
    const head = { id: randomUUID(), source: sender.service, subject, at: sender.now(), causeid: correlationId };
    const { envelope, body } = writeReply(type, reply, head);
    await send(sender, { replyQueue: request.replyTo }, envelope, { body, correlationId, headers: {} });
  },
});

function send(
  { transport, service }: Sender,
  to: Destination,
  { id, type, subject, performative }: Envelope,
  message: RawMessage,
  { expectsReply = false, signal, parent }: PublishOptions = {},
): Promise<void> {
  const { exchange, key } = routeOf(to);
  const { name, attributes } = publishSpan(transport, { exchange, key, id, type, subject, conversation: message.correlationId });
  return inSpan(service, name, { kind: 'producer', parent, attributes }, async () => {
    const headers = { ...message.headers, ...traceHeaders() };
    await transport.send(to, { ...message, id, type, headers }, { expectsReply, signal });
    metrics.messagesSent.inc({ service, type: typeLabelOf(type), performative });
  });
}

function writeReply(type: string, reply: Reply, head: MessageHead): { envelope: Envelope; body: Buffer } {
  try {
    // A refusal has the same shape for all types, so one of an unknown type can be refused too.
    const name = (typeLabelOf(type) === 'unknown' ? contracts.all[0]!.name : type) as ContractName;
    const envelope = { ...contracts.writeReply(name, reply, head), type: `${type}.reply` };
    return { envelope, body: bytesOf(envelope) };
  } catch (cause) {
    throw new PermanentError(`the reply to ${type} cannot be sent: ${(cause as Error).message}`, { cause });
  }
}

function bytesOf(message: Envelope): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > MAX_MESSAGE_BYTES)
    throw new RangeError(`${message.type} ${message.id} has ${body.length} bytes; the limit is ${MAX_MESSAGE_BYTES}`);
  return body;
}

/** For traces; a part of a divided queue is not in them. */
function routeOf(to: Destination): { exchange: string; key: string } {
  if ('kind' in to) return { exchange: `${to.kind}s`, key: typeOfKey(to.key) };
  return 'queue' in to ? { exchange: asideExchangeOf(to.parent), key: to.queue } : { exchange: ANSWERS, key: to.replyQueue };
}
