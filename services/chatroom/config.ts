import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { type ChatroomOptions, defaultOptions } from './defaults.ts';

const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

/** The environment variables of the chatroom. */
export const chatroomConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  DATABASE_POOL: count(8, 'Connections to the database'),
  CHATROOM_CONCURRENCY: count(defaultOptions.concurrency, 'Messages processed at the same time'),
  AHEAD_MS: count(defaultOptions.aheadMs, 'How long a message that arrives before its room waits for it, in milliseconds'),
  SPEECHES_PER_SECOND: z.coerce
    .number()
    .min(0.01)
    .default(defaultOptions.speechesPerSecond)
    .describe('Speeches of one seat per second, at each replica'),
  SPEECH_BURST: count(defaultOptions.burst, 'Burst of speeches of one seat'),
});

type ChatroomConfig = z.output<typeof chatroomConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): ChatroomConfig => readConfig(chatroomConfig, env);

/** The options of the service. */
export const optionsOf = (given: ChatroomConfig): ChatroomOptions => ({
  concurrency: given.CHATROOM_CONCURRENCY,
  aheadMs: given.AHEAD_MS,
  speechesPerSecond: given.SPEECHES_PER_SECOND,
  burst: given.SPEECH_BURST,
});
