import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { Ask } from '../bus-client.ts';
import type { TableChanges } from './table-changes.ts';

export type Page = ReplyData<'table.view'>;

/** Reads one page of a table's view as an eye sees it: what it has seen after its n-th event, and what it may answer. */
export type ReadPage = (table: string, eye: Eye, after: number, limit: number) => Promise<Page>;

/** Events asked for at once. A message has at most 1 MiB; the longest speech, in the costliest script, stands in an event twice with 16 KB. */
export const PAGE_SIZE = 50;

/** Asks the table itself. */
export const pageReader =
  (ask: Ask): ReadPage =>
  (table, eye, after, limit) =>
    ask('table.view', table, { eye, after, limit });

/**
 * For streams: readers who look at the same through the same eye at the same time share one question, so that a crowd of spectators costs what one costs.
 * Only questions asked since the table's last ring are shared: an answer from before it may lack what rang.
 */
export function sharedPageReader(look: ReadPage, bells: Pick<TableChanges, 'lastRing'>): ReadPage {
  const asked = new Map<string, Promise<Page>>();
  return (table, eye, after, limit) => {
    const key = JSON.stringify([table, eye, after, limit, bells.lastRing(table)]);
    const page = asked.get(key) ?? look(table, eye, after, limit).finally(() => asked.delete(key));
    asked.set(key, page);
    return page;
  };
}

/** A page of up to `limit` events, however many questions that takes; what the seat may answer is as the last of them said. */
export async function readPages(look: ReadPage, table: string, eye: Eye, after: number, limit: number): Promise<Page> {
  const seen: Page['seen'] = [];
  for (;;) {
    const page = await look(table, eye, after + seen.length, Math.min(PAGE_SIZE, limit - seen.length));
    seen.push(...page.seen);
    if (!page.more || !page.seen.length || seen.length >= limit) return { ...page, seen };
  }
}
