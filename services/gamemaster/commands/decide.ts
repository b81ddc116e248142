import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { type Bus, PermanentError } from '@maw/bus/bus.ts';
import { Conflict, type RecordedEvent, type Tapes } from '@maw/store/ports/tapes.ts';
import { delaysFor, isAwaitingConsumers } from '../timing/time-given-back.ts';
import { publishMessages } from '../messages/publish.ts';
import type { DerivedMessages } from '../messages/derive-messages.ts';
import type { HeartbeatMonitor } from '../timing/heartbeat.ts';
import { countEvents } from '../count-events.ts';
import { scoresOf } from '../tables/scores.ts';
import { type LoadedTable, resultOf, summaryOf, type TableCache } from '../tables/table-cache.ts';

export type NewEvents = readonly { readonly type: string }[];

/** What commands need besides the table. */
export interface CommandContext {
  readonly bus: Bus;
  readonly tapes: Tapes;
  readonly tables: TableCache;
  /** The games that can be played. */
  readonly sets: readonly RuleSet[];
  /** Knows the outages. */
  readonly heartbeat: HeartbeatMonitor;
  /** The time by which tables are played and deadlines of requests are set, milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** After this many consecutive conflicts the message goes back to its queue. */
const MAX_CONFLICTS = 20;
/** The longest wait after a conflict, in milliseconds. */
const MAX_WAIT_MS = 250;

/**
 * Runs a command: read, decide, append, publish what follows, then acknowledge.
 * A message whose id is a cause on the tape is not decided again: what followed from it is published again, with the same ids.
 * Time lost to an outage is given back first, in the same append. While nobody consumes the questions of a table, no alarm of it is settled and
 * no delay is written: an act is judged as if the time were given back. A delay would reveal when a secret act came.
 * A refusal or an empty decision stands only after everything other replicas wrote has been read, since no append would conflict.
 * Events are dated by one moment, never earlier than the last event: time at a table does not go back.
 * @param how the events at that moment, given the table; throws a Refusal when nothing may happen
 * @param answer the reply, given the table afterwards and the events the message caused
 */
export async function decide(
  context: CommandContext,
  message: Message,
  how: (loaded: LoadedTable, at: Instant) => NewEvents,
  answer: (loaded: LoadedTable, caused: readonly RecordedEvent[]) => Reply | void,
): Promise<Reply | void> {
  const table = message.subject;
  for (let tries = 0; ; tries++) {
    const loaded = await (tries ? context.tables.load(table) : context.tables.current(table)); // what is new was read before each further try
    const lost = await context.heartbeat.lostTime(); // after loading, which may take as long as the outage
    const { state } = loaded;
    if (state.causes.has(message.id)) {
      await publishMessages(context.bus, table, await context.tables.again(table, message.id));
      return answer(loaded, causedBy(loaded, message.id));
    }
    const known = state.tape.length;
    if (isLate(message, context.now())) {
      if ((await context.tables.fresh(table)).state.tape.length > known) continue;
      return; // not on the tape, and nobody waits for it
    }
    const at = Math.max(context.now(), state.tape.at(-1)?.at ?? 0);
    const isTick = message.type === 'table.tick';
    const isAwaiting = isAwaitingConsumers(state, lost, at);
    // An act in time needs no delay: the tick that follows every outage gives it. A pause does: what was lost before it is not seen after it.
    const isPause = message.type === 'table.pause';
    const delays = isTick || isPause || isDue(loaded, at) ? delaysFor(state, lost, at) : [];
    const events = orRefusal((): NewEvents => {
      if (isTick && isAwaiting) return [];
      const follow = how(delays.length ? ahead(loaded, delays) : loaded, at);
      return isAwaiting && !isPause ? follow : [...delays, ...follow];
    });
    if (events instanceof Refusal || !events.length) {
      if ((await context.tables.fresh(table)).state.tape.length > known) continue;
      if (events instanceof Refusal) throw events;
      return answer(loaded, []);
    }
    let outbox: DerivedMessages;
    const triedAt = context.now();
    try {
      outbox = await append(context, loaded, events, { cause: message.id, at });
    } catch (error) {
      if (!(error instanceof Conflict) || tries >= MAX_CONFLICTS) throw error;
      await context.sleep(waitAfterConflict(context.now() - triedAt, tries));
      await context.tables.fresh(table);
      continue;
    }
    await publishMessages(context.bus, table, outbox);
    return answer(loaded, causedBy(loaded, message.id));
  }
}

/**
 * How long to wait after a conflict, in milliseconds: for one to two appends, longer after each further one. Messages of a table come in bursts, and each
 * replica has some of them. Without a wait, whoever lost reads and decides again while the other one, which need not read, appends its next
 * event, and loses again.
 * @param appendMs how long the append in vain has taken
 */
const waitAfterConflict = (appendMs: number, tries: number): number =>
  Math.max(0, Math.min(MAX_WAIT_MS, appendMs * (1 + Math.random()) * (tries + 1)));

/** The id of this message was used by another one before. Permanent: a retry finds the same. */
export const otherMessage = (table: string): PermanentError =>
  new PermanentError(
    `what is on the tape of ${table} under the id of this message followed from another one: each message needs an id of its own`,
  );

/**
 * Whether the sender no longer waits for the answer. Late commands are still consumed: one that was appended before a crash must be finished,
 * since only its redelivery publishes what follows.
 */
export const isLate = ({ replyby }: Message, now: number): boolean => replyby !== undefined && Date.parse(replyby) < now;

const isDue = ({ state: { game, standing } }: LoadedTable, now: Instant): boolean => (game.wake(standing) ?? Infinity) <= now;

/** The table as it will be after some events. */
const ahead = (loaded: LoadedTable, events: NewEvents): LoadedTable => ({
  ...loaded,
  state: { ...loaded.state, standing: loaded.state.game.fold(events, loaded.state.standing) },
});

/** Appends events with alarm and summary, and applies them to the table. @throws Conflict */
async function append(
  context: CommandContext,
  loaded: LoadedTable,
  events: NewEvents,
  { cause, at }: Pick<RecordedEvent, 'cause' | 'at'>,
): Promise<DerivedMessages> {
  const { state } = loaded;
  const { game, table } = state;
  const { open } = state.standing;
  const after = state.tape.length;
  const standing = game.fold(events, state.standing);
  const result = resultOf({ game, standing });
  const batch = events.map((event, i): RecordedEvent => ({
    table,
    sequence: after + i + 1,
    at,
    cause,
    event: event as RecordedEvent['event'],
  }));
  try {
    await context.tapes.append(
      table,
      after,
      batch.map(({ event }) => event),
      {
        at,
        cause,
        wake: game.wake(standing),
        summary: summaryOf({ ...state, standing, tape: state.tape.length ? state.tape : batch }),
        ...(result ? { result, scores: scoresOf([...state.tape, ...batch].map(({ event }) => event)) } : {}),
      },
    );
  } catch (error) {
    // After a lost connection it is unknown whether the events were written: read the tape next time.
    if (!(error instanceof Conflict)) {
      context.tables.forget(table);
      context.heartbeat.appendFailed();
    }
    throw error;
  }
  const outbox = context.tables.grow(loaded, batch);
  countEvents(events, open, standing);
  return outbox;
}

const causedBy = ({ state }: LoadedTable, cause: string): readonly RecordedEvent[] => {
  const found = state.causes.get(cause);
  return found ? state.tape.slice(found.first - 1, found.last) : [];
};

function orRefusal<T>(of: () => T): T | Refusal {
  try {
    return of();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The reply of a refusal. */
export const refused = (reason: Refusal): Reply => ({
  performative: 'refuse',
  data: { reason: reason.reason, ...(reason.detail ? { detail: reason.detail } : {}) },
});
