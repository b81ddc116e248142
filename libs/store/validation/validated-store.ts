import { validatedBudgetUsage } from './budget-usage.ts';
import { validatedAuditLog } from './audit-log.ts';
import { validatedTokens } from './tokens.ts';
import type { Line } from '../ports/rooms.ts';
import type { TablePosition, RecordedEvent, AppendMetadata } from '../ports/tapes.ts';
import type { Store } from '../store.ts';
import type { RecordedExchange } from '../ports/recordings.ts';
import type { Thought } from '../ports/thoughts.ts';
import { storableCount, storableInstant, storableJson, storableText, Unstorable } from './storable.ts';
import { validatedMaintenance } from './maintenance.ts';

/**
 * A store that refuses what PostgreSQL could not keep, before anything is written, so that all stores refuse the same; and that may be
 * closed twice, after which it refuses everything.
 */
export function validatedStore(store: Store): Store {
  const { tapes, rooms, thoughts, recordings, budgetUsage: ledger } = store;
  let closing: Promise<void> | undefined;
  const check = (table?: string, room?: string, seat?: number) => {
    if (closing) throw new Error('The store is closed');
    if (table !== undefined) storableText(table, 'The id of a table');
    if (room !== undefined) storableText(room, `A room of table ${table}`);
    if (seat !== undefined) storableCount(seat, `A seat of table ${table}`);
  };
  return {
    tapes: {
      async read(table, after = 0) {
        check(table);
        storableCount(after, 'The sequence to read after');
        return tapes.read(table, after);
      },
      async append(table, after, events, writing) {
        check(table);
        checkAppend(table, after, events, writing);
        return tapes.append(table, after, events, writing);
      },
      async due(now, limit) {
        check();
        storableInstant(now, 'The time at which alarms are due');
        storableCount(limit, 'The limit');
        return tapes.due(now, limit);
      },
      async countDue(now) {
        check();
        storableInstant(now, 'The time at which alarms are due');
        return tapes.countDue(now);
      },
      async list(about) {
        check();
        storableCount(about.limit, 'The limit');
        checkPlace(about.before, 'The time to list before', 'The table to list after');
        return tapes.list(about);
      },
      async result(table) {
        check(table);
        return tapes.result(table);
      },
      async countByStage() {
        check();
        return tapes.countByStage();
      },
    },
    rooms: {
      async open(about) {
        check(about.table, about.room);
        checkOpening(about);
        return rooms.open(about);
      },
      async close(table, room, about) {
        check(table, room);
        storableCount(about.closed, 'The sequence at which a room closes');
        storableCount(about.lines, 'How many lines a room has');
        return rooms.close(table, room, about);
      },
      async room(table, room) {
        check(table, room);
        return rooms.room(table, room);
      },
      async addLine(table, room, line) {
        check(table, room);
        checkLine(table, line);
        return rooms.addLine(table, room, line);
      },
      async lines(table, room, after, limit) {
        check(table, room);
        storableCount(after, 'The line to read after');
        storableCount(limit, 'The limit');
        return rooms.lines(table, room, after, limit);
      },
      async markRead(table, room, seat, line) {
        check(table, room, seat);
        storableCount(line, 'The line up to which a seat has read');
        return rooms.markRead(table, room, seat, line);
      },
      async readMarks(table, room) {
        check(table, room);
        return rooms.readMarks(table, room);
      },
      async purge(table, room, line) {
        check(table, room);
        storableCount(line, 'The line to purge up to');
        return rooms.purge(table, room, line);
      },
      async archive(table, room) {
        check(table, room);
        return rooms.archive(table, room);
      },
      async archived(table, room) {
        check(table, room);
        return rooms.archived(table, room);
      },
    },
    thoughts: {
      async record(thought) {
        check(thought.table, undefined, thought.seat);
        checkThought(thought);
        return thoughts.record(thought);
      },
      async list(table, about = {}) {
        check(table, undefined, about.seat);
        if (about.decision !== undefined) storableText(about.decision, 'The id of a decision');
        return thoughts.list(table, about);
      },
      async recall(table, seat) {
        check(table, undefined, seat);
        return thoughts.recall(table, seat);
      },
      async remember(table, seat, n, memory) {
        check(table, undefined, seat);
        storableInstant(n, 'How far a seat has seen');
        storableJson(memory, `The memory of seat ${seat} at table ${table}`);
        return thoughts.remember(table, seat, n, memory);
      },
    },
    recordings: {
      async save(take) {
        check(take.table);
        checkTake(take);
        return recordings.save(take);
      },
      async find(recording, hash, nth, table) {
        check(table);
        storableText(recording, 'The name of a recording');
        storableText(hash, 'The hash of a request');
        storableCount(nth, 'Which take of a request');
        return recordings.find(recording, hash, nth, table);
      },
      async list(recording, about) {
        check();
        storableText(recording, 'The name of a recording');
        if (about.asker !== undefined) storableText(about.asker, 'Who asked');
        storableCount(about.limit, 'The limit');
        return recordings.list(recording, about);
      },
    },
    budgetUsage: validatedBudgetUsage(ledger, check),
    maintenance: validatedMaintenance(store.maintenance, check),
    tokens: validatedTokens(store.tokens, check),
    auditLog: validatedAuditLog(store.auditLog, check),
    heartbeat: {
      async beat(longestMs) {
        check();
        storableCount(longestMs, 'How long the pulse may stop, in milliseconds,');
        return store.heartbeat.beat(longestMs);
      },
    },
    async ping() {
      check();
      return store.ping();
    },
    close: () => (closing ??= store.close()),
  };
}

