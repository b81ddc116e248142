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
