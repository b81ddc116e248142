import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, storeTlsFields, telemetryFields } from '@maw/service/config-fields.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { z } from 'zod';
import { defaultOptions, type WebOptions } from './defaults.ts';
import { MAX_TOKEN_MS } from '@maw/contracts/http/tokens.ts';

const ms = (usual: number, says: string) =>
  z.coerce.number().int().min(1).max(2_147_483_647).default(usual).describe(`${says}, in milliseconds`);
const count = (usual: number, says: string) => z.coerce.number().int().min(1).default(usual).describe(says);

const tokenMs = (usual: number, says: string) =>
  z.coerce.number().int().min(1000).max(MAX_TOKEN_MS).default(usual).describe(`${says}, in milliseconds; 30 days at most`);
/** The secrets in a text, separated by commas or line breaks. */
const secretsIn = (text: string): string[] =>
  text
    .split(/[,\r\n]+/)
    .map((each) => each.trim())
    .filter(Boolean);

/** The environment variables of the service. */
export const webConfig = z
  .object({
    ...busFields,
    ...telemetryFields,
    ...lifeFields,
    WEB_HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 in a container'),
    WEB_PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port to listen on; 0: any free one'),
    DATABASE_URL: storeFields.DATABASE_URL.optional().describe(
      'PostgreSQL database for tokens, revocations and the audit log; without it they are in the memory of this process',
    ),
    ...storeTlsFields,
    WEB_SECRET: z
      .string()
      .refine((text) => secretsIn(text).length > 0 && secretsIn(text).every((each) => each.length >= 32), 'each at least 32 characters')
      .optional()
      .describe(
        'Signs tokens; the same for all replicas. Several, separated by commas or line breaks: the first signs, all verify. Default: a random one, so tokens end with the process',
      ),
    MAW_ADMIN_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or . _ ~ + / = -')
      .optional()
      .describe('Token of the administrator'),
    CONSOLE_DIR: z.string().optional().describe('Folder of the built console, served at `/`; without it `/` is a page of text'),
    MAW_OPEN: z
      .enum(['0', '1'])
      .default('0')
      .describe('1: everybody may open and operate tables, join and watch as the audience; only on a loopback address'),
    REQUEST_MS: ms(defaultOptions.busRequestMs, 'How long other services may take to reply'),
    TOKEN_MS: tokenMs(defaultOptions.tokenMs, 'How long tokens are valid'),
    ADMIN_TOKEN_MS: tokenMs(defaultOptions.adminTokenMs, 'How long tokens of administrators are valid'),
    REVOKED_EVERY_MS: ms(defaultOptions.revocationPollMs, 'How often revocations of other replicas are read'),
    KEEP_ALIVE_MS: ms(defaultOptions.streamKeepAliveMs, 'How often a quiet event stream sends a comment'),
    POLL_MS: ms(defaultOptions.pollMs, 'How often an event stream reads its view without a notification'),
    SLOW_MS: ms(defaultOptions.slowReaderMs, 'How long the reader of a stream may read nothing before it is disconnected'),
    STREAMS_MOST: count(defaultOptions.maxStreams, 'Open event streams of this process'),
    STREAMS_PER_TOKEN: count(defaultOptions.maxStreamsPerToken, 'Open event streams of one token of a seat or an administrator'),
    STREAMS_PER_ADDRESS: count(
      defaultOptions.maxStreamsPerClient,
      'Open event streams of one address with tokens of spectators, or without one: a link to watch may be shared by many people',
    ),
    RATE_PER_TOKEN: count(defaultOptions.perToken, 'Requests per second with one token; administrators are not limited'),
    RATE_PER_TOKEN_BURST: count(defaultOptions.tokenBurst, 'Burst: how many of them at once'),
    RATE_PER_ADDRESS: count(defaultOptions.perAddress, 'Requests per second without a valid token, from one address'),
    RATE_PER_ADDRESS_BURST: count(defaultOptions.addressBurst, 'Burst: how many of them at once'),
    WEB_PROXIES: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(defaultOptions.proxies)
      .describe('The number of your reverse proxies that write `X-Forwarded-For`; 0: the header is ignored'),
    CONNECTIONS_MOST: count(defaultOptions.maxConnections, 'Open connections'),
    CONNECTIONS_PER_ADDRESS: count(defaultOptions.maxConnectionsPerClient, 'Open connections of one address; not limited behind a proxy'),
    HEADERS_MS: ms(defaultOptions.headersMs, 'How long the headers of a request may take to arrive'),
    BODY_MS: ms(defaultOptions.requestBodyMs, 'How long a whole request may take to arrive'),
    HEADER_BYTES: z.coerce
      .number()
      .int()
      .min(1024)
      .max(65_536)
      .default(defaultOptions.maxHeaderBytes)
      .describe('The longest headers of a request, in bytes'),
  })
  .refine(({ MAW_OPEN, WEB_HOST }) => MAW_OPEN === '0' || isLoopback(WEB_HOST), {
    path: ['MAW_OPEN'],
    message: 'opens the service to everybody, so WEB_HOST must be 127.0.0.1, localhost or ::1; issue tokens instead',
  });

type WebConfig = z.output<typeof webConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): WebConfig => readConfig(webConfig, env);

/** The options of the service that the variables set. */
export function optionsOf(given: WebConfig): Omit<WebOptions, 'networkHost'> {
  const [secret, ...oldSecrets] = given.WEB_SECRET === undefined ? [] : secretsIn(given.WEB_SECRET);
  return {
    host: given.WEB_HOST,
    port: given.WEB_PORT,
    secret,
    oldSecrets,
    adminToken: given.MAW_ADMIN_TOKEN,
    isOpen: given.MAW_OPEN === '1',
    consoleDir: given.CONSOLE_DIR,
    busRequestMs: given.REQUEST_MS,
    tokenMs: given.TOKEN_MS,
    adminTokenMs: given.ADMIN_TOKEN_MS,
    revocationPollMs: given.REVOKED_EVERY_MS,
    streamKeepAliveMs: given.KEEP_ALIVE_MS,
    pollMs: given.POLL_MS,
    slowReaderMs: given.SLOW_MS,
    graceMs: Math.floor(given.GRACE_MS / 2), // the bus has the other half
    maxStreams: given.STREAMS_MOST,
    maxStreamsPerToken: given.STREAMS_PER_TOKEN,
    maxStreamsPerClient: given.STREAMS_PER_ADDRESS,
    lobbyEveryMs: defaultOptions.lobbyEveryMs,
    perToken: given.RATE_PER_TOKEN,
    tokenBurst: given.RATE_PER_TOKEN_BURST,
    perAddress: given.RATE_PER_ADDRESS,
    addressBurst: given.RATE_PER_ADDRESS_BURST,
    proxies: given.WEB_PROXIES,
    maxConnections: given.CONNECTIONS_MOST,
    maxConnectionsPerClient: given.CONNECTIONS_PER_ADDRESS,
    headersMs: given.HEADERS_MS,
    requestBodyMs: given.BODY_MS,
    maxHeaderBytes: given.HEADER_BYTES,
  };
}
