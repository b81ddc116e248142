import { createHmac, randomBytes } from 'node:crypto';
import type { Contest } from './definition.ts';

/** A seed that nobody can guess, for a contest that has none. */
export const drawSeed = (): string => randomBytes(16).toString('hex');

/** The seed of a contest that has begun. @throws Error for one that has not: nothing may be dealt from a seed that everybody knows */
export function seedOf({ name, seed }: Pick<Contest, 'name' | 'seed'>): string {
  if (seed === undefined) throw new Error(`the contest ${name} has no seed yet: one is drawn when it begins`);
  return seed;
}

/** Another secret made of a seed: it tells neither the seed nor any other one. */
export const secretOf = (seed: string, ...parts: readonly (string | number)[]): string =>
  createHmac('sha256', seed).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** What is asked of a contest here: views of contests are looser than contests. */
type Competing = { readonly agents?: Contest['agents'] };

export const hasOutside = ({ agents = [] }: Competing): boolean => agents.some(({ outside }) => outside !== undefined);

/**
 * Whether no deal is played twice, as outside agents remember. Contests that began before seeds were drawn have a written one, or `maw`, and go on
 * as they began.
 */
export const isSealed = (contest: Contest): boolean => hasOutside(contest) && /^[0-9a-f]{32}$/.test(contest.seed ?? '');

/** Whether nobody may be told the seed: tables run by it, or may run again with outside agents, who would know their roles. */
export const isSeedSecret = (contest: Competing, state: string | undefined): boolean =>
  state === 'running' || state === 'stopping' || (hasOutside(contest) && state !== 'finished');
