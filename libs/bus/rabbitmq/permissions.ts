import type { Contract, Service } from '@maw/contracts/contract.ts';
import { ANSWERS, asideExchangeOf, deadLetterQueueOf, BROADCAST_EVENTS, OPERATOR, queuesFor } from '../core/topology.ts';

/** What a user of the broker may do: expressions that the names of exchanges and queues must match, as RabbitMQ takes them. */
export interface Permission {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

/** What a user may send to an exchange, and what it may bind a queue of its own to: expressions for routing keys. */
export interface TopicPermission {
  readonly exchange: string;
  readonly write: string;
  readonly read: string;
}

export interface BrokerUser {
  readonly name: string;
  /** What it may see in the management console beyond that. */
  readonly tags: readonly string[];
  readonly permission: Permission;
  readonly topics: readonly TopicPermission[];
}

/** Nothing but the empty name, which nothing has. Where a user has no expression at all for an exchange of topics, RabbitMQ lets it do everything. */
const NOTHING = '^$';
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The users of a broker, each with no more than its contracts ask for: it says what is `from` it, hears what is `to` it, answers who may ask
 * it, and has queues of its own for as long as its connection lasts. Nobody but the operator reads dead letters or sends them again.
 */
export function usersFor(all: readonly Contract[]): readonly BrokerUser[] {
  const services = [...new Set(all.flatMap(({ from, to }) => [...from, ...to]))].toSorted();
  const queues = queuesFor(all).map(({ queue }) => queue);
  const topics = ['commands', 'events', ANSWERS].map((exchange) => ({ exchange, write: NOTHING, read: NOTHING }));
  const operator: BrokerUser = {
    name: OPERATOR,
    tags: [],
    permission: {
      configure: NOTHING,
      write: only(queues.map(asideExchangeOf).map(literal)),
      read: only([...queues.map(deadLetterQueueOf), 'unrouted'].map(literal)),
    },
    topics,
  };
  const monitoring: BrokerUser = {
    name: 'monitoring',
    tags: ['monitoring'],
    permission: { configure: NOTHING, write: NOTHING, read: NOTHING },
    topics,
  };
  return [...services.map((service) => userOf(service, all, queues)), operator, monitoring];
}

function userOf(service: Service, all: readonly Contract[], queues: readonly string[]): BrokerUser {
  const said = (kind: Contract['kind']) => all.filter((one) => one.kind === kind && one.from.includes(service)).map(({ name }) => name);
  const rung = all.filter(({ name, to }) => BROADCAST_EVENTS.includes(name) && to.includes(service)).map(({ name }) => name);
  const asked = all.filter(({ to, reply }) => reply && to.includes(service)).flatMap(({ from }) => from);
  const [commands, events] = [said('command'), said('event')];
  const own = `(reply|tap)\\.${literal(service)}\\.${UUID}`;
  const hasQueue = queues.includes(service);
  return {
    name: service,
    tags: [],
    permission: {
      configure: only([own]),
      write: only([
        ...(commands.length > 0 ? ['commands'] : []),
        ...(events.length > 0 ? ['events'] : []),
        ...(asked.length > 0 ? [ANSWERS] : []),
        ...(hasQueue ? [literal(asideExchangeOf(service))] : []),
        own,
      ]),
      read: only([...(hasQueue ? [literal(service)] : []), ...(rung.length > 0 ? ['events'] : []), ANSWERS, own]),
    },
    topics: [
      { exchange: 'commands', write: only(commands.map(literal)), read: NOTHING },
      { exchange: 'events', write: only(events.map(literal)), read: only(rung.map(literal)) },
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
