import { createHash } from 'node:crypto';

/** The id of a request by what makes two requests one. */
export const requestId = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
