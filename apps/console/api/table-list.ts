import type { Stage, Summary } from './shapes.ts';

/** What a list of tables is narrowed to, as `GET /tables` takes it. */
export type TableFilter = {
  readonly search?: string | undefined;
  readonly rules?: string | undefined;
  readonly stage?: Stage | undefined;
  readonly over?: boolean | undefined;
};

/** Tables, some from pages of `GET /tables`, some from events of the lobby. */
export interface TableList {
  readonly byId: ReadonlyMap<string, Summary>;
  /** Tables of which the lobby has sent an event since a page was requested: the page may be older. Undefined: no page is requested. */
  readonly changed: ReadonlySet<string> | undefined;
  /** The last table of the last page, when there may be older ones. */
  readonly pageEnd: Summary | undefined;
  /** Whether a page has been read. */
  readonly isRead: boolean;
}

/** How many tables events of the lobby can make a list. A further one takes the place of the oldest, which the next page brings back. */
const MAX_TABLES = 500;

export const NO_TABLES: TableList = { byId: new Map(), changed: new Set(), pageEnd: undefined, isRead: false };

/** Notes that a page is requested. */
export const withRequest = (list: TableList): TableList => ({ ...list, changed: new Set() });

interface PageOptions {
  /** The number of tables asked for: a page with fewer is the last. */
  readonly limit: number;
  /** The first page replaces the list: events may have been missed before it. */
  readonly isFirst: boolean;
}

/** Adds a page. Where the lobby has sent an event since the page was requested, the event counts. */
export function withPage({ byId, changed }: TableList, page: readonly Summary[], { limit, isFirst }: PageOptions): TableList {
  const hasChanged = (table: string): boolean => changed?.has(table) ?? false;
  const merged = new Map([...byId].filter(([table]) => !isFirst || hasChanged(table)));
  for (const summary of page) if (!hasChanged(summary.table)) merged.set(summary.table, summary);
  return { byId: merged, changed: undefined, pageEnd: page.length < limit ? undefined : page.at(-1), isRead: true };
}

/** Applies an event of the lobby: a table was opened or has changed. It is kept while it fits the filter. */
export function withTable(list: TableList, summary: Summary, filter: TableFilter): TableList {
  const byId = new Map(list.byId);
  if (fits(summary, filter)) byId.set(summary.table, summary);
  else byId.delete(summary.table);
  const next = { ...list, byId, changed: list.changed && new Set(list.changed).add(summary.table) };
  return byId.size > Math.max(MAX_TABLES, list.byId.size) ? withoutOldest(next) : next;
}

/** Drops the oldest table. If it was shown, the list now ends at the one before it, and the next page begins there. */
function withoutOldest(list: TableList): TableList {
  const [newEnd, oldest] = [...list.byId.values()].toSorted(newestFirst).slice(-2) as [Summary, Summary];
  const byId = new Map(list.byId);
  byId.delete(oldest.table);
  return { ...list, byId, pageEnd: isBehind(oldest, list.pageEnd) ? list.pageEnd : newEnd };
}

/** The tables that fit, newest first. Those behind the last page are left out: tables between are not known. */
export const shownTables = ({ byId, pageEnd }: TableList, filter: TableFilter): readonly Summary[] =>
  [...byId.values()].filter((summary) => fits(summary, filter) && !isBehind(summary, pageEnd)).sort(newestFirst);

const isBehind = (summary: Summary, pageEnd: Summary | undefined): boolean => pageEnd !== undefined && newestFirst(summary, pageEnd) > 0;

const newestFirst = (a: Summary, b: Summary): number => b.opened - a.opened || (a.table < b.table ? 1 : a.table > b.table ? -1 : 0);

function fits({ table, rules, stage, players }: Summary, filter: TableFilter): boolean {
  if (filter.rules !== undefined && filter.rules !== rules) return false;
  if (filter.stage !== undefined && filter.stage !== stage) return false;
  if (filter.over !== undefined && filter.over !== (stage === 'over')) return false;
  const searched = filter.search?.toLowerCase();
  return searched === undefined || [table, ...players.map(({ name = '' }) => name)].some((text) => text.toLowerCase().includes(searched));
}
