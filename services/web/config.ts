import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, telemetryFields } from '@maw/service/fields.ts';
import { z } from 'zod';
import { isLoopback } from './bearer.ts';
import { usualOptions, type WebOptions } from './service.ts';

const ms = (usual: number, says: string) =>
  z.coerce.number().int().min(1).max(2_147_483_647).default(usual).describe(`${says}, in milliseconds`);
const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

/** What the web is told by its environment. */
export const webConfig = z
  .object({
    ...busFields,
    ...telemetryFields,
    ...lifeFields,
    WEB_HOST: z.string().default('127.0.0.1').describe('Interface of the door; 0.0.0.0 in a container'),
    WEB_PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port of the door; 0 takes a free one'),
    WEB_SECRET: z
      .string()
      .min(32, 'at least 32 characters')
      .optional()
      .describe('What tokens are signed with, the same for all replicas; without it a new one, and tokens end with the process'),
    MAW_ADMIN_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or . _ ~ + / = -')
      .optional()
      .describe('What an administrator bears'),
    MAW_OPEN: z
      .enum(['0', '1'])
      .default('0')
      .describe('1: everybody may open tables, join and watch as the audience; only while the door listens on this machine alone'),
    REQUEST_MS: ms(usualOptions.requestMs, 'How long the other services are waited for'),
    TOKEN_MS: z.coerce.number().int().min(1000).default(usualOptions.tokenMs).describe('How long tokens are good for, in milliseconds'),
    KEEP_ALIVE_MS: ms(usualOptions.keepAliveMs, 'A comment on quiet event streams this often'),
    POLL_MS: ms(usualOptions.pollMs, 'How often an event stream looks although nothing rang'),
    SLOW_MS: ms(usualOptions.slowMs, 'How long a reader of a stream may take nothing before it is disconnected'),
    STREAMS_MOST: count(usualOptions.streamsMost, 'Event streams in this process at once'),
    STREAMS_PER_TOKEN: count(usualOptions.streamsPerToken, 'Event streams of one token at once'),
  })
  .refine(({ MAW_OPEN, WEB_HOST }) => MAW_OPEN === '0' || isLoopback(WEB_HOST), {
    path: ['MAW_OPEN'],
    message: 'lets everybody in, so WEB_HOST must be 127.0.0.1, localhost or ::1; give out tokens instead',
  });

export type WebConfig = z.output<typeof webConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): WebConfig => readConfig(webConfig, env);

/** The same as the service takes it. */
export function optionsOf(given: WebConfig): WebOptions {
  return {
    host: given.WEB_HOST,
    port: given.WEB_PORT,
    secret: given.WEB_SECRET,
    adminToken: given.MAW_ADMIN_TOKEN,
    isOpen: given.MAW_OPEN === '1',
    requestMs: given.REQUEST_MS,
    tokenMs: given.TOKEN_MS,
    keepAliveMs: given.KEEP_ALIVE_MS,
    pollMs: given.POLL_MS,
    slowMs: given.SLOW_MS,
    graceMs: Math.floor(given.GRACE_MS / 2), // the other half is for the bus
    streamsMost: given.STREAMS_MOST,
    streamsPerToken: given.STREAMS_PER_TOKEN,
  };
}
