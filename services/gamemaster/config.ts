import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { type GamemasterOptions, defaultOptions } from './service.ts';

const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

const { behind } = defaultOptions;

/** What the gamemaster is told by its environment. */
export const gamemasterConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  DATABASE_POOL: count(8, 'Connections to the database'),
  ALARM_EVERY_MS: count(defaultOptions.alarmEveryMs, 'How often due alarms are looked for, in milliseconds'),
  GAMEMASTER_CONCURRENCY: count(defaultOptions.concurrency, 'Messages in hand at once; of one table one after another'),
  TABLES_IN_MEMORY: count(
    defaultOptions.tablesInMemory,
    'Running tables kept in memory, and a few that are over; the rest is read back from the tapes',
  ),
  EVENTS_IN_MEMORY: count(
    defaultOptions.eventsInMemory,
    'Events kept in memory of all tables together, each counted once by itself and once for each eye that has seen it; about 0.2 kB each',
  ),
  PULSE_MS: count(
    defaultOptions.pulseMs,
    'How often it says that it has broker and database, in milliseconds; when no gamemaster does for five times as long, tables get the time back',
  ),
  OBEY_CAPACITY: z
    .stringbool()
    .prefault(defaultOptions.obeyCapacity ? 'yes' : 'no')
    .describe('Whether tables whose minds need a model are refused while the gateway says that the models have no room: yes or no'),
  OBEY_BACKLOG: z
    .stringbool()
    .prefault(defaultOptions.obeyBacklog ? 'yes' : 'no')
    .describe('Whether tables are refused while this gamemaster is behind with the games that run: yes or no'),
  BEHIND_MESSAGE_MS: count(
    behind.messageMs,
    'It is behind when messages have waited longer than this until it takes them, in milliseconds',
  ),
  BEHIND_ALARM_MS: count(behind.alarmMs, 'It is behind when it ends phases later than this, in milliseconds'),
  BEHIND_APPEND_MS: count(behind.appendMs, 'It is behind when writing events down takes longer than this, in milliseconds'),
  BEHIND_UNSENT: count(behind.unsent, 'It is behind when more messages than this wait for the broker'),
  BEHIND_WINDOW_MS: count(
    behind.windowMs,
    'For how long all of a kind must be beyond their bound before tables are refused, and within half of it before they are opened again, in milliseconds',
  ),
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
  eventsInMemory: given.EVENTS_IN_MEMORY,
  pulseMs: given.PULSE_MS,
  censusMs: defaultOptions.censusMs,
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
