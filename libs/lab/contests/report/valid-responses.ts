import { shareInterval } from '../../ratings/rates/bounded-interval.ts';
import type { PairingResult } from '../result.ts';

/** With fewer tables an interval would be made up. */
const LEAST_TABLES = 5;

interface ValidResponses {
  readonly measure: 'valid responses';
  readonly source: string;
  readonly about: 'all';
  readonly value: number;
  readonly cases: number;
  readonly low?: number;
  readonly high?: number;
}

/**
 * How many replies of models could be used, of all: those that were not even after a repair are invalid. Pooled over tables, which are the clusters
 * of its interval; its standard error is that of a ratio of sums (Cochran 1977, Sampling Techniques, section 2.11). Undefined where no model was
 * asked.
 * @param agent only its replies; undefined: those of all
 */
export function validResponses(results: readonly PairingResult[], agent: string | undefined): ValidResponses | undefined {
  const isOwn = (each: { readonly agent: string }): boolean => agent === undefined || each.agent === agent;
  const tables = results.map(({ usage, faults }) => {
    const calls = usage.filter(isOwn).reduce((sum, own) => sum + own.calls, 0);
    const invalid = faults.filter((fault) => isOwn(fault) && fault.kind === 'invalid').reduce((sum, { times }) => sum + times, 0);
    return { calls, valid: Math.max(0, calls - invalid) };
  });
  const calls = tables.reduce((sum, table) => sum + table.calls, 0);
  if (!calls) return undefined;
  const value = tables.reduce((sum, { valid }) => sum + valid, 0) / calls;
  const row = { measure: 'valid responses', source: 'document 003, equation 8, pooled', about: 'all', value, cases: calls } as const;
  const squares = tables.reduce((sum, table) => sum + (table.valid - value * table.calls) ** 2, 0);
  const asked = tables.filter((table) => table.calls > 0).length;
  if (asked < LEAST_TABLES) return row;
  const error = Math.sqrt((squares * tables.length) / (tables.length - 1)) / calls;
  return { ...row, ...shareInterval(value, { error, cases: calls, clusters: asked }) };
}
