import { ConfigError, readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, storeTlsFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import type { HttpOptions } from './http/http-server.ts';
import { httpFields, httpOptionsOf } from './http/config-fields.ts';
import { isCloud, isModelName } from '@maw/contracts/model-name.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, mapLimits } from './agent-limits.ts';
import { type GatewayOptions, defaultOptions } from './options.ts';
import { parseConfigFile } from './server-config/config-file.ts';
import { readText } from './server-config/json-file.ts';
import { parseServerList } from './server-config/server-list.ts';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const HOUR = 3_600_000;
const yes = (usual: boolean) => z.stringbool().prefault(usual ? 'yes' : 'no');
const servers = z.string().superRefine((text, context) => {
  for (const message of parseServerList(text).mistakes) context.addIssue({ code: 'custom', message });
});

/** `agentRpm` as a variable: AGENT_RPM. */
type Variable<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Uppercase<Head> : `_${Head}`}${Variable<Rest>}`
  : '';
const variableOf = (name: LimitName) => name.replace(/[A-Z]/g, '_$&').toUpperCase() as Variable<LimitName>;
const limitFields = Object.fromEntries(
  LIMIT_NAMES.map((name) => {
    const { range, default: usual, about } = LIMITS[name];
    return [variableOf(name), whole(range[0], range[1]).default(usual).describe(about)];
  }),
) as { [variable in Variable<LimitName>]: z.ZodDefault<z.ZodCoercedNumber> };

/** The variables of the gateway. */
export const gatewayFields = z.object({
  ...busFields,
  ...telemetryFields,
  ...lifeFields,
  OLLAMA_URLS: servers
    .optional()
    .describe('The Ollama servers, comma between, each with its slots if they differ: `http://a:11434=4,b`; without it OLLAMA_HOST'),
  OLLAMA_HOST: servers.default('127.0.0.1:11434').describe('The one Ollama server, in any form Ollama takes; OLLAMA_URLS goes first'),
  GATEWAY_CONFIG: z
    .string()
    .optional()
    .describe('A file that says which servers there are and what the limits are; it is watched, and goes before OLLAMA_URLS'),
  OPENAI_API_KEY: z.string().optional().describe('The key of the servers of kind openai in GATEWAY_CONFIG that name no file with one'),
  KEY_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the key files that servers added by messages or over HTTP may name; without it GATEWAY_CONFIG alone names key files',
    ),
  SLOTS_PER_SERVER: whole(1, 1024).default(1).describe('What a server is sent at once; its own OLLAMA_NUM_PARALLEL'),
  MODEL: z
    .string()
    .refine(isModelName, 'must be the name of a model')
    .refine((name) => !isCloud(name), 'must be a model on a server of yours, not in a cloud')
    .optional()
    .describe('The model of those who name none; without it the first that can chat on the first server that is up'),
  NUM_CTX: whole(256, 1_048_576)
    .default(defaultOptions.numCtx)
    .describe('Tokens of context, the same for all: another would reload the model'),
  KEEP_ALIVE: z
    .string()
    .regex(/^-?(\d+|(\d+(\.\d+)?(ns|us|ms|s|m|h))+)$/, 'must be seconds or a duration like 30m; negative is for ever')
    .default(String(defaultOptions.keepAlive))
    .describe('How long a model stays in memory after use: seconds, or a duration like 30m; negative is for ever'),
  WARM_UP: yes(defaultOptions.warmUp).describe(
    'Whether the default model is loaded when a server comes up, before anybody asks for it: yes or no',
  ),
  CHECK_SLOTS: yes(defaultOptions.checkSlots).describe(
    'Whether it is tried out how many slots an Ollama server really has, by a few tiny requests while it is idle: yes or no',
  ),
  LOAD_MS: whole(10, HOUR).default(defaultOptions.loadMs).describe('How long the load of a model may take'),
  STALL_MS: whole(10, HOUR).default(defaultOptions.stallMs).describe('How long nothing may come in a stream before it has stalled'),
  ...limitFields,
  HEALTH_EVERY_MS: whole(10, HOUR).default(defaultOptions.healthEveryMs).describe('How often servers are asked how they are'),
  PROBE_MS: whole(10, HOUR).default(defaultOptions.probeMs).describe('How long a server may take to say how it is'),
  PATIENCE_MS: whole(0, HOUR).default(defaultOptions.patienceMs).describe('How long a completion waits for a server that is down'),
  LONGEST_MS: whole(1, 24 * HOUR)
    .default(defaultOptions.maxRequestMs)
    .describe('The deadline of completions that have none, and of those that would wait for longer'),
  MAX_IN_HAND: whole(1, 65_535)
    .default(defaultOptions.maxInFlight)
    .describe('Messages in hand at once, most of them waiting for a slot; cancellations wait only when there are more'),
  GRACE_PREFILL_MS: whole(0, HOUR)
    .default(defaultOptions.graceMs)
    .describe('How long at most a slot counts as busy after its call was given up before the first token'),
  REPLY_MS: whole(0, HOUR)
    .default(defaultOptions.replyMs)
    .describe('What an answer needs to get back to its asker: it is made no longer than fits into the time before'),
  CAPACITY_EVERY_MS: whole(100, HOUR)
    .default(defaultOptions.capacityEveryMs)
    .describe('How often it says how busy the pool is and how many more games fit'),
  KEEP_ANSWERS_MS: whole(0, HOUR)
    .default(defaultOptions.keepMs)
    .describe('How long an answer is kept for those who ask again with the same id'),
  RECORD: z
    .enum(['off', 'record', 'replay'])
    .default(defaultOptions.record)
    .describe('record keeps what comes of every request in the database; replay answers from there, and asks no server'),
  RECORDING: z.string().min(1).max(100).default(defaultOptions.recording).describe('The name of the recording; many lie in one database'),
  DATABASE_URL: storeFields.DATABASE_URL.optional().describe(
    'The PostgreSQL database of recordings and of what budgets have used; needed unless RECORD is off',
  ),
  ...storeTlsFields,
  ...httpFields,
});

