import { LONGEST_HELD_MS } from '@maw/bus/retries.ts';

export interface PlayerOptions {
  /** How many decisions run at once. */
  readonly concurrency: number;
  /** The recipe of seats without one. */
  readonly defaultRecipe: string;
  /** n of Algorithm 1: the longest wait between two thoughts of a mind with a model, in milliseconds. */
  readonly maxWaitMs: number;
  /** The same for minds without a model. */
  readonly paceMs: number;
  /** The share of a question's time that is reserved for acting, 0 to 1. */
  readonly shortShare: number;
  /** How long before the end of a question its last answer must be sent, in milliseconds. */
  readonly marginMs: number;
  /** The longest that one completion may take, in milliseconds. */
  readonly completionMs: number;
  /** The interval at which a room without events is read, in milliseconds. */
  readonly readEveryMs: number;
  /** Tokens of a prompt and its reply together, whatever a recipe allows; at most the gateway's `num_ctx`. */
  readonly contextTokens: number;
  /** How often it is told at most which models' replies cannot be used, in milliseconds. */
  readonly tellEveryMs: number;
  /** How long a decision keeps its message, in milliseconds; then it gives it back between two thoughts, and goes on when it comes again. */
  readonly keepMessageMs: number;
}

export const defaultOptions: PlayerOptions = {
  concurrency: 500,
  defaultRecipe: 'algorithm-1',
  maxWaitMs: 10_000,
  paceMs: 250,
  shortShare: 0.2,
  marginMs: 300,
  completionMs: 60_000,
  readEveryMs: 15_000,
  contextTokens: 8_192,
  tellEveryMs: 60_000,
  keepMessageMs: LONGEST_HELD_MS,
};
