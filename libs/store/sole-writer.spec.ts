import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { pgliteStore } from './pglite.ts';
import { type AppendMetadata, Conflict, type Tapes } from './ports/tapes.ts';
import { soleWriter } from './sole-writer.ts';
import type { Store } from './store.ts';

let store: Store;
let asked: string[];
let tapes: Tapes;
beforeEach(async () => {
  store = await pgliteStore();
  asked = [];
  const { read, due, ...rest } = store.tapes;
  tapes = soleWriter({
    ...rest,
    read: (...args) => (asked.push('read'), read(...args)),
    due: (...args) => (asked.push('due'), due(...args)),
  });
});
afterEach(() => store.close());

const writing = (wake: number | undefined, stage = 'round'): AppendMetadata => ({ at: 1, cause: `${wake}`, wake, summary: { stage } });
const EVENT = { type: 'dawned' };

it('asks for no news of a tape that nobody else writes', async () => {
  await tapes.append('a', 0, [EVENT], writing(5));
  await tapes.append('a', 1, [EVENT, EVENT], writing(6));
  expect([await tapes.read('a', 3), asked]).toEqual([[], []]);
  expect((await tapes.read('a', 1)).map(({ sequence }) => sequence)).toEqual([2, 3]);
  expect((await tapes.read('a')).length).toBe(3);
});

it('knows the alarms of before and those that it has written, most overdue first', async () => {
  for (const [table, wake] of [
    ['b', 20],
    ['c', 10],
    ['d', 40],
  ] as const)
    await store.tapes.append(table, 0, [EVENT], writing(wake));
  await tapes.append('a', 0, [EVENT], writing(10));
  await tapes.append('b', 1, [EVENT], writing(undefined, 'over'));
  const due = async (now: number, limit = 9) => (await tapes.due(now, limit)).map(({ table, alarm }) => `${table} ${alarm}`);
  expect([await due(9), await due(30), await due(40, 2), await tapes.countDue(40)]).toEqual([[], ['a 10', 'c 10'], ['a 10', 'c 10'], 3]);
  await tapes.append('c', 1, [EVENT], writing(50));
  await tapes.append('d', 1, [EVENT], writing(undefined, 'over'));
  expect(await due(60)).toEqual(['a 10', 'c 50']);
  expect(asked).toEqual(['due']);
});

it('asks the database again after an append that failed', async () => {
  await tapes.append('a', 0, [EVENT], writing(5));
  await tapes.due(9, 9);
  await store.tapes.append('a', 1, [EVENT], writing(7)); // as if its answer were lost
  await expect(tapes.append('a', 1, [EVENT], writing(6))).rejects.toBeInstanceOf(Conflict);
  expect(await tapes.read('a', 1)).toHaveLength(1);
  expect(await tapes.due(9, 9)).toEqual([{ table: 'a', alarm: 7 }]);
});