type Config = z.output<typeof gatewayFields> & {
  readonly options: GatewayOptions;
  readonly http: HttpOptions | undefined;
  /** How long requests in flight may take once the gateway closes; the rest is returned to the queue before the process has to end. */
  readonly handMs: number;
};

/**
 * Reads the environment.
 * @throws ConfigError with every mistake, of the files of servers and keys too
 */
export function gatewayConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const config = readConfig(gatewayFields, env);
  const options = optionsOf(config);
  if (options.record !== 'off' && config.DATABASE_URL === undefined)
    throw new ConfigError([`DATABASE_URL: RECORD=${options.record} needs the database of the recordings: postgres://...`]);
  const handMs = Math.round(config.GRACE_MS * 0.7);
  const own = { ...config, handMs, http: httpOptionsOf(config, handMs) };
  if (config.GATEWAY_CONFIG === undefined) return { ...own, options };
  try {
    return { ...own, options: { ...options, ...fromFile(config.GATEWAY_CONFIG, config.OPENAI_API_KEY, options) } };
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(error.mistakes.map((mistake) => `GATEWAY_CONFIG: ${mistake}`));
    throw error;
  }
}

/** @throws ConfigError */
function fromFile(path: string, key: string | undefined, { defaultSlots: slots, ...others }: GatewayOptions): Partial<GatewayOptions> {
  const text = readText(path);
  const pool = parseConfigFile(text, { path, slots, key });
  return { servers: pool.servers, ...pool.limits, file: { path, text, slots, key, limits: mapLimits((name) => others[name]) } };
}

const optionsOf = (config: z.output<typeof gatewayFields>): GatewayOptions => ({
  ...mapLimits((name) => config[variableOf(name)]),
  servers: parseServerList(config.OLLAMA_URLS ?? config.OLLAMA_HOST).entries.map(({ address, slots }) => ({
    ...address,
    slots: slots ?? config.SLOTS_PER_SERVER,
  })),
  model: config.MODEL,
  numCtx: config.NUM_CTX,
  // Ollama reads a number as seconds; the same as a text is an error.
  keepAlive: /^-?\d+$/.test(config.KEEP_ALIVE) ? Number(config.KEEP_ALIVE) : config.KEEP_ALIVE,
  loadMs: config.LOAD_MS,
  stallMs: config.STALL_MS,
  healthEveryMs: config.HEALTH_EVERY_MS,
  probeMs: config.PROBE_MS,
  patienceMs: config.PATIENCE_MS,
  maxRequestMs: config.LONGEST_MS,
  maxInFlight: config.MAX_IN_HAND,
  graceMs: config.GRACE_PREFILL_MS,
  replyMs: config.REPLY_MS,
  capacityEveryMs: config.CAPACITY_EVERY_MS,
  keepMs: config.KEEP_ANSWERS_MS,
  defaultSlots: config.SLOTS_PER_SERVER,
  warmUp: config.WARM_UP,
  checkSlots: config.CHECK_SLOTS,
  record: config.RECORD,
  recording: config.RECORDING,
  keyFolder: config.KEY_FOLDER,
  file: undefined,
});
