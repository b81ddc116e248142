import { errorCode } from './error-code.ts';
import type { Sql } from './sql.ts';

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';
/** Whoever retries does so within five seconds. */
const FORGET_MS = 6_000;

/**
 * Knows whether the disk of the database is full: it has refused a statement, and the same one has not succeeded since. A statement that
 * nobody repeats is forgotten.
 */
export function watchDisk(sql: Sql, steady: () => number = () => performance.now()): Sql & { isFull(): boolean } {
  const refused = new Map<string, number>();
  return {
    async query(text, params) {
      try {
        const answered = await sql.query<never>(text, params);
        refused.delete(text);
        return answered;
      } catch (error) {
        if (errorCode(error) === DISK_FULL) refused.set(text, steady());
        throw error;
      }
    },
    isFull: () => [...refused.values()].some((at) => steady() - at <= FORGET_MS),
    close: () => sql.close(),
  };
}
