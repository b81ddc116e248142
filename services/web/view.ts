import type { Answer } from '@maw/contracts/contracts.ts';
import type { Eye } from '@maw/games/question.ts';
import type { Ask } from './ask.ts';
import type { Doorbells } from './bell.ts';

export type Page = Answer<'table.view'>;

/** Reads one page of a table's view as an eye sees it: what it has seen after its n-th event, and what it may answer. */
export type Look = (table: string, eye: Eye, after: number, limit: number) => Promise<Page>;

/**
 * Readers who look at the same through the same eye at the same time share one question, so that a crowd of spectators costs what one costs.
 * Only questions asked since the table's last ring are shared: an answer from before it may lack what rang.
 */
export function views(ask: Ask, bells: Pick<Doorbells, 'rings'>): Look {
  const asked = new Map<string, Promise<Page>>();
  return (table, eye, after, limit) => {
    const key = JSON.stringify([table, eye, after, limit, bells.rings(table)]);
    const page = asked.get(key) ?? ask('table.view', table, { eye, after, limit }).finally(() => asked.delete(key));
    asked.set(key, page);
    return page;
  };
}
