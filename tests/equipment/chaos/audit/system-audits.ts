import type { RecordedRequest } from './request-recorder.ts';
import type { Findings } from './table-audits.ts';

/** A span of time in which something was wrong, and with which services; all when undefined. Milliseconds since the epoch. */
export interface Trouble {
  readonly from: number;
  readonly to: number;
  readonly services: readonly string[] | undefined;
}

/** After trouble everybody needs a while: connections come back within 5 s, the dead are started again within 10 s, and what failed is tried again. */
export const RECOVERY_MS = 20_000;

/** Whoever waits for less may be late on a busy machine. It is also longer than it takes, 5 s, until a request is sent again. */
const LONG_MS = 8_000;

/** Where half of the answers take longer, the machine is too busy to tell a lost request from a slow one. */
const BUSY_MS = 1_000;

/**
 * Every request is answered, or nobody waits for it any more. Whoever waits long and is let alone all the time is answered; and whoever waits
 * long and is not answered asks again.
 * @param all also the requests about other tables: they show how quick answers were meanwhile
 */
export const answeredOrLate = (
  asked: readonly RecordedRequest[],
  troubles: readonly Trouble[],
  all: readonly RecordedRequest[] = asked,
): Findings =>
  asked.flatMap(({ id, type, table, by, sent, until, heard }) => {
    const [first] = sent;
    if (heard.length || !first || until - first.at < LONG_MS || isBusy(all, { from: first.at, to: until })) return [];
    const during = troubles.filter(({ from, to }) => first.at < to + RECOVERY_MS && from < until);
    const isCalm = !during.length;
    const isAsker = during.some(({ services }) => services === undefined || services.includes(by));
    if (!isCalm && (isAsker || sent.length > 1)) return [];
    const times = `sent ${sent.map(({ at }) => clock(at)).join(', ')}, waited for until ${clock(until)}`;
    return [
      `${table}: ${type} ${id} of ${by} was not answered, ${isCalm ? 'though nothing went wrong' : 'and not asked again'} (${times})`,
    ];
  });

/** Whether half of the answers in a span of time took long. Those of models do in any case. */
function isBusy(all: readonly RecordedRequest[], { from, to }: Pick<Trouble, 'from' | 'to'>): boolean {
  const tookMs = all.flatMap(({ type, sent: [first], heard: [answered] }) =>
    first && answered && first.at < to && answered > from && !type.startsWith('llm.') ? [answered - first.at] : [],
  );
  return tookMs.filter((ms) => ms > BUSY_MS).length > tookMs.length / 2;
}

const clock = (at: number): string => new Date(at).toISOString().slice(11, 23);

/** A queue, and how many messages lie in it. */
export interface QueueLength {
  readonly queue: string;
  readonly messages: number;
  /** Each of them, where it was looked at. */
  readonly which?: readonly string[];
}

/** Nothing waits anywhere. */
export const queuesEmpty = (queues: readonly QueueLength[]): Findings =>
  queues.flatMap(({ queue, messages, which = [] }) => (messages ? [[`${messages} messages lie in ${queue}`, ...which].join('; ')] : []));

/**
 * The dead letters are those that were planted. `queue: body`. One may lie there twice: whoever has buried a letter and dies before it can say so
 * leaves it to another, who buries it again.
 */
export const onlyPlantedDead = (dead: readonly string[], planted: readonly string[]): Findings => [
  ...dead.filter((one) => !planted.includes(one)).map((one) => `a dead letter that nobody planted: ${one.slice(0, 400)}`),
  ...planted.filter((one) => !dead.includes(one)).map((one) => `a dead letter is missing: ${one}`),
];

/** What a gateway says of itself, as far as slots go. */
export interface Slots {
  readonly servers: readonly { readonly server: string; readonly state: string; readonly slots: number; readonly busy: number }[];
  readonly waiting: { readonly critical: number; readonly talk: number; readonly background: number };
}

/** All slots are there and idle, nobody waits. */
export function slotsWhole({ servers, waiting }: Slots, should: { readonly servers: number; readonly slots: number }): Findings {
  const waits = waiting.critical + waiting.talk + waiting.background;
  return [
    ...(servers.length === should.servers ? [] : [`the gateway knows ${servers.length} model servers, there are ${should.servers}`]),
    ...servers.flatMap(({ server, state, slots, busy }) => [
      ...(state === 'up' ? [] : [`the gateway takes ${server} to be ${state}`]),
      ...(slots === should.slots ? [] : [`the gateway uses ${slots} slots of ${server}, which has ${should.slots}`]),
      ...(busy ? [`${busy} slots of ${server} are busy, and nobody asks for anything`] : []),
    ]),
    ...(waits ? [`${waits} requests wait at the gateway, and nobody asks for anything`] : []),
  ];
}

/** How a process ended, and whether the storm had just ended it. */
export interface Death {
  readonly process: string;
  /** As `keepRunning` says it: `SIGKILL`, `exit 1`. */
  readonly how: string;
  readonly wasExpected: boolean;
}

/** Nobody died but who was killed, or asked to end. */
export const noneDiedAlone = (deaths: readonly Death[]): Findings =>
  deaths.flatMap(({ process, how, wasExpected }) => (wasExpected ? [] : [`${process} died by itself: ${how}`]));
