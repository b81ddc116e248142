import type { Contract, Service } from '@maw/contracts/contract.ts';
import { envelope, refusal } from '@maw/contracts/envelope.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { createRegistry } from '@maw/contracts/registry.ts';

type Json = { readonly [key: string]: unknown };
const AMQP = '0.3.0';

/** A reply goes to the queue that the request names. */
const REPLY_ADDRESS = { location: '$message.header#/replyTo', description: 'The AMQP property reply-to of the request.' };

/**
 * The bus as an AsyncAPI 3.0.0 document: a channel per contract, an operation per sender and receiver. Deterministic.
 * @param version of the platform
 */
export function asyncApi(contracts: readonly Contract[], version: string): Json {
  const answered = contracts.filter(({ reply }) => reply);
  return {
    asyncapi: '3.0.0',
    id: 'urn:maw:bus',
    info: {
      title: 'MAW',
      version,
      description: 'All messages between the services of MAW. Generated from libs/contracts; do not edit.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      broker: { host: '127.0.0.1:5672', protocol: 'amqp', protocolVersion: '0.9.1', description: 'RabbitMQ, at AMQP_URL.' },
    },
    channels: { ...byName(contracts, channel), ...byName(answered, replyChannel, replyName) },
    operations: Object.fromEntries(contracts.flatMap(operations)),
    components: {
      messages: {
        ...byName(contracts, message),
        ...byName(answered, replyMessage, replyName),
        refusal: refusalMessage,
      },
      schemas: {
        envelope: jsonSchemaOf(envelope, 'envelope'),
        refusal: jsonSchemaOf(refusal, 'refusal'),
        ...byName(contracts, ({ name, data }) => jsonSchemaOf(data, name)),
        ...byName(answered, ({ name, reply }) => jsonSchemaOf(reply!, `${name}.reply`), replyName),
      },
    },
  };
}

const replyName = ({ name }: Contract): string => `${name}.reply`;
const byName = (contracts: readonly Contract[], make: (contract: Contract) => unknown, key = ({ name }: Contract) => name): Json =>
  Object.fromEntries(contracts.map((contract) => [key(contract), make(contract)]));
const ref = (path: string) => ({ $ref: `#/${path}` });

const channel = ({ name, kind, summary }: Contract): Json => ({
  address: name,
  summary,
  servers: [ref('servers/broker')],
  messages: { [name]: ref(`components/messages/${name}`) },
  bindings: {
    amqp: {
      is: 'routingKey',
      exchange: { name: kind === 'command' ? 'commands' : 'events', type: 'topic', durable: true, autoDelete: false },
      bindingVersion: AMQP,
    },
  },
});

/** Each process receives its replies on a queue of its own. */
const replyChannel = (contract: Contract): Json => ({
  address: null,
  summary: `Replies to ${contract.name}.`,
  servers: [ref('servers/broker')],
  messages: { [replyName(contract)]: ref(`components/messages/${replyName(contract)}`), refusal: ref('components/messages/refusal') },
  bindings: { amqp: { is: 'queue', queue: { durable: false, exclusive: true, autoDelete: true }, bindingVersion: AMQP } },
});

function operations(contract: Contract): readonly (readonly [string, Json])[] {
  const { name, kind, from, to, summary } = contract;
  const reply = contract.reply && {
    reply: {
      address: REPLY_ADDRESS,
      channel: ref(`channels/${replyName(contract)}`),
      messages: [
        ref(`channels/${replyName(contract)}/messages/${replyName(contract)}`),
        ref(`channels/${replyName(contract)}/messages/refusal`),
      ],
    },
  };
  const operation = (action: 'send' | 'receive') => (service: Service) =>
    [
      `${service}.${action}.${name}`,
      {
        action,
        channel: ref(`channels/${name}`),
        summary,
        tags: [{ name: service }],
        messages: [ref(`channels/${name}/messages/${name}`)],
        bindings: {
          amqp:
            action === 'send'
              ? { deliveryMode: 2, mandatory: kind === 'command', bindingVersion: AMQP }
              : { ack: true, bindingVersion: AMQP },
        },
        ...reply,
      },
    ] as const;
  return [...from.map(operation('send')), ...to.map(operation('receive'))];
}

const message = (contract: Contract): Json => {
  const { name, summary, version, performative, example, reply } = contract;
  return {
    name,
    title: name,
    summary,
    ...(reply ? { headers: replyTo } : {}),
    correlationId: { location: '$message.payload#/id', description: 'A reply has it as causeid.' },
    payload: payload({ type: { const: name }, dataversion: { const: version }, performative: { const: performative } }, name),
    examples: [{ name: 'example', payload: sampleOf(contract, example) }],
  };
};

const replyMessage = (contract: Contract): Json => ({
  name: replyName(contract),
  title: replyName(contract),
  summary: `A successful reply to ${contract.name}.`,
  correlationId,
  payload: payload({ type: { const: replyName(contract) }, performative: { enum: ['agree', 'inform'] } }, replyName(contract)),
  examples: [{ name: 'example', payload: sampleReplyOf(contract) }],
});

const refusalMessage = {
  name: 'refusal',
  title: 'refusal',
  summary: 'Why a request was refused, or failed.',
  correlationId: { location: '$message.payload#/causeid', description: 'The id of the request.' },
  payload: payload({ type: { type: 'string', pattern: '\\.reply$' }, performative: { enum: ['refuse', 'failure'] } }, 'refusal'),
};
const { correlationId } = refusalMessage;

const replyTo: JsonSchema = {
  type: 'object',
  properties: {
    replyTo: { type: 'string', description: 'The queue for the reply (AMQP property reply-to); absent when no reply is wanted.' },
  },
};

function payload(properties: { readonly [name: string]: JsonSchema }, schema: string): Json {
  return {
    allOf: [
      ref('components/schemas/envelope'),
      { type: 'object', required: ['data'], properties: { ...properties, data: ref(`components/schemas/${schema}`) } },
    ],
  };
}

const AT = Date.UTC(2026, 0, 1);
const TABLE_FREE: ReadonlySet<string> = new Set([
  'table.list',
  'table.rules',
  'table.leaderboard',
  'table.recipes',
  'table.check',
  'llm.models',
  'contest.list',
  'agents.servers',
]);

/** A table, a contest, or neither. */
const subjectOf = ({ name }: Contract): string => (TABLE_FREE.has(name) ? '-' : name.startsWith('contest.') ? 'spring' : 't1');

/** The example of a contract as a whole message. */
export const sampleOf = (contract: Contract, data: unknown = contract.example): unknown =>
  createRegistry(contract).write(contract.name, data as never, {
    id: 'm1',
    source: contract.from[0]!,
    subject: subjectOf(contract),
    at: AT,
    ...(contract.reply ? { replyBy: AT + 10_000 } : {}),
  });

/** The example of its reply as a whole message. */
const sampleReplyOf = (contract: Contract): unknown =>
  createRegistry(contract).writeReply(
    contract.name,
    { performative: contract.performative === 'query-ref' ? 'inform' : 'agree', data: contract.replyExample },
    { id: 'm2', source: contract.to[0]!, subject: subjectOf(contract), at: AT, causeid: 'm1' },
  );
