import { randomUUID } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Envelope } from '@maw/contracts/envelope.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { PermanentError } from '../bus.ts';
import { askedType, labelOf } from './parse.ts';
import { ANSWERS, asideExchangeOf, header, MAX_MESSAGE_BYTES } from './topology.ts';
import type { Destination, RawMessage, Transport } from './transport.ts';

export interface How {
  /** The answer is waited for. */
  readonly asks?: boolean;
  /** Not worth sending any more. */
  readonly signal?: AbortSignal;
  /** The span that it is sent in; the active one when not given. */
  readonly parent?: Context;
  /** Whoever asked by this parcel gets the answer. */
  readonly onBehalfOf?: RawMessage;
}

/** Sends messages and answers over a wire: checked, measured, and with the trace they belong to. */
export interface Publisher {
  /** @throws UnreadableMessage when no contract allows it; RangeError when it is too large */
  message(message: Message, how?: How): Promise<void>;
  /**
   * Answers whoever asked; does nothing when nobody did.
   * @throws PermanentError when the contract does not allow the answer
   */
  answer(asked: RawMessage, subject: string, reply: Reply): Promise<void>;
}

export function createPublisher({ wire, service, now }: { readonly wire: Transport; readonly service: string; now(): number }): Publisher {
  const send = (to: Destination, said: Envelope, body: Buffer, parcel: Partial<RawMessage>, how: How = {}): Promise<void> => {
    const { exchange, key } = placeOf(to);
    const attributes = {
      [attribute.messagingSystem]: wire.system,
      [attribute.messagingOperation]: 'send',
      [attribute.messagingName]: 'publish',
      [attribute.destination]: exchange,
      [attribute.routingKey]: key,
      [attribute.messageId]: said.id,
      [attribute.conversation]: parcel.correlationId ?? (how.asks ? said.id : undefined),
      [attribute.table]: said.subject === '-' ? undefined : said.subject,
    };
    return inSpan(service, span.send(said.type), { kind: 'producer', parent: how.parent, attributes }, async () => {
      const headers = { ...parcel.headers, ...traceHeaders() };
      await wire.send(to, { ...parcel, body, id: said.id, type: said.type, headers }, { asks: how.asks === true, signal: how.signal });
      metrics.messagesSent.inc({ service, type: labelOf(said.type), performative: said.performative });
    });
  };

  return {
    async message(message, how = {}) {
      contracts.read(message);
      const { kind } = contracts.get(message.type);
      const { replyTo, correlationId } = how.onBehalfOf ?? (how.asks ? { correlationId: message.id } : {});
      const answers = how.onBehalfOf && askedType(how.onBehalfOf);
      const headers = answers && answers !== message.type ? { [header.answers]: answers } : {};
      await send({ kind, type: message.type }, message, bytesOf(message), { replyTo, correlationId, headers }, how);
    },

    async answer(asked, subject, reply) {
      const type = askedType(asked);
      if (asked.replyTo === undefined || type === undefined) return;
      const about = { id: randomUUID(), source: service, subject, at: now(), causeid: asked.correlationId };
      const { said, body } = writeAnswer(type, reply, about);
      await send({ asker: asked.replyTo }, said, body, { correlationId: asked.correlationId });
    },
  };
}

function writeAnswer(type: string, reply: Reply, about: Parameters<typeof contracts.writeReply>[2]): { said: Envelope; body: Buffer } {
  try {
    const isKnown = labelOf(type) !== 'unknown';
    // A refusal has one shape for all, so that also what nobody here knows can be refused.
    const name = (isKnown ? type : contracts.all[0]!.name) as ContractName;
    const said = { ...contracts.writeReply(name, reply, about), type: `${type}.reply` };
    return { said, body: bytesOf(said) };
  } catch (cause) {
    throw new PermanentError(`the answer to ${type} cannot be sent: ${(cause as Error).message}`, { cause });
  }
}

function bytesOf(said: Envelope): Buffer {
  const body = Buffer.from(JSON.stringify(said));
  if (body.length > MAX_MESSAGE_BYTES)
    throw new RangeError(`${said.type} ${said.id} has ${body.length} bytes; at most ${MAX_MESSAGE_BYTES} are sent: say less`);
  return body;
}

function placeOf(to: Destination): { exchange: string; key: string } {
  if ('kind' in to) return { exchange: `${to.kind}s`, key: to.type };
  return 'queue' in to ? { exchange: asideExchangeOf(to.beside), key: to.queue } : { exchange: ANSWERS, key: to.asker };
}
