import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Instant, Open } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { type Bus, PermanentError } from '@maw/bus/bus.ts';
import { Conflict, type RecordedEvent, type Tapes } from '@maw/store/ports/tapes.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { delaysFor } from '../timing/delays.ts';
import { publishMessages } from '../messages/publish.ts';
import type { DerivedMessages } from '../messages/derive-messages.ts';
import type { HeartbeatMonitor } from '../timing/heartbeat.ts';
import { type LoadedTable, resultOf, summaryOf, type TableCache } from '../tables/table-cache.ts';

export type NewEvents = readonly { readonly type: string }[];

/** What deciding needs besides the table. */
export interface CommandContext {
  readonly bus: Bus;
  readonly tapes: Tapes;
  readonly tables: TableCache;
  /** The games that can be played. */
  readonly sets: readonly RuleSet[];
  /** When nobody could decide anything. */
  readonly heart: HeartbeatMonitor;
  /** The time by which tables are played, milliseconds since the epoch. */
  now(): number;
  /** The clock of this machine, by which it is told whether an asker still waits: askers go by theirs, and not by that of the tables. */
  wall(): number;
}

/** How often somebody else may write first before the message goes back to its queue. */
const MOST_CONFLICTS = 20;

/**
 * The whole of a gamemaster: read, decide, append, say what follows, and only then be acknowledged.
 * A message whose cause is on the tape already is not decided again: what followed from it is said again, with the same ids.
 * Time that an outage took is given back first, in the same append.
 * What is refused, or comes to nothing, is so only once everything that others wrote has been read: no append would find that out.
 * What is decided is dated by one moment, and no earlier than what stands on the tape: the time at a table never goes back.
 * @param how what happens at that moment, given the table; throws a Refusal when nothing may
 * @param answer what the asker is told, given the table afterwards and the events its message caused
 */
export async function decide(
  desk: CommandContext,
  message: Message,
  how: (loaded: LoadedTable, at: Instant) => NewEvents,
  answer: (loaded: LoadedTable, caused: readonly RecordedEvent[]) => Reply | void,
): Promise<Reply | void> {
  const table = message.subject;
  for (let tries = 0; ; tries++) {
    const outages = await desk.heart.outages();
    const loaded = await desk.tables.load(table);
    const { state: ledger } = loaded;
    if (ledger.causes.has(message.id)) {
      await publishMessages(desk.bus, table, await desk.tables.again(table, message.id));
      return answer(loaded, causedBy(loaded, message.id));
    }
    const known = ledger.tape.length;
    if (isLate(message, desk.wall())) {
      if ((await desk.tables.fresh(table)).state.tape.length > known) continue;
      return; // it is on no tape, and nobody waits for it any more
    }
    const at = Math.max(desk.now(), ledger.tape.at(-1)?.at ?? 0);
    const delays = delaysFor(ledger, outages, at);
    const events = orRefusal((): NewEvents => [...delays, ...how(delays.length ? ahead(loaded, delays) : loaded, at)]);
    if (events instanceof Refusal || !events.length) {
      if ((await desk.tables.fresh(table)).state.tape.length > known) continue;
      if (events instanceof Refusal) throw events;
      return answer(loaded, []);
    }
    let outbox: DerivedMessages;
    try {
      outbox = await append(desk, loaded, events, { cause: message.id, at });
    } catch (error) {
      if (!(error instanceof Conflict) || tries >= MOST_CONFLICTS) throw error;
      await desk.tables.fresh(table);
      continue;
    }
    await publishMessages(desk.bus, table, outbox);
    return answer(loaded, causedBy(loaded, message.id));
  }
}

/** What stands on the tape under the id of a message followed from something else: trying again finds the same. */
export const otherMessage = (table: string): PermanentError =>
  new PermanentError(
    `what is on the tape of ${table} under the id of this message followed from another one: each message needs an id of its own`,
  );

/**
 * Whether nobody waits for the answer any more. Late commands are taken all the same: what was begun before a process died is finished,
 * for nobody else can say what follows from it.
 */
export const isLate = ({ replyby }: Message, now: number): boolean => replyby !== undefined && Date.parse(replyby) < now;

/** The table as it will be once some events are written down, for a look ahead. */
const ahead = (loaded: LoadedTable, events: NewEvents): LoadedTable => ({
  ...loaded,
  state: { ...loaded.state, standing: loaded.state.game.fold(events, loaded.state.standing) },
});

/** Writes events down, alarm and summary with them, and takes them into the table. @throws Conflict */
async function append(
  desk: CommandContext,
  loaded: LoadedTable,
  events: NewEvents,
  { cause, at }: Pick<RecordedEvent, 'cause' | 'at'>,
): Promise<DerivedMessages> {
  const { state: ledger } = loaded;
  const { game, table } = ledger;
  const { open } = ledger.standing;
  const after = ledger.tape.length;
  const standing = game.fold(events, ledger.standing);
  const result = resultOf({ game, standing });
  const batch = events.map((event, i): RecordedEvent => ({
    table,
    sequence: after + i + 1,
    at,
    cause,
    event: event as RecordedEvent['event'],
  }));
  try {
    await desk.tapes.append(
      table,
      after,
      batch.map(({ event }) => event),
      {
        at,
        cause,
        wake: game.wake(standing),
        summary: summaryOf({ ...ledger, standing, tape: ledger.tape.length ? ledger.tape : batch }),
        ...(result ? { result } : {}),
      },
    );
  } catch (error) {
    // A lost connection leaves open whether it was written: what is in memory may be behind, so it is read back next time.
    if (!(error instanceof Conflict)) desk.tables.forget(table);
    throw error;
  }
  const outbox = desk.tables.grow(loaded, batch);
  count(events, open, standing);
  return outbox;
}

const causedBy = ({ state: ledger }: LoadedTable, cause: string): readonly RecordedEvent[] => {
  const found = ledger.causes.get(cause);
  return found ? ledger.tape.slice(found.first - 1, found.last) : [];
};

/** Counts what was written down: once, however often it is delivered. */
function count(events: NewEvents, open: readonly Open[], { game }: LoadedTable['state']['standing']): void {
  const { rules } = game.opening;
  for (const event of events as readonly (TableEvent | { readonly type: 'opened' | 'closed' })[]) {
    if (event.type === 'opened') metrics.tablesOpened.inc({ rules });
    if (event.type === 'answered') metrics.acts.inc({ rules, verb: open.find(({ id }) => id === event.question)?.verb ?? 'say' });
    if (event.type === 'refused') metrics.refusals.inc({ service: 'gamemaster', reason: event.reason });
    if (event.type === 'closed') metrics.tablesClosed.inc({ rules, winner: game.results.at(-1)?.winner ?? 'draw' });
  }
}

function orRefusal<T>(of: () => T): T | Refusal {
  try {
    return of();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Nothing is written of a request that no seat of a known table made; it is only refused. */
export const refused = (reason: Refusal): Reply => ({
  performative: 'refuse',
  data: { reason: reason.reason, ...(reason.detail ? { detail: reason.detail } : {}) },
});