/** A time, or a place among the tables: words for each. */
function checkPlace(before: number | TablePosition | undefined, time: string, table: string): void {
  if (typeof before === 'object') storableText(before.table, table);
  const opened = typeof before === 'object' ? before.opened : before;
  if (opened !== undefined) storableInstant(opened, time);
}

function checkAppend(table: string, after: number, events: readonly RecordedEvent['event'][], writing: AppendMetadata): void {
  storableCount(after, 'The sequence to append after');
  if (after === 0 && events.length === 0) throw new Unstorable(`Table ${table} cannot be opened without an event`);
  storableInstant(writing.at, 'The time of an append');
  storableText(writing.cause, 'The cause of an append');
  if (writing.wake !== undefined) storableInstant(writing.wake, 'An alarm');
  storableJson(events, `An event of table ${table}`);
  storableJson(writing.summary, `The summary of table ${table}`);
  if (writing.result !== undefined) storableJson(writing.result, `The result of table ${table}`);
}

function checkOpening({ table, question, name, members, speakers, maxChars, until, opened }: Parameters<Store['rooms']['open']>[0]): void {
  storableText(question, `The question of a room of table ${table}`);
  storableText(name, `The name of a room of table ${table}`);
  for (const seat of [...members, ...speakers]) storableCount(seat, `A seat of table ${table}`);
  storableCount(maxChars, 'The most characters of a line');
  storableInstant(until, 'Until when a room is open');
  storableCount(opened, 'The sequence at which a room opens');
}

function checkLine(table: string, { line, by, to, text, says, at }: Line): void {
  storableCount(line, 'The number of a line');
  if (line === 0) throw new Unstorable('The lines of a room are numbered from 1');
  for (const seat of [by, to]) if (seat !== undefined) storableCount(seat, `A seat of table ${table}`);
  for (const each of [text, ...(says ?? [])]) storableText(each, `Line ${line} of a room of table ${table}`);
  storableInstant(at, 'When a line was said');
}

function checkTake({ recording, hash, id, asker, at, request, outcome }: RecordedExchange): void {
  storableText(recording, 'The name of a recording');
  storableText(hash, 'The hash of a request');
  storableText(id, 'The id of the message of a take');
  storableText(asker, 'Who asked');
  storableInstant(at, 'When a request was asked');
  for (const [what, value] of [
    ['request', request],
    ['outcome', outcome],
  ] as const)
    if (JSON.stringify(value) === undefined)
      throw new Unstorable(`The ${what} of take ${id} of recording ${recording} must be JSON, it is ${typeof value}`);
}

function checkThought({ table, seat, decision, step, kind, name, at, content }: Thought): void {
  storableText(decision, 'The id of a decision');
  storableCount(step, 'The step of a thought');
  storableText(kind, 'The kind of a thought');
  storableText(name, 'The name of a thought');
  storableInstant(at, 'When a thought was thought');
  storableJson(content, `A thought of seat ${seat} at table ${table}`);
}
