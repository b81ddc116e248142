import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/fields.ts';
import { z } from 'zod';
import { type GamemasterOptions, usualOptions } from './service.ts';

const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

/** What the gamemaster is told by its environment. */
export const gamemasterConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  DATABASE_POOL: count(8, 'Connections to the database'),
  ALARM_EVERY_MS: count(usualOptions.alarmEveryMs, 'How often due alarms are looked for, in milliseconds'),
  GAMEMASTER_CONCURRENCY: count(usualOptions.concurrency, 'Messages in hand at once; of one table one after another'),
  TABLES_IN_MEMORY: count(
    usualOptions.tablesInMemory,
    'Running tables kept in memory, and a few that are over; the rest is read back from the tapes',
  ),
  OBEY_CAPACITY: z
    .stringbool()
    .prefault(usualOptions.obeyCapacity ? 'yes' : 'no')
    .describe('Whether tables whose minds need a model are refused while the gateway says that the models have no room: yes or no'),
});

export type GamemasterConfig = z.output<typeof gamemasterConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): GamemasterConfig =>
  readConfig(gamemasterConfig, env);

/** The same as the service takes it. */
export const optionsOf = (given: GamemasterConfig): GamemasterOptions => ({
  alarmEveryMs: given.ALARM_EVERY_MS,
  concurrency: given.GAMEMASTER_CONCURRENCY,
  tablesInMemory: given.TABLES_IN_MEMORY,
  obeyCapacity: given.OBEY_CAPACITY,
});
