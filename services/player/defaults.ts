import { LONGEST_HELD_MS } from '@maw/bus/retries.ts';

export const defaultOptions = {
  /** How many decisions run at once. */
  concurrency: 500,
  /** The recipe of seats without one. */
  defaultRecipe: 'algorithm-1',
  /** n of Algorithm 1: the longest wait between two thoughts of a mind with a model, in milliseconds. */
  maxWaitMs: 10_000,
  /** The same for minds without a model. */
  paceMs: 250,
  /** The share of a question's time that is reserved for acting, 0 to 1. */
  shortShare: 0.2,
  /** How long before the end of a question its last answer must be sent, in milliseconds. */
  marginMs: 300,
  /** The longest that one completion may take, in milliseconds. */
  completionMs: 60_000,
  /** The interval at which a room without events is read, in milliseconds. */
  readEveryMs: 15_000,
  /** Tokens of a prompt and its reply together, whatever a recipe allows; at most the gateway's `num_ctx`. */
  contextTokens: 8_192,
  /** How often it is told at most which models' replies cannot be used, in milliseconds. */
  tellEveryMs: 60_000,
  /** How long a decision keeps its message, in milliseconds; then it gives it back between two thoughts, and goes on when it comes again. */
  keepMessageMs: LONGEST_HELD_MS,
};

export type PlayerOptions = Readonly<typeof defaultOptions>;
