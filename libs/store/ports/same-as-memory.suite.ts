import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalJson } from '../integrity/hash-chain.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { Store } from '../store.ts';
import { USAGE_OF_DAYS, USAGE_OF_TABLE } from './budget-usage.ts';

/** One call of a store, as it reads in a counterexample. */
interface Call {
  readonly says: string;
  readonly on: (store: Store) => Promise<unknown>;
}

/** Random sequences of calls have the same results as in memory: values to the order of their keys, errors by name and message. */
export function sameAsMemorySuite(store: () => Store, clear: () => Promise<void>): void {
  it('behaves like the store in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 40, size: 'max' }), async (calls) => {
        await clear();
        const twin = memoryStore();
        for (const { says, on } of calls) {
          const [got, expected] = [await outcome(on(store())), await outcome(on(twin))];
          expect(`${says} -> ${got}`).toBe(`${says} -> ${expected}`);
        }
        for (const { says, on } of everything)
          expect(`${says} -> ${await outcome(on(store()))}`).toBe(`${says} -> ${await outcome(on(twin))}`);
      }),
      { numRuns: 10 },
    );
  }, 600_000);
}

const outcome = async (result: Promise<unknown>) => {
  try {
    return JSON.stringify(await result) ?? 'nothing';
  } catch (error) {
    return String(error);
  }
};

const table = fc.constantFrom('a', 'B', 'c_1');
const room = fc.constantFrom('day', 'night');
const recording = fc.constantFrom('r', 'S');
const hash = fc.constantFrom('h', 'I');
const small = fc.integer({ min: 0, max: 5 });
const time = fc.integer({ min: 0, max: 20 });
const text = fc.string({ unit: fc.constantFrom('x', 'é', '🐺', '\\', '\u0001'), maxLength: 3 });
const json = fc.dictionary(
  fc.constantFrom('b', 'aa', 'a', '10', '9', 'é', '__proto__', 'toString'),
  fc.oneof(text, small, fc.constant(null), fc.array(small)),
);
const kind = fc.constantFrom('game', 'Tenant');
const tally = fc.record({ kind, who: fc.oneof(table, text), period: small, used: time, most: time });
/** Hours long past, and one that has not begun. */
const used = fc.record({
  hour: fc.constantFrom(5, 23, 24, 1_000_000),
  key: table,
  model: table,
  recipe: fc.constantFrom('', 'r'),
  table: fc.oneof(table, fc.constant('')),
  seat: fc.constantFrom('', '2', '10'),
  requests: small,
  failures: small,
  prompt: time,
  completion: time,
  ms: time,
});
const summary = fc.record({ stage: fc.constantFrom('lobby', 'round', 'over') });

/** A call whose arguments are drawn by `args`. */
const of = <A extends unknown[]>(
  name: string,
  args: fc.Arbitrary<A>,
  on: (store: Store, ...given: A) => Promise<unknown>,
): fc.Arbitrary<Call> =>
  args.map((given) => ({ says: `${name}(${given.map((each) => JSON.stringify(each)).join(', ')})`, on: (store) => on(store, ...given) }));

