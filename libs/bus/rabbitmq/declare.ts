import type { Channel } from 'amqplib';
import { MAX_RETAINED } from '../core/message-limits.ts';
import { typeOfKey } from '../core/topology.ts';
import { exchangeForType, type Names, replyExchange, type Topology } from './broker-topology.ts';

/** Declares what does not exist yet. @throws the broker's error, also when something exists with other arguments */
export async function declareTopology(channel: Channel, { exchanges, queues, bindings }: Topology): Promise<void> {
  for (const { name, type, arguments: args } of exchanges) await channel.assertExchange(name, type, { durable: true, arguments: args });
  for (const { name, arguments: args } of queues) await channel.assertQueue(name, { durable: true, arguments: args });
  for (const { queue, exchange, key } of bindings) await channel.bindQueue(queue, exchange, key);
}

/** Checks that exchanges and queues exist, without declaring anything. @throws Error that names the first missing one */
export async function checkTopology(channel: Channel, { exchanges, queues }: Topology): Promise<void> {
  const mustExist = async (what: string, check: () => Promise<unknown>): Promise<void> => {
    try {
      await check();
    } catch (cause) {
      const { code } = cause as { code?: number };
      if (code !== 404) throw cause;
      const message = `${what} is not on the broker, and AMQP_DECLARE=no: import infra/rabbitmq/definitions.json, or declare it as a user who may`;
      throw Object.assign(new Error(message, { cause }), { code });
    }
  };
  for (const { name } of exchanges) await mustExist(`the exchange ${name}`, () => channel.checkExchange(name));
  for (const { name } of queues) await mustExist(`the queue ${name}`, () => channel.checkQueue(name));
}

/** Declares a queue for this connection alone, bound to these routing keys. Returns its name. */
export async function declareSubscriptionQueue(channel: Channel, name: string, keys: readonly string[], names: Names): Promise<string> {
  await declareExclusive(channel, name);
  for (const key of keys) await channel.bindQueue(name, exchangeForType(typeOfKey(key), names), key);
  return name;
}

/** Declares a queue for this connection alone, bound to its own name on the exchange for replies. Returns its name. */
export async function declareReplyQueue(channel: Channel, name: string, names: Names): Promise<string> {
  await declareExclusive(channel, name);
  await channel.bindQueue(name, replyExchange(names), name);
  return name;
}

const declareExclusive = (channel: Channel, name: string) =>
  channel.assertQueue(name, { exclusive: true, durable: false, autoDelete: true, arguments: { 'x-max-length': MAX_RETAINED } });
