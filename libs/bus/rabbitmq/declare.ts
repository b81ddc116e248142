import type { Channel } from 'amqplib';
import { answersFor, exchangeOf, type Names, type Plan } from './plan.ts';
import { MAX_RETAINED } from '../core/topology.ts';

/** Makes what is planned, where it is not there yet. @throws Error as the broker says it, also where it is there and otherwise */
export async function declarePlan(channel: Channel, { exchanges, queues, bindings }: Plan): Promise<void> {
  for (const { name, type, arguments: args } of exchanges) await channel.assertExchange(name, type, { durable: true, arguments: args });
  for (const { name, arguments: args } of queues) await channel.assertQueue(name, { durable: true, arguments: args });
  for (const { queue, exchange, key } of bindings) await channel.bindQueue(queue, exchange, key);
}

/** Looks whether what is planned is there, without making anything. @throws Error that names the first that is not */
export async function checkPlan(channel: Channel, { exchanges, queues }: Plan): Promise<void> {
  const isThere = async (what: string, name: string, check: () => Promise<unknown>): Promise<void> => {
    try {
      await check();
    } catch (cause) {
      const { code } = cause as { code?: number };
      if (code !== 404) throw cause;
      const says = `${what} ${name} is not on the broker, and AMQP_DECLARE=no: import infra/rabbitmq/definitions.json, or let a user declare it who may`;
      throw Object.assign(new Error(says, { cause }), { code });
    }
  };
  for (const { name } of exchanges) await isThere('the exchange', name, () => channel.checkExchange(name));
  for (const { name } of queues) await isThere('the queue', name, () => channel.checkQueue(name));
}

/** A queue of ours alone, that goes with the connection. It hears these types. */
export async function declareTapQueue(channel: Channel, name: string, types: readonly string[], names: Names): Promise<string> {
  await declareOwn(channel, name);
  for (const type of types) await channel.bindQueue(name, exchangeOf(type, names), type);
  return name;
}

/** The same for answers to us: they are sent to its name. */
export async function declareReplyQueue(channel: Channel, name: string, names: Names): Promise<string> {
  await declareOwn(channel, name);
  await channel.bindQueue(name, answersFor(names), name);
  return name;
}

const declareOwn = (channel: Channel, name: string) =>
  channel.assertQueue(name, { exclusive: true, durable: false, autoDelete: true, arguments: { 'x-max-length': MAX_RETAINED } });
