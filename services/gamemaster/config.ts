import { cardsWith, recipeFields } from '@maw/recipes/recipes.ts';
import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { type GamemasterOptions, defaultOptions } from './defaults.ts';

const count = (usual: number, says: string, least = 1) => z.coerce.number().int().min(least).default(usual).describe(says);
/** Five times this has to be longer than an ordinary pause of a healthy process, or that would be an outage. */
const SHORTEST_HEARTBEAT_MS = 50;

const { behind } = defaultOptions;

/** The environment variables of the gamemaster. */
export const gamemasterConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  ...recipeFields(cardsWith),
  DATABASE_POOL: count(8, 'Connections to the database'),
  DATABASE_DISK_GB: z.coerce
    .number()
    .positive()
    .optional()
    .describe('Size of the disk of the database, in gigabytes, for the alert DatabaseFilling: it cannot be asked'),
  ALARM_EVERY_MS: count(defaultOptions.alarmEveryMs, 'Polling interval for due alarms, in milliseconds'),
  GAMEMASTER_CONCURRENCY: count(defaultOptions.concurrency, 'Messages processed at the same time; those of one table one after another'),
  TABLES_IN_MEMORY: count(defaultOptions.tablesInMemory, 'Running tables kept in memory; the rest is read back from the tapes'),
  EVENTS_IN_MEMORY: count(
    defaultOptions.eventsInMemory,
    'Events of all tables kept in memory, each counted once by itself and once for each eye that has seen it; about 0.2 kB each',
  ),
  PULSE_MS: count(
    defaultOptions.heartbeatMs,
    `Heartbeat interval, in milliseconds, at least ${SHORTEST_HEARTBEAT_MS}; after an outage of all gamemasters longer than five times this, tables get the time back`,
    SHORTEST_HEARTBEAT_MS,
  ),
  DEFAULT_RECIPE: z
    .string()
    .min(1)
    .default(defaultOptions.defaultRecipe)
    .describe('Recipe of seats without one; the same as of the player'),
  OBEY_CAPACITY: z
    .stringbool()
    .prefault(defaultOptions.obeyCapacity ? 'yes' : 'no')
    .describe('Whether to refuse tables whose minds need a model while the gateway reports no capacity: yes or no'),
  OBEY_BACKLOG: z
    .stringbool()
    .prefault(defaultOptions.obeyBacklog ? 'yes' : 'no')
    .describe('Whether to refuse tables while this gamemaster has a backlog: yes or no'),
  BEHIND_MESSAGE_MS: count(behind.messageMs, 'Backlog limit: queueing time of messages, in milliseconds'),
  BEHIND_ALARM_MS: count(behind.alarmMs, 'Backlog limit: lateness of phase ends, in milliseconds'),
  BEHIND_APPEND_MS: count(behind.appendMs, 'Backlog limit: duration of appends, in milliseconds'),
  BEHIND_UNSENT: count(behind.unsent, 'Backlog limit: messages unconfirmed by the broker'),
  BEHIND_WINDOW_MS: count(
    behind.windowMs,
    'Window in which all values must exceed a limit before tables are refused, and stay below half of it before they are opened again, in milliseconds',
  ),
});

type GamemasterConfig = z.output<typeof gamemasterConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): GamemasterConfig =>
  readConfig(gamemasterConfig, env);

/** The options of the service. */
export const optionsOf = (given: GamemasterConfig): GamemasterOptions => ({
  alarmEveryMs: given.ALARM_EVERY_MS,
  concurrency: given.GAMEMASTER_CONCURRENCY,
  tablesInMemory: given.TABLES_IN_MEMORY,
  eventsInMemory: given.EVENTS_IN_MEMORY,
  heartbeatMs: given.PULSE_MS,
  shareEveryMs: defaultOptions.shareEveryMs,
  metricsEveryMs: defaultOptions.metricsEveryMs,
  defaultRecipe: given.DEFAULT_RECIPE,
  obeyCapacity: given.OBEY_CAPACITY,
  obeyBacklog: given.OBEY_BACKLOG,
  behind: {
    messageMs: given.BEHIND_MESSAGE_MS,
    alarmMs: given.BEHIND_ALARM_MS,
    appendMs: given.BEHIND_APPEND_MS,
    unsent: given.BEHIND_UNSENT,
    windowMs: given.BEHIND_WINDOW_MS,
  },
});
