import { replyQueueOf, serviceQueues } from '@maw/bus/core/topology.ts';
import type { Destination, RawMessage } from '@maw/bus/core/transport.ts';
import type { Contract, Service } from '@maw/contracts/contract.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { longText, mutated, oddText, oddValue, wrongBytes } from './mutate.ts';

/** Names of existing things, so that messages pass the first checks. */
export interface Names {
  readonly tables: readonly string[];
  /** Questions that are open at the start, and rooms. */
  readonly questions: readonly string[];
  readonly rooms: readonly string[];
  readonly options: readonly string[];
  /** The address put into messages about model servers, so that nothing outside this machine is called. */
  readonly server: string;
}

/** A message and its queue or exchange, as plain data that can be printed and sent again. */
export interface RandomMessage {
  readonly n: number;
  /** The mutations. */
  readonly how: string;
  readonly to: Destination | { readonly queue: string };
  readonly parcel: RawMessage;
}

export const SERVICES: readonly Service[] = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'];
/** Reply queues by sending service; the same in every process, so that any process can send a message again. */
const REPLY_QUEUES: ReadonlyMap<string, string> = new Map(
  SERVICES.map((service, i) => [service, replyQueueOf(service, `00000000-0000-4000-8000-00000000000${i}`)]),
);
export const replyQueues: readonly string[] = [...REPLY_QUEUES.values()];

/** Other subjects; a fixed list, so that the number of tables and rooms stays bounded. */
const OTHER_TABLES: readonly string[] = [
  ...Array.from({ length: 8 }, (_, i) => `other-${i}`),
  '-',
  '__proto__',
  'a/b',
  'x'.repeat(60),
  'x'.repeat(200),
];
/** Other tables only: those that are played must go on. */
const STOPPING: ReadonlySet<string> = new Set(['table.pause', 'table.abort']);
/** Deadlines of requests; shorter for a model, which has a queue. */
const WAIT_MS = 20_000;
const MODEL_MS = 1_500;
/** Questions to seats end this soon, because a decision stays in flight until then. */
const MAX_UNTIL_MS = 300;

/** The `n`th message of a seed: always the same, except for times. */
export function randomMessage(seed: string, n: number, names: Names, now: number): RandomMessage {
  const dice = diceOf(seed, `letter ${n}`);
  const pick = <T>(of: readonly T[]): T => of[dice.below(of.length)]!;
  const contract = pick(contracts.all);
  const from = pick(contract.from);
  const about = {
    id: dice.below(10) ? `fuzz-${seed}-${n}` : `fuzz-${seed}-${Math.max(0, n - dice.below(50))}`,
    source: from,
    subject: dice.below(6) && !STOPPING.has(contract.name) ? pick(names.tables) : pick(OTHER_TABLES),
    at: now,
    replyBy: now + (contract.name.startsWith('llm.') ? MODEL_MS : WAIT_MS),
    ...(dice.below(3) ? {} : { sequence: dice.below(100) }),
  };
  const data = named(contract.example, { names, dice, now, contract });
  let message: Record<string, unknown> = {
    ...contracts.write(contract.name as 'llm.models', contract.example as Record<string, never>, about),
    data,
  };
  const done: string[] = [contract.name];
  const does = (what: string, times: number, change: () => void): void => {
    if (dice.below(100) >= times) return;
    done.push(what);
    change();
  };

  does('data', 45, () => (message['data'] = shortened(mutated(message['data'], dice), contract, now)));
  does('envelope', 20, () => (message = { ...message, ...envelopeOf(dice, now) }));
  does('whole', 5, () => (message = shortened(mutated(message, dice) ?? {}, contract, now) as Record<string, unknown>));
  let body = Buffer.from(JSON.stringify(message) ?? '');
  does('bytes', 8, () => (body = Buffer.from(wrongBytes(body.toString(), dice))));

  let user: string | undefined = from;
  does('user', 4, () => (user = pick([undefined, ...SERVICES, 'operator', 'nobody'])));
  let to: RandomMessage['to'] = { kind: contract.kind, key: contract.name };
  // Another service's queue, and the wrong exchange.
  does(
    'queue',
    5,
    () =>
      (to = dice.below(2)
        ? { queue: pick(serviceQueues).queue }
        : { kind: contract.kind === 'event' ? 'command' : 'event', key: contract.name }),
  );
  let asker: string | undefined = contract.reply && dice.below(10) ? REPLY_QUEUES.get(from) : undefined;
  does('asker', 3, () => (asker = pick([...replyQueues, 'nowhere', oddText(dice), undefined])));
  const headers: Record<string, unknown> = {};
  does('headers', 8, () => headersOf(headers, dice));
  const parcel: RawMessage = {
    body,
    id: dice.below(20) ? about.id : oddText(dice),
    type: dice.below(20) ? contract.name : oddText(dice),
    user,
    headers,
    ...(asker === undefined ? {} : { replyTo: asker, correlationId: dice.below(20) ? about.id : oddText(dice) }),
  };
  return { n, how: done.join(' '), to, parcel };
}

