import type { ViewName } from '@maw/contracts/http/route.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Bearer } from '../auth/roles.ts';
import { type Access, accessFor } from '../auth/watching.ts';
import type { Ask } from '../bus-client.ts';
import type { TableChanges } from './table-changes.ts';

export type Page = ReplyData<'table.view'>;

/** Reads one page of a view: the events after number `after`, and what its eye may answer. */
export type ReadPage = (table: string, access: Access, after: number, limit: number) => Promise<Page>;

/** Events per page. A message has at most 1 MiB; the longest speech, in the costliest script, stands in an event twice with 16 KB. */
export const PAGE_SIZE = 50;

/** Reads pages from the gamemaster. */
export const pageReader =
  (ask: Ask): ReadPage =>
  (table, { eye, showsCauses }, after, limit) =>
    ask('table.view', table, { eye, after, limit, ...(showsCauses ? { causes: true } : {}) });

/** What the bearer may see of a table. @throws Problem no-token, forbidden, unreadable, unknown-game */
export const accessOf = (readPage: ReadPage, bearer: Bearer, table: string, as: ViewName | undefined): Promise<Access> =>
  accessFor(bearer, table, as, async () => (await readPage(table, { eye: 'audience', showsCauses: false }, 0, 1)).summary);

/**
 * Shares concurrent reads of the same page, so that many spectators cost as much as one. Only reads since the last change of the table are
 * shared: an earlier one may lack what changed.
 */
export function sharedPageReader(readPage: ReadPage, changes: Pick<TableChanges, 'version'>): ReadPage {
  const pending = new Map<string, Promise<Page>>();
  return (table, access, after, limit) => {
    const key = JSON.stringify([table, access, after, limit, changes.version(table)]);
    const page = pending.get(key) ?? readPage(table, access, after, limit).finally(() => pending.delete(key));
    pending.set(key, page);
    return page;
  };
}

/** Up to `limit` events in as many reads as that takes; what the eye may answer is that of the last read. */
export async function readPages(readPage: ReadPage, table: string, access: Access, after: number, limit: number): Promise<Page> {
  const seen: Page['seen'] = [];
  for (;;) {
    const page = await readPage(table, access, after + seen.length, Math.min(PAGE_SIZE, limit - seen.length));
    seen.push(...page.seen);
    if (!page.more || !page.seen.length || seen.length >= limit) return { ...page, seen };
  }
}
