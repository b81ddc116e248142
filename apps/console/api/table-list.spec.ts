import { expect, it } from '@jest/globals';
import type { Summary } from './shapes.ts';
import { NO_TABLES, shownTables, withPage, withRequest, withTable } from './table-list.ts';

const table = (id: string, opened: number, more: object = {}) =>
  ({ table: id, opened, rules: 'maw', stage: 'round', players: [{ seat: 0, name: 'Ann' }], ...more }) as unknown as Summary;
const ids = (tables: readonly Summary[]) => tables.map(({ table: id }) => id);

it('shows pages and what the lobby tells newest first, and nothing behind the last page', () => {
  let list = withPage(NO_TABLES, [table('c', 30), table('b', 20)], { limit: 2, isFirst: true });
  for (const changed of [table('d', 40), table('old', 10), table('b2', 20), table('c', 30, { stage: 'over' })])
    list = withTable(list, changed, {});
  expect(ids(shownTables(list, {}))).toEqual(['d', 'c', 'b2', 'b']);
  expect(ids(shownTables(list, { over: false }))).toEqual(['d', 'b2', 'b']);
  list = withPage(list, [table('a', 15)], { limit: 2, isFirst: false });
  expect([list.pageEnd, ids(shownTables(list, {}))]).toEqual([undefined, ['d', 'c', 'b2', 'b', 'a', 'old']]);
});

it('believes the lobby rather than a page that was asked for before, and a first page rather than what was known', () => {
  const first = { limit: 50, isFirst: true };
  let list = withPage(withRequest(NO_TABLES), [table('a', 1), table('b', 2)], first);
  list = withTable(withRequest(list), table('b', 2, { stage: 'over' }), {});
  list = withPage(list, [table('b', 2)], first); // `a` ended while the connection was lost
  expect(ids(shownTables(list, {}))).toEqual(['b']);
  expect(ids(shownTables(list, { over: false }))).toEqual([]);
});

it('narrows what the lobby tells as the server narrows its pages', () => {
  const other = table('T1', 1, { rules: 'avalon', stage: 'lobby', players: [{ seat: 0 }, { seat: 1, name: 'Bo' }] });
  const list = [other, table('t2', 2)].reduce((before, changed) => withTable(before, changed, {}), NO_TABLES);
  const found = [
    { search: 't1' },
    { search: 'bO' },
    { search: 'nn' },
    { rules: 'avalon' },
    { stage: 'round' },
    { search: 'undefined' },
  ] as const;
  expect(found.map((filter) => ids(shownTables(list, filter)).join())).toEqual(['T1', 'T1', 't2', 'T1', 't2', '']);
});

it('holds what fits only, and no more than 500 of those that the lobby tells, the newest', () => {
  const running = { over: false };
  const all = Array.from({ length: 600 }, (_, n) => table(`t${n}`, n));
  const over = table('t599', 599, { stage: 'over' });
  const heard = all.reduce((before, changed) => withTable(before, changed, running), withPage(NO_TABLES, [], { limit: 2, isFirst: true }));
  expect([heard.byId.size, heard.changed, heard.pageEnd]).toEqual([500, undefined, table('t100', 100)]);
  expect(ids(shownTables(heard, running))).toEqual(ids(all.slice(100).toReversed()));
  expect(withTable(heard, over, running).byId.size).toBe(499);
  const paged = withPage(heard, [table('t99', 99), table('t98', 98)], { limit: 2, isFirst: false });
  expect(ids(shownTables(withTable(paged, table('t600', 600), running), running)).at(-1)).toBe('t99');
});