interface Naming {
  readonly names: Names;
  readonly dice: Dice;
  readonly now: number;
  readonly contract: Contract;
}

/** The example of a contract, with the names of existing things. */
function named(value: unknown, about: Naming, field = ''): unknown {
  const { names, dice, now } = about;
  const pick = <T>(of: readonly T[]): T => of[dice.below(of.length)]!;
  if (Array.isArray(value))
    return field === 'says' ? [pick([...names.options, 'I say so.', oddText(dice)])] : value.map((one) => named(one, about, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, named(inner, about, name)]));
  if (field === 'room') return pick(names.rooms);
  if (field === 'question' || (field === 'id' && about.contract.name === 'seat.decide')) return pick(names.questions);
  if (field === 'seat') return dice.below(7);
  if (field === 'line') return 1 + dice.below(12);
  if (field === 'until' && about.contract.name === 'seat.invited') return now + WAIT_MS;
  if (field === 'until' || field === 'alarm') return now + dice.below(MAX_UNTIL_MS);
  if (field === 'lobbyMs') return 86_400_000;
  if (field === 'rounds') return 1;
  if (field === 'kind' && about.contract.name === 'table.open') return 'person'; // minds would go on playing after the message
  if (field === 'recipe') return pick(['random', 'rules', 'algorithm-1', 'react']);
  if (field === 'model' && dice.below(3)) return about.contract.name === 'llm.embed' ? 'simulated-embed' : 'simulated';
  if ((field === 'server' || field === 'url') && typeof value === 'string') return names.server;
  if (field === 'changed') return dice.below(2); // older than any change that the gateway knows
  return value;
}

/** Shortens questions to seats, and replaces addresses outside this machine. */
function shortened(data: unknown, { name }: Contract, now: number): unknown {
  const text = JSON.stringify(data) ?? 'null';
  if (!/\b(10|192)\.|"until"/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (field, value: unknown) => {
    if (typeof value === 'string') return value.replaceAll(/\b(10|192)\.[\d.]+/g, '127.0.0.1');
    if (name === 'seat.decide' && field === 'until' && typeof value === 'number' && value > now) return now + MAX_UNTIL_MS;
    return value;
  });
}

function envelopeOf(dice: Dice, now: number): Record<string, unknown> {
  const pick = <T>(of: readonly T[]): T => of[dice.below(of.length)]!;
  const when = () =>
    pick(['', 'yesterday', '0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.001Z', now]);
  return [
    () => ({ dataversion: pick([0, -1, 2, 99, 1.5, '1', null, 2 ** 53]) }),
    () => ({ subject: pick([...OTHER_TABLES, oddText(dice), longText(dice), oddValue(dice)]) }),
    () => ({ source: pick([...SERVICES, 'nobody', oddText(dice)]) }),
    () => ({ type: pick([...contracts.all.map(({ name }) => name), 'table.act.reply', oddText(dice)]) }),
    () => ({ performative: pick(['request', 'inform', 'query-ref', 'agree', 'refuse', 'failure', 'cancel', '']) }),
    () => ({ time: when() }),
    () => ({ replyby: when() }),
    () => ({ replyby: new Date(now - dice.below(100_000)).toISOString() }),
    () => ({ id: pick([oddText(dice), longText(dice), oddValue(dice)]) }),
    () => ({ causeid: oddValue(dice), sequence: oddValue(dice) }),
    () => ({ specversion: pick(['1.0', '0.3', '', 1]), datacontenttype: pick(['application/json', 'text/plain']) }),
  ][dice.below(11)]!();
}

const HEADERS = ['x-attempt', 'x-answers', 'x-sender', 'x-reason', 'x-at', 'traceparent', 'tracestate', 'x-death', '__proto__'] as const;

function headersOf(headers: Record<string, unknown>, dice: Dice): void {
  const name = HEADERS[dice.below(HEADERS.length)]!;
  // Attempt counts decide on retries; nothing is retried here.
  const value = name === 'x-attempt' ? [-1, 0, 2, 1e9, '2', 'x'][dice.below(6)] : dice.below(2) ? oddText(dice) : oddValue(dice);
  Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
}

/** One line, as `--again` reads it. */
export const asData = ({ parcel, ...rest }: RandomMessage): string =>
  JSON.stringify({ ...rest, parcel: { ...parcel, body: parcel.body.toString('base64') } });

/** @throws SyntaxError when it is not a message */
export function fromData(line: string): RandomMessage {
  const { parcel, ...rest } = JSON.parse(line) as Omit<RandomMessage, 'parcel'> & { parcel: Omit<RawMessage, 'body'> & { body: string } };
  return { ...rest, parcel: { ...parcel, body: Buffer.from(parcel.body, 'base64') } };
}
