import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, storeTlsFields, telemetryFields } from '@maw/service/config-fields.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { z } from 'zod';
import { defaultOptions, type WebOptions } from './options.ts';
import { MAX_TOKEN_MS } from './auth/token.ts';

const ms = (usual: number, says: string) =>
  z.coerce.number().int().min(1).max(2_147_483_647).default(usual).describe(`${says}, in milliseconds`);
const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

const tokenMs = (usual: number, says: string) =>
  z.coerce.number().int().min(1000).max(MAX_TOKEN_MS).default(usual).describe(`${says}, in milliseconds; 30 days at most`);
/** The first signs, all verify. */
const secretsIn = (text: string): string[] =>
  text
    .split(/[,\r\n]+/)
    .map((each) => each.trim())
    .filter(Boolean);

/** What the web is told by its environment. */
export const webConfig = z
  .object({
    ...busFields,
    ...telemetryFields,
    ...lifeFields,
    WEB_HOST: z.string().default('127.0.0.1').describe('Interface of the door; 0.0.0.0 in a container'),
    WEB_PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port of the door; 0 takes a free one'),
    DATABASE_URL: storeFields.DATABASE_URL.optional().describe(
      'The PostgreSQL database in which it is kept what was revoked, and what administrators did; without it that is known to this process alone, and gone with it',
    ),
    ...storeTlsFields,
    WEB_SECRET: z
      .string()
      .refine((text) => secretsIn(text).length > 0 && secretsIn(text).every((each) => each.length >= 32), 'each at least 32 characters')
      .optional()
      .describe(
        'What tokens are signed with, the same for all replicas; several with commas or line breaks between: the first signs, all verify. Without it a new one, and tokens end with the process',
      ),
    MAW_ADMIN_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or . _ ~ + / = -')
      .optional()
      .describe('What an administrator bears'),
    MAW_OPEN: z
      .enum(['0', '1'])
      .default('0')
      .describe('1: everybody may open tables, join and watch as the audience; only while the door listens on this machine alone'),
    REQUEST_MS: ms(defaultOptions.busRequestMs, 'How long the other services are waited for'),
    TOKEN_MS: tokenMs(defaultOptions.tokenMs, 'How long tokens are good for'),
    ADMIN_TOKEN_MS: tokenMs(defaultOptions.adminTokenMs, 'How long tokens of administrators are good for'),
    REVOKED_EVERY_MS: ms(defaultOptions.revocationPollMs, 'How often it is looked for what other replicas have revoked'),
    KEEP_ALIVE_MS: ms(defaultOptions.keepAliveMs, 'A comment on quiet event streams this often'),
    POLL_MS: ms(defaultOptions.pollMs, 'How often an event stream looks although nothing rang'),
    SLOW_MS: ms(defaultOptions.slowReaderMs, 'How long a reader of a stream may take nothing before it is disconnected'),
    STREAMS_MOST: count(defaultOptions.maxStreams, 'Event streams in this process at once'),
    STREAMS_PER_TOKEN: count(defaultOptions.maxStreamsPerToken, 'Event streams of one token at once'),
    RATE_PER_TOKEN: count(defaultOptions.perToken, 'Requests per second of one token; administrators have no limit'),
    RATE_PER_TOKEN_BURST: count(defaultOptions.tokenBurst, 'How many of them may come at once'),
    RATE_PER_ADDRESS: count(defaultOptions.perAddress, 'Requests per second without a good token, of one address'),
    RATE_PER_ADDRESS_BURST: count(defaultOptions.addressBurst, 'How many of them may come at once'),
    WEB_PROXIES: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(defaultOptions.proxies)
      .describe('How many proxies of yours stand in front and write `X-Forwarded-For`; with 0 nobody is believed about an address'),
    CONNECTIONS_MOST: count(defaultOptions.maxConnections, 'Connections to the door at once'),
    CONNECTIONS_PER_ADDRESS: count(
      defaultOptions.maxConnectionsPerClient,
      'Connections of one address at once; not counted behind a proxy',
    ),
    HEADERS_MS: ms(defaultOptions.headersMs, 'How long the head of a request may take to come'),
    BODY_MS: ms(defaultOptions.requestBodyMs, 'How long a whole request may take to come'),
    HEADER_BYTES: z.coerce
      .number()
      .int()
      .min(1024)
      .max(65_536)
      .default(defaultOptions.maxHeaderBytes)
      .describe('How long the head of a request may be, in bytes'),
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
  const [secret, ...oldSecrets] = given.WEB_SECRET === undefined ? [] : secretsIn(given.WEB_SECRET);
  return {
    host: given.WEB_HOST,
    port: given.WEB_PORT,
    secret,
    oldSecrets,
    adminToken: given.MAW_ADMIN_TOKEN,
    isOpen: given.MAW_OPEN === '1',
    busRequestMs: given.REQUEST_MS,
    tokenMs: given.TOKEN_MS,
    adminTokenMs: given.ADMIN_TOKEN_MS,
    revocationPollMs: given.REVOKED_EVERY_MS,
    keepAliveMs: given.KEEP_ALIVE_MS,
    pollMs: given.POLL_MS,
    slowReaderMs: given.SLOW_MS,
    graceMs: Math.floor(given.GRACE_MS / 2), // the other half is for the bus
    maxStreams: given.STREAMS_MOST,
    maxStreamsPerToken: given.STREAMS_PER_TOKEN,
    perToken: given.RATE_PER_TOKEN,
    tokenBurst: given.RATE_PER_TOKEN_BURST,
    perAddress: given.RATE_PER_ADDRESS,
    addressBurst: given.RATE_PER_ADDRESS_BURST,
    proxies: given.WEB_PROXIES,
    maxConnections: given.CONNECTIONS_MOST,
    maxConnectionsPerClient: given.CONNECTIONS_PER_ADDRESS,
    headersMs: given.HEADERS_MS,
    requestBodyMs: given.BODY_MS,
    drainMs: defaultOptions.drainMs,
    maxHeaderBytes: given.HEADER_BYTES,
  };
}
