import type { Contract } from '@maw/contracts/contract.ts';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';

/** Events that go to subscribers only and to no service queue. A receiver that misses one finds out by polling. */
export const BROADCAST_EVENTS: readonly string[] = [
  'table.moved',
  'room.line',
  'llm.capacity',
  'llm.pool',
  'service.alive',
  'tape.failed',
  'contest.moved',
];

/** Services of which only one replica at a time consumes; the others stand by. */
export const SINGLE_CONSUMER: readonly string[] = ['llm-gateway'];

/**
 * The service whose tables are divided among its replicas. Commands and reads of one table go to queues chosen by a hash of its id; each of these
 * queues has a replica that is served first. So as a rule one replica writes to a table, and only that one has it in memory.
 */
const DIVIDED = 'gamemaster';

/** Into how many parts the tables are divided. */
export const PARTS = 8;

/** Commands to that service which any replica may take as well as another: nobody has the table in memory, or none is meant. */
const OF_NO_PART: readonly string[] = ['table.open', 'table.list', 'table.leaderboard', 'table.recipes', 'table.check'];

/** The exchange for replies. */
export const ANSWERS = 'answers';

/** The broker user who manages dead letters. Its note of the original sender is trusted. */
export const OPERATOR = 'operator';

export const deadLetterQueueOf = (queue: string): string => `${queue}.dead`;
export const delayQueueOf = (queue: string, ms: number): string => `${queue}.after-${ms}`;

/** The exchange to the delay and dead-letter queues of a queue, and for resending dead letters to the queue itself. */
export const asideExchangeOf = (queue: string): string => `${queue}.aside`;

/** Queues of one connection. They contain the service's name, so that a broker user can be limited to its own. */
export const replyQueueOf = (service: string, id: string): string => `reply.${service}.${id}`;
export const subscriptionQueueOf = (service: string, id: string): string => `tap.${service}.${id}`;

/** A reply queue that never exists, of a service that this one may reply to: a message to it is confirmed and dropped. */
export const unusedReplyQueueOf = (service: string): string => {
  const asker = contracts.all.find(({ to, reply }) => reply !== undefined && (to as readonly string[]).includes(service))?.from[0];
  return replyQueueOf(asker ?? service, '00000000-0000-0000-0000-000000000000');
};

/** The service that owns a reply queue; undefined for a name that no bus writes. */
export const requesterOf = (replyTo: string): string | undefined => /(?:^|\.)reply\.([\w-]+)\.[\da-f-]{36}$/.exec(replyTo)?.[1];

/**
 * The queue of a service. It has the service's name, and exists before the service first starts. What is retried or sent again goes here, also when
 * it was in one of the parts: a replica that is suspended would hold it there.
 */
export interface ServiceQueue {
  readonly queue: string;
  /** The routing keys bound to it: the types of every command and event for the service, except broadcast events. */
  readonly types: readonly string[];
  readonly isSingle: boolean;
  readonly parts: readonly PartQueue[];
}

/** Another queue of a service, with the dead letters and retries of the first one. */
export interface PartQueue {
  readonly queue: string;
  /** The routing keys of its messages. */
  readonly keys: readonly string[];
  /** Which part of the tables it is for, from 0; undefined: all replicas take from it alike. */
  readonly part: number | undefined;
  /** Its messages are questions: they expire once nobody waits for the answer, and are never dead-lettered. */
  readonly isRead: boolean;
}

/** The part that a table belongs to, from 0: the FNV-1a hash of its id. */
export function partOf(table: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(table)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % PARTS;
}

const isDivided = ({ kind, to }: Contract): boolean => kind === 'command' && (to as readonly string[]).includes(DIVIDED);
const isRead = ({ performative }: Contract): boolean => performative === 'query-ref';

/**
 * The routing key of a message, and whether it may expire.
 * @param isRepeat it was sent before: the replica that is served first may be suspended, so all are asked
 */
export function routeFor({ type, subject }: Pick<Message, 'type' | 'subject'>, isRepeat = false): { key: string; canExpire: boolean } {
  const contract = contracts.get(type);
  if (!isDivided(contract)) return { key: type, canExpire: false };
  const canExpire = isRead(contract);
  if (OF_NO_PART.includes(type) || (isRepeat && canExpire)) return { key: `${type}.any`, canExpire };
  return { key: isRepeat ? type : `${type}.${partOf(subject)}`, canExpire };
}

/** Every routing key of a type: the type itself, and for a divided queue the type with a part. */
export const keysOf = (contract: Contract): readonly string[] => {
  const { name } = contract;
  return isDivided(contract) ? [name, `${name}.any`, ...Array.from({ length: PARTS }, (_, part) => `${name}.${part}`)] : [name];
};

/** The type of a message, of its routing key. */
export const typeOfKey = (key: string): string => key.split('.').slice(0, 2).join('.');

/** The same as a regular expression without anchors. */
export function keyPatternOf(contract: Contract): string {
  const name = contract.name.replaceAll('.', '\\.');
  return isDivided(contract) ? `${name}(\\.(any|[0-${PARTS - 1}]))?` : name;
}

function partsOf(queue: string, all: readonly Contract[]): readonly PartQueue[] {
  if (queue !== DIVIDED) return [];
  const divided = all.filter(isDivided);
  const named = (types: readonly Contract[], suffix: string | number) => types.map(({ name }) => `${name}.${suffix}`);
  const ofTables = divided.filter(({ name }) => !OF_NO_PART.includes(name));
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  const openings = divided.filter((one) => OF_NO_PART.includes(one.name) && !isRead(one));
  return [
    ...parts.map((part) => ({
      queue: `${queue}.part-${part}`,
      keys: named(
        ofTables.filter((one) => !isRead(one)),
        part,
      ),
      part,
      isRead: false,
    })),
    ...parts.map((part) => ({ queue: `${queue}.reads-${part}`, keys: named(ofTables.filter(isRead), part), part, isRead: true })),
    { queue: `${queue}.openings`, keys: named(openings, 'any'), part: undefined, isRead: false },
    { queue: `${queue}.reads`, keys: named(divided.filter(isRead), 'any'), part: undefined, isRead: true },
  ];
}

/** The queues that the contracts need. A service that receives broadcast events only has none. */
export function queuesFor(all: readonly Contract[]): readonly ServiceQueue[] {
  const queued = all.filter(({ name }) => !BROADCAST_EVENTS.includes(name));
  const services = [...new Set(queued.flatMap(({ to }) => to))].toSorted();
  return services.map((queue) => ({
    queue,
    types: queued.filter(({ to }) => to.includes(queue)).map(({ name }) => name),
    isSingle: SINGLE_CONSUMER.includes(queue),
    parts: partsOf(queue, all),
  }));
}

/** The names of a service's queues, without those for retries and dead letters. */
export const queuesOf = ({ queue, parts }: ServiceQueue): readonly string[] => [queue, ...parts.map((part) => part.queue)];

/** The queues of all services, whether they run or not. */
export const serviceQueues = queuesFor(contracts.all);

/** The queue of a service; another one that takes some types, whatever their routing keys. */
export const queueFor = (queue: string, types: readonly ContractName[], isSingle: boolean): ServiceQueue =>
  serviceQueues.find((one) => one.queue === queue) ?? {
    queue,
    types: types.flatMap((type) => keysOf(contracts.get(type))),
    isSingle,
    parts: [],
  };
