import { createHmac } from 'node:crypto';

/**
 * The id of a message about a table. The same parts give the same id, so that publishing again is idempotent; without the key nobody can tell
 * the parts, not even by trying all: ids are in spans and log lines.
 * @param key a secret of the table or of the seat
 */
export const opaqueId = (table: string, key: string, ...parts: readonly (string | number)[]): string =>
  `${table}/${createHmac('sha256', key)
    .update(JSON.stringify([table, ...parts]))
    .digest('base64url')
    .slice(0, 22)}`;

/**
 * The id of the n-th answer (0, 1, 2 ...) of a decision: the same at every replica of the player, and known to the gamemaster, which gave the
 * decision its seed. The n itself would tell how many secret answers there are among the public ones.
 */
export const answerId = (table: string, seed: string, decision: string, n: number): string => opaqueId(table, seed, 'answer', decision, n);
