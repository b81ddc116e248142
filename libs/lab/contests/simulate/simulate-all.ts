import { runPool, type PoolTerms } from '../arena/pool.ts';
import type { Job } from './job.ts';
import type { Simulated } from './simulator.ts';

/**
 * Plays the games of a job on several threads. What comes of a game depends on its number alone, not on who plays it or when.
 * @returns how many games were played
 * @throws Error when a mind fails, or a thread does
 */
export const simulateAll = (
  job: Job,
  { games, ...terms }: Pick<PoolTerms<Simulated>, 'workers' | 'signal' | 'each' | 'progress'> & { readonly games: number },
): Promise<number> => runPool<Simulated>({ ...terms, module: new URL('worker.ts', import.meta.url), data: job, count: games });