const writing = fc
  .record({ at: time, wake: fc.option(time, { nil: undefined }), summary, result: fc.option(json, { nil: undefined }) })
  .map(({ result, ...rest }) => ({ cause: 'm', ...rest, ...(result && { result }) }));

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: of(
      'append',
      fc.tuple(table, fc.constantFrom(0, 1, 2, 3, 4), fc.array(json, { maxLength: 2 }), writing),
      (s, t, after, events, w) =>
        s.tapes.append(
          t,
          after,
          [...events, ...(after === 0 && events.length === 0 ? [{}] : [])].map((event) => ({ ...event, type: 'x' })), // none opens a table
          w,
        ),
    ),
  },
  of('read', fc.tuple(table, small), (s, t, after) => s.tapes.read(t, after)),
  of('due', fc.tuple(time, small), (s, now, limit) => s.tapes.due(now, limit)),
  of('overdue', fc.tuple(time), (s, now) => s.tapes.countDue(now)),
  of(
    'list',
    fc.tuple(
      fc.record(
        { limit: small, before: fc.oneof(time, fc.record({ opened: time, table })), isOver: fc.boolean() },
        { requiredKeys: ['limit'] },
      ),
    ),
    (s, about) => s.tapes.list(about),
  ),
  of('result', fc.tuple(table), (s, t) => s.tapes.result(t)),
  of('countByStage', fc.tuple(), async (s) => Object.entries(await s.tapes.countByStage()).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  of('open', fc.tuple(table, room, fc.array(small), small), (s, t, r, members, opened) =>
    s.rooms.open({
      table: t,
      room: r,
      question: 'q',
      name: r,
      members,
      speakers: members,
      minds: members.slice(1),
      maxChars: 9,
      until: 9,
      opened,
    }),
  ),
  of('close', fc.tuple(table, room, small, small), (s, t, r, closed, lines) => s.rooms.close(t, r, { closed, lines })),
  of('room', fc.tuple(table, room), (s, t, r) => s.rooms.room(t, r)),
  {
    weight: 6,
    arbitrary: of(
      'keep',
      fc.tuple(
        table,
        room,
        fc.record({ line: small, by: small, to: small, says: fc.array(text), text, at: time }, { requiredKeys: ['line', 'text', 'at'] }),
      ),
      (s, t, r, line) => s.rooms.addLine(t, r, line),
    ),
  },
  of('lines', fc.tuple(table, room, small, small), (s, t, r, after, limit) => s.rooms.lines(t, r, after, limit)),
  of('mark', fc.tuple(table, room, small, small), (s, t, r, seat, line) => s.rooms.markRead(t, r, seat, line)),
  { weight: 2, arbitrary: of('purge', fc.tuple(table, room, small), (s, t, r, line) => s.rooms.purge(t, r, line)) },
  { weight: 2, arbitrary: of('archive', fc.tuple(table, room), (s, t, r) => s.rooms.archive(t, r)) },
  of('think', fc.tuple(table, small, fc.constantFrom('d', 'E', 'f'), small, time, json), (s, t, seat, decision, step, at, content) =>
    s.thoughts.record({ table: t, seat, decision, step, kind: 'k', name: 'n', at, content }),
  ),
  of('thoughts', fc.tuple(table, fc.record({ seat: small, decision: fc.constantFrom('d', 'E') }, { requiredKeys: [] })), (s, t, about) =>
    s.thoughts.list(t, about),
  ),
  of('remember', fc.tuple(table, small, small, json), (s, t, seat, n, memory) => s.thoughts.remember(t, seat, n, memory)),
  of(
    'remember a decision',
    fc.tuple(table, small, small, small, fc.constantFrom('d', 'E'), json),
    (s, t, seat, sequence, step, decision, content) =>
      s.thoughts.remember(
        t,
        seat,
        1,
        { decision: { sequence: sequence * 2 } },
        {
          sequence,
          thoughts: [{ table: t, seat, decision, step, kind: 'k', name: 'n', at: 1, content }],
        },
      ),
  ),
  of('recall', fc.tuple(table, small), (s, t, seat) => s.thoughts.recall(t, seat)),
  of('recall all', fc.tuple(table, fc.array(small)), (s, t, seats) => s.thoughts.recallAll(t, seats)),
  {
    weight: 3,
    arbitrary: of(
      'keep a take',
      fc.tuple(recording, hash, table, fc.constantFrom('x', 'Y', 'z'), small, time, text),
      (s, r, h, t, id, asker, at, came) =>
        s.recordings.save({ recording: r, hash: h, id, table: t, asker: String(asker), at, request: { h }, outcome: came }),
    ),
  },
  { weight: 3, arbitrary: of('find', fc.tuple(recording, hash, small, table), (s, r, h, nth, t) => s.recordings.find(r, h, nth, t)) },
  of('next retiring', fc.tuple(time, fc.boolean(), small), (s, before, keepResults, limit) =>
    s.maintenance.listExpired({ before, keepResults, limit }),
  ),
  of('remove', fc.tuple(fc.array(table), fc.boolean(), time), (s, these, keepResults, at) =>
    s.maintenance.removeTables(these, { keepResults, at }),
  ),
  {
    weight: 3,
    arbitrary: of(
      'note',
      fc.tuple(time, fc.uniqueArray(tally, { maxLength: 3, selector: ({ kind: k, who }) => JSON.stringify([k, who]) })),
      (s, at, tallies) => s.budgetUsage.record(at, tallies),
    ),
  },
  of('tallies', fc.tuple(kind, time, small), (s, k, since, limit) => s.budgetUsage.list(k, { since, limit })),
  {
    weight: 2,
    arbitrary: of('use', fc.tuple(table, small, fc.array(used, { maxLength: 3 })), (s, writer, batch, entries) =>
      s.llmUsage.add(writer, batch, entries),
    ),
  },
  of('usage', fc.tuple(fc.subarray([...USAGE_OF_DAYS], { minLength: 1 }), time, time, small), (s, by, from, to, limit) =>
    s.llmUsage.list({ by, from, to: from + to }, limit),
  ),
  of('sweep', fc.tuple(time), (s, before) => s.budgetUsage.prune(before)),
  of('takes', fc.tuple(recording, small, fc.option(small, { nil: undefined })), (s, r, limit, asker) =>
    s.recordings.list(r, { limit, ...(asker === undefined ? {} : { asker: String(asker) }) }),
  ),
);

const tables = ['a', 'B', 'c_1'];

/** All there is to see, looked at when a sequence is over. */
const everything: readonly Call[] = [
  { says: 'due', on: (s) => s.tapes.due(100, 100) },
  { says: 'overdue', on: (s) => s.tapes.countDue(100) },
  { says: 'list', on: (s) => s.tapes.list({ limit: 100 }) },
  { says: 'usage', on: (s) => s.llmUsage.list({ by: USAGE_OF_DAYS, from: 0, to: 2_000_000 }, 100) },
  { says: 'ids', on: (s) => s.maintenance.listTables('', 100) },
  ...['r', 'S'].map((r): Call => ({ says: `takes ${r}`, on: (s) => s.recordings.list(r, { limit: 100 }) })),
  ...['game', 'Tenant'].map((k): Call => ({
    says: `tallies ${k}`,
    on: (s) => s.budgetUsage.list(k, { since: 0, limit: 100 }),
  })),
  ...tables.flatMap((t): readonly Call[] => [
    { says: `read ${t}`, on: (s) => s.tapes.read(t) },
    { says: `whole ${t}`, on: async (s) => canonicalJson(await s.maintenance.readTable(t)) },
    { says: `result ${t}`, on: (s) => s.tapes.result(t) },
    { says: `usage of ${t}`, on: (s) => s.llmUsage.list({ table: t, by: USAGE_OF_TABLE }, 100) },
    { says: `thoughts ${t}`, on: (s) => s.thoughts.list(t) },
    ...['day', 'night'].flatMap((r): readonly Call[] => [
      { says: `room ${t} ${r}`, on: (s) => s.rooms.room(t, r) },
      { says: `lines ${t} ${r}`, on: (s) => s.rooms.lines(t, r, 0, 100) },
      { says: `archived ${t} ${r}`, on: (s) => s.rooms.archived(t, r) },
      { says: `marks ${t} ${r}`, on: (s) => s.rooms.readMarks(t, r) },
    ]),
  ]),
];
