import type { Attributes } from '@opentelemetry/api';
import { contracts } from '@maw/contracts/contracts.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';

/** The name and attributes of a span about a message, by the conventions of OpenTelemetry for messaging and RabbitMQ (as of 1.43). */
export interface MessageSpan {
  readonly name: string;
  readonly attributes: Attributes;
}

/** The broker, or what stands for it in memory. */
interface Broker {
  readonly system: string;
  readonly server?: { readonly address: string; readonly port: number };
}

/** What is known of a message that is sent. */
interface Sent {
  readonly exchange: string;
  readonly key: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly conversation: string | undefined;
}

/** A message that is published: `publish commands:table.act`. A reply goes to a queue of one process; its span is named by its type. */
export function publishSpan({ system, server }: Broker, { exchange, key, id, type, subject, conversation }: Sent): MessageSpan {
  const isReply = isReplyType(type);
  const reply = `${exchange}:${type}`;
  return {
    name: span.publish(isReply ? reply : `${exchange}:${key}`),
    attributes: {
      [attribute.messagingSystem]: system,
      [attribute.messagingOperation]: 'send',
      [attribute.messagingName]: 'publish',
      [attribute.destination]: `${exchange}:${key}`,
      ...(isReply ? { [attribute.destinationTemplate]: reply, [attribute.isTemporary]: true } : {}),
      [attribute.routingKey]: key,
      [attribute.messageId]: id,
      [attribute.conversation]: conversation,
      [attribute.table]: tableOf(type, subject),
      ...at(server),
    },
  };
}

/**
 * A message that was delivered: `process commands:table.act:gamemaster`. Queues of one process, for events and replies, are left out.
 * @param type undefined when it cannot be read
 */
export function processSpan({ system, server }: Broker, type: string | undefined, taken: Taken): MessageSpan {
  const { raw, queue, subject, attempt } = taken;
  const { exchange = exchanges.get(type) } = taken;
  const destination = [exchange, type, queue].filter((part) => part !== undefined).join(':');
  return {
    name: span.process(destination),
    attributes: {
      [attribute.messagingSystem]: system,
      [attribute.messagingOperation]: 'process',
      [attribute.messagingName]: 'process',
      ...(queue === undefined
        ? { [attribute.destinationTemplate]: destination, [attribute.isTemporary]: true }
        : { [attribute.destination]: destination, [attribute.queue]: queue }),
      [attribute.attempt]: attempt,
      [attribute.messageId]: raw.id,
      [attribute.conversation]: raw.correlationId,
      [attribute.table]: type === undefined || subject === undefined ? undefined : tableOf(type, subject),
      ...at(server),
    },
  };
}

/** What is known of a message that was delivered. */
interface Taken {
  readonly raw: { readonly id?: string | undefined; readonly correlationId?: string | undefined };
  /** Where it was published; that of commands or events by its type when not given. */
  readonly exchange?: string;
  /** The queue of a service; undefined for one of this process. */
  readonly queue?: string | undefined;
  readonly subject?: string | undefined;
  readonly attempt?: number | undefined;
}

const at = (server: Broker['server']): Attributes => (server ? { [attribute.server]: server.address, [attribute.port]: server.port } : {});

const isReplyType = (type: string): boolean => type.endsWith('.reply');

const exchanges = new Map<string | undefined, string>(contracts.all.map(({ name, kind }) => [name, `${kind}s`]));

/** Subjects of these are contests, or the pool of model servers. */
const OF_NO_TABLE = /^(?:contest|service|tape)[.]|^llm[.](?:capacity|models|pool|status)\b/;

/** The table that a message is about, if it is about one. */
const tableOf = (type: string, subject: string): string | undefined => (subject === '-' || OF_NO_TABLE.test(type) ? undefined : subject);
