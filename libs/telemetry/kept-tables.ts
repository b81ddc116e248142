import { createHash } from 'node:crypto';

/**
 * Whether the collector keeps every trace of a table: the first 32 bits of the SHA-256 of its id, as a share of 2^32, are below `share`. The same
 * sum is in infra/otel-collector/traces.yaml, so that a table is kept as a whole or not at all, whoever decides.
 * @param share of all tables, 0 to 1
 */
export const isTableKept = (table: string, share: number): boolean =>
  share >= 1 || createHash('sha256').update(table).digest().readUInt32BE() < share * 2 ** 32;
