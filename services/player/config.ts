import { recipesWith } from '@maw/minds/recipes.ts';
import { recipeFields } from '@maw/recipes/recipes.ts';
import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { type PlayerOptions, defaultOptions } from './defaults.ts';

const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

/** The environment variables of the service. */
export const playerConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  ...recipeFields(recipesWith),
  DATABASE_POOL: count(8, 'Connections to the database'),
  PLAYER_CONCURRENCY: count(defaultOptions.concurrency, 'Decisions that run at once'),
  DEFAULT_RECIPE: z.string().min(1).default(defaultOptions.defaultRecipe).describe('Recipe of seats without one'),
  MAX_WAIT_S: z.coerce
    .number()
    .min(0)
    .default(defaultOptions.maxWaitMs / 1000)
    .describe('n of Algorithm 1: the longest wait between two thoughts, in seconds'),
  PACE_MS: count(defaultOptions.paceMs, 'The same for minds without a model, in milliseconds'),
  SHORT_SHARE: z.coerce
    .number()
    .min(0)
    .max(0.9)
    .default(defaultOptions.shortShare)
    .describe('Share of a question’s time that is reserved for acting, 0 to 0.9'),
  MARGIN_MS: count(defaultOptions.marginMs, 'How long before the end of a question its last answer must be sent, in milliseconds'),
  COMPLETION_MS: count(defaultOptions.completionMs, 'The longest that one completion may take, in milliseconds'),
  READ_EVERY_MS: count(defaultOptions.readEveryMs, 'How often a room without events is read, in milliseconds'),
  CONTEXT_TOKENS: count(defaultOptions.contextTokens, 'Tokens of a prompt and its reply; at most the num_ctx of the gateway'),
});

export type PlayerConfig = z.output<typeof playerConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): PlayerConfig => readConfig(playerConfig, env);

/** The options of the service that the variables set. */
export const optionsOf = (given: PlayerConfig): PlayerOptions => ({
  concurrency: given.PLAYER_CONCURRENCY,
  defaultRecipe: given.DEFAULT_RECIPE,
  maxWaitMs: Math.round(given.MAX_WAIT_S * 1000),
  paceMs: given.PACE_MS,
  shortShare: given.SHORT_SHARE,
  marginMs: given.MARGIN_MS,
  completionMs: given.COMPLETION_MS,
  readEveryMs: given.READ_EVERY_MS,
  contextTokens: given.CONTEXT_TOKENS,
  tellEveryMs: defaultOptions.tellEveryMs,
  keepMessageMs: defaultOptions.keepMessageMs,
});
