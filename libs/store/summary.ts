import { Conflict, type Writing } from './store.ts';

/** A table is over when its summary says so. */
export const isOver = (summary: Writing['summary']): boolean => summary.stage === 'over';

/** What the writer is told who comes too late. */
export const conflict = (table: string, after: number): Conflict =>
  new Conflict(after === 0 ? `Table ${table} exists already` : `Table ${table} has gone on since event ${after}, or was never opened`);
