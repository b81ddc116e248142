import { recipesWith } from '@maw/minds/recipes.ts';
import { recipeFields } from '@maw/recipes/recipes.ts';
import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { defaultOptions } from './defaults.ts';

/** The environment variables of the service. */
export const contestConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  ...recipeFields(recipesWith),
  CONTEST_TABLES: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(defaultOptions.maxTables)
    .describe('Tables of one contest that run at once, unless the contest wants fewer'),
  CONTEST_WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe('Threads that play a contest of minds without a model; without it as many as there are processors'),
});

type ContestConfig = z.output<typeof contestConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): ContestConfig => readConfig(contestConfig, env);
