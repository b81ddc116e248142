import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { Ask } from '../bus-client.ts';
import type { TableChanges } from './table-changes.ts';

export type Page = ReplyData<'table.view'>;

/** Reads one page of the view of an eye: the events after number `after`, and what the eye may answer. */
export type ReadPage = (table: string, eye: Eye, after: number, limit: number) => Promise<Page>;

/** Events per page. A message has at most 1 MiB; the longest speech, in the costliest script, stands in an event twice with 16 KB. */
export const PAGE_SIZE = 50;

/** Reads pages from the gamemaster. */
export const pageReader =
  (ask: Ask): ReadPage =>
  (table, eye, after, limit) =>
    ask('table.view', table, { eye, after, limit });

/**
 * Shares concurrent reads of the same page, so that many spectators cost as much as one. Only reads since the last change of the table are
 * shared: an earlier one may lack what changed.
 */
export function sharedPageReader(readPage: ReadPage, changes: Pick<TableChanges, 'version'>): ReadPage {
  const pending = new Map<string, Promise<Page>>();
  return (table, eye, after, limit) => {
    const key = JSON.stringify([table, eye, after, limit, changes.version(table)]);
    const page = pending.get(key) ?? readPage(table, eye, after, limit).finally(() => pending.delete(key));
    pending.set(key, page);
    return page;
  };
}

/** Up to `limit` events in as many reads as that takes; what the eye may answer is that of the last read. */
export async function readPages(readPage: ReadPage, table: string, eye: Eye, after: number, limit: number): Promise<Page> {
  const seen: Page['seen'] = [];
  for (;;) {
    const page = await readPage(table, eye, after + seen.length, Math.min(PAGE_SIZE, limit - seen.length));
    seen.push(...page.seen);
    if (!page.more || !page.seen.length || seen.length >= limit) return { ...page, seen };
  }
}
