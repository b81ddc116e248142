import type { Contract, Service } from '@maw/contracts/contract.ts';
import {
  ANSWERS,
  asideExchangeOf,
  deadLetterQueueOf,
  BROADCAST_EVENTS,
  keyPatternOf,
  OPERATOR,
  queuesFor,
  queuesOf,
  type ServiceQueue,
} from '../core/topology.ts';

/** A RabbitMQ permission: regular expressions for the names of exchanges and queues. */
export interface Permission {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

/** Matches nothing that exists. Without a topic permission for an exchange RabbitMQ allows everything on it. */
const NOTHING = '^$';
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The broker users, each with the least permissions that the contracts need: a service sends what is `from` it, receives what is `to` it,
 * replies to its requesters, and declares temporary queues of its own. Only the operator reads and resends dead letters.
 */
export function usersFor(all: readonly Contract[]) {
  const services = [...new Set(all.flatMap(({ from, to }) => [...from, ...to]))].toSorted();
  const own = queuesFor(all);
  const queues = own.map(({ queue }) => queue);
  const topics = ['commands', 'events', ANSWERS].map((exchange) => ({ exchange, write: NOTHING, read: NOTHING }));
  const operator = {
    name: OPERATOR,
    tags: [],
    permission: {
      configure: NOTHING,
      write: only(queues.map(asideExchangeOf).map(literal)),
      read: only([...queues.map(deadLetterQueueOf), 'unrouted'].map(literal)),
    },
    topics,
  };
  const monitoring = {
    name: 'monitoring',
    tags: ['monitoring'],
    permission: { configure: NOTHING, write: NOTHING, read: NOTHING },
    topics,
  };
  return [...services.map((service) => userOf(service, all, own)), operator, monitoring];
}

function userOf(service: Service, all: readonly Contract[], queues: readonly ServiceQueue[]) {
  const said = (kind: Contract['kind']) => all.filter((one) => one.kind === kind && one.from.includes(service)).map(keyPatternOf);
  const rung = all.filter(({ name, to }) => BROADCAST_EVENTS.includes(name) && to.includes(service)).map(({ name }) => name);
  const asked = all.filter(({ to, reply }) => reply && to.includes(service)).flatMap(({ from }) => from);
  const [commands, events] = [said('command'), said('event')];
  const own = `(reply|tap)\\.${literal(service)}\\.${UUID}`;
  const queue = queues.find((one) => one.queue === service);
  return {
    name: service,
    /** Its roles in the management console. */
    tags: [] as string[],
    permission: {
      configure: only([own]),
      write: only([
        ...(commands.length > 0 ? ['commands'] : []),
        ...(events.length > 0 ? ['events'] : []),
        ...(asked.length > 0 ? [ANSWERS] : []),
        ...(queue ? [literal(asideExchangeOf(service))] : []),
        own,
      ]),
      read: only([...(queue ? queuesOf(queue).map(literal) : []), ...(rung.length > 0 ? ['events'] : []), ANSWERS, own]),
    },
    /** Routing keys that it may send to an exchange, or bind a queue to. */
    topics: [
      { exchange: 'commands', write: only(commands), read: NOTHING },
      { exchange: 'events', write: only(events), read: only(rung.map(literal)) },
      {
        exchange: ANSWERS,
        write: only([...new Set(asked)].toSorted().map((asker) => `reply\\.${literal(asker)}\\.${UUID}`)),
        // Every bus has a queue for answers, also of a service that never asks.
        read: only([`reply\\.${literal(service)}\\.${UUID}`]),
      },
    ],
  };
}

/** Exactly one of these. */
const only = (expressions: readonly string[]): string =>
  expressions.length === 0 ? NOTHING : expressions.length === 1 ? `^${expressions[0]}$` : `^(${expressions.join('|')})$`;

const literal = (text: string): string => text.replaceAll('.', '\\.');
