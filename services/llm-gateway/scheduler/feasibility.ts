import { Refusal } from '@maw/contracts/refusal.ts';
import type { Estimates } from './estimates.ts';
import type { Job } from '../request.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/registry.ts';

/** What can be said beforehand of whether a job comes to its end in time. Only what was learnt lately is a reason to give up on somebody. */
export interface Prospects {
  /** The servers that are up and may do it. */
  able(key: string): readonly Server[];
  /** What it takes on the fastest of these, in milliseconds; 0 while that of one of them is not known. */
  leastMs(job: Job, key: string, among?: readonly Server[]): number;
  /** As many tokens as fit into the time that is left. @throws Refusal late when an answer cut there would be of no use */
  fittingTokens(job: Job, key: string, server: string): number;
  /**
   * How long the slot of a call that was given up is busy still, after `sinceMs` on the server: as long as its prompt takes, unless the
   * first token had come.
   */
  graceMs(job: Job, key: string, server: string, sinceMs: number): number;
  /** Whether a call that was given up had waited for its first token so long that the server must have stopped working. */
  isStuck(job: Job, key: string, server: string, sinceMs: number): boolean;
}

/** An answer cut below so many tokens is of no use. */
const FEWEST_TOKENS = 16;
/** Nothing is stuck before so many times what its prompt takes, and so many milliseconds. */
const STUCK = { times: 5, ms: 5_000 };

export function prospects(parts: {
  servers: Servers;
  guesses: Estimates;
  now(): number;
  options: { readonly graceMs: number; readonly replyMs: number };
}): Prospects {
  const { servers, guesses, now, options } = parts;
  const able = (key: string): readonly Server[] => servers.all.filter((one) => one.isUp && !one.isDraining && one.models.has(key));
  return {
    able,
    leastMs(job, key, among = able(key)) {
      const kind = job.size.maxTokens > 0 ? job.size.kind : undefined; // vectors have no length
      let least = Infinity;
      for (const { name } of among) {
        if (!guesses.isKnown(key, name, now(), kind)) return 0;
        least = Math.min(least, guesses.expect(key, job.size, name).slotMs);
      }
      return least === Infinity ? 0 : least;
    },
    fittingTokens({ size, deadline }, key, server) {
      if (!guesses.isKnown(key, server, now())) return size.maxTokens;
      const fits = guesses.tokensIn(key, server, size.promptTokens, deadline - now() - options.replyMs);
      if (fits < Math.min(FEWEST_TOKENS, size.maxTokens))
        throw new Refusal('late', `only ${Math.max(0, fits)} tokens would fit into the time left`);
      return Math.min(size.maxTokens, fits);
    },
    graceMs(job, key, server, sinceMs) {
      if (job.hasBegun || guesses.pace(key, server) === undefined) return 0;
      return Math.min(options.graceMs, Math.max(0, guesses.expect(key, job.size, server).prefillMs - sinceMs));
    },
    isStuck(job, key, server, sinceMs) {
      // Where nothing is known a guess must do: a server that never says anything is never known, and looks idle and fast to whoever chooses.
      if (job.hasBegun) return false;
      return sinceMs > Math.max(STUCK.ms, STUCK.times * guesses.expect(key, job.size, server).prefillMs);
    },
  };
}
