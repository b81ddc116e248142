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
  /** What the lobby has told since a page was asked for: the page may be older. */
  readonly told: ReadonlySet<string>;
  /** The last table of the last page, when older ones may follow. */
  readonly last: Summary | undefined;
  /** Whether a page has been read. */
  readonly isRead: boolean;
}

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
    ...[...known].filter(([table]) => !isFirst || told.has(table)),
    ...page.flatMap((summary) => (told.has(summary.table) ? [] : [[summary.table, summary] as const])),
  ]),
  told,
  last: page.length < limit ? undefined : page.at(-1),
  isRead: true,
});

export const withTable = (list: TableList, summary: Summary): TableList => ({
  ...list,
  known: new Map(list.known).set(summary.table, summary),
  told: new Set(list.told).add(summary.table),
});

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
