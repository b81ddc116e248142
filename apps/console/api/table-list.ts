import type { Stage, Summary } from './shapes.ts';

/** What a list of tables is narrowed to, as `GET /tables` takes it. */
export type TableFilter = {
  readonly search?: string | undefined;
  readonly rules?: string | undefined;
  readonly stage?: Stage | undefined;
  readonly over?: boolean | undefined;
};

/** Tables by id, some from pages of `GET /tables`, some from the lobby. */
export interface TableList {
  readonly known: ReadonlyMap<string, Summary>;
  /** What the lobby has told since a page was asked for: the page may be older. Undefined: no page is awaited. */
  readonly told: ReadonlySet<string> | undefined;
  /** The last table of the last page, when older ones may follow. */
  readonly last: Summary | undefined;
  /** Whether a page has been read. */
  readonly isRead: boolean;
}

/** How long the lobby can make a list: then each new table takes the place of the oldest, which `more` brings back. */
const MAX_TABLES = 500;

export const NO_TABLES: TableList = { known: new Map(), told: new Set(), last: undefined, isRead: false };

/** A page is asked for. */
export const withRequest = (list: TableList): TableList => ({ ...list, told: new Set() });

interface PageOf {
  /** A shorter page is the last. */
  readonly limit: number;
  /** Whether it is the first page: what was known before may have changed unheard. */
  readonly isFirst: boolean;
}

export const withPage = ({ known, told }: TableList, page: readonly Summary[], { limit, isFirst }: PageOf): TableList => ({
  known: new Map([
    ...[...known].filter(([table]) => !isFirst || told?.has(table)),
    ...page.flatMap((summary) => (told?.has(summary.table) ? [] : [[summary.table, summary] as const])),
  ]),
  told: undefined,
  last: page.length < limit ? undefined : page.at(-1),
  isRead: true,
});

/** A table was opened or has changed. It is listed while it fits the filter. */
export function withTable(list: TableList, summary: Summary, filter: TableFilter): TableList {
  const known = new Map(list.known);
  if (fits(summary, filter)) known.set(summary.table, summary);
  else known.delete(summary.table);
  const told = list.told && new Set(list.told).add(summary.table);
  if (known.size <= Math.max(MAX_TABLES, list.known.size)) return { ...list, known, told };
  const [next, oldest] = [...known.values()].toSorted(newestFirst).slice(-2) as [Summary, Summary];
  known.delete(oldest.table);
  const isHidden = list.last !== undefined && newestFirst(oldest, list.last) > 0;
  return { ...list, known, told, last: isHidden ? list.last : next };
}

/** The tables that fit, the newest first, without those that are older than the last page: between them others are missing. */
export const shownTables = ({ known, last }: TableList, filter: TableFilter): readonly Summary[] =>
  [...known.values()].filter((summary) => fits(summary, filter) && (!last || newestFirst(summary, last) <= 0)).sort(newestFirst);

const newestFirst = (a: Summary, b: Summary): number => b.opened - a.opened || (a.table < b.table ? 1 : a.table > b.table ? -1 : 0);

function fits({ table, rules, stage, players }: Summary, filter: TableFilter): boolean {
  if (filter.rules !== undefined && filter.rules !== rules) return false;
  if (filter.stage !== undefined && filter.stage !== stage) return false;
  if (filter.over !== undefined && filter.over !== (stage === 'over')) return false;
  const searched = filter.search?.toLowerCase();
  return searched === undefined || [table, ...players.map(({ name = '' }) => name)].some((text) => text.toLowerCase().includes(searched));
}
