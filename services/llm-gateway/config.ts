import { ConfigError, readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, storeTlsFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import type { HttpOptions } from './http/http-server.ts';
import { httpFields, httpOptionsOf } from './http/config-fields.ts';
import { isCloud, isModelName, keyOf } from '@maw/contracts/model-name.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, mapLimits } from './agent-limits.ts';
import { type GatewayOptions, defaultOptions } from './defaults.ts';
import { parseConfigFile } from './server-config/config-file.ts';
import { readText } from './server-config/json-file.ts';
import { parseServer } from './server-config/parse-server.ts';
import type { ServerKind } from './server-options.ts';
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

const MAX_FALLBACKS = 4;

/** Reads `a=b,b=c` into what follows each model, by keys. */
function parseFallbacks(text: string, context: z.RefinementCtx): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [from = '', to = '', ...more] = pair.split('=').map((name) => name.trim());
    if (more.length > 0 || ![from, to].every((name) => isModelName(name) && !isCloud(name)))
      refuse(`"${pair.trim()}" must be MODEL=FALLBACK, both on servers of yours`);
    else if (found.has(keyOf(from))) refuse(`${from} has two fallbacks; write FIRST=SECOND for the next one`);
    else found.set(keyOf(from), keyOf(to));
  }
  for (const first of found.keys()) {
    let count = 0;
    for (let next = found.get(first); next !== undefined && count <= MAX_FALLBACKS; next = found.get(next)) count++;
    if (count > MAX_FALLBACKS) refuse(`${first} leads in a circle, or to more than ${MAX_FALLBACKS} models`);
  }
  return found;
}

/** The variables of the gateway. */
export const gatewayFields = z.object({
  ...busFields,
  ...telemetryFields,
  ...lifeFields,
  OLLAMA_URLS: servers
    .optional()
    .describe('The Ollama servers, separated by commas, each with its slots if they differ: `http://a:11434=4,b`; default: OLLAMA_HOST'),
  OLLAMA_HOST: servers
    .default('127.0.0.1:11434')
    .describe('The Ollama server, in any form that Ollama accepts; OLLAMA_URLS takes precedence'),
  GATEWAY_CONFIG: z
    .string()
    .optional()
    .describe('A file with the servers and limits; it is watched, and takes precedence over OLLAMA_URLS'),
  OLLAMA_API_KEY: z.string().optional().describe('The bearer token for the servers in OLLAMA_URLS or OLLAMA_HOST, where a proxy wants one'),
  OPENAI_URLS: servers
    .optional()
    .describe(
      'Servers of the OpenAI protocol, as whole addresses: `https://api.openai.com/v1=8`; without OLLAMA_URLS they are the only ones',
    ),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe('The key for the servers in OPENAI_URLS, and for those of kind openai in GATEWAY_CONFIG that have no key file'),
  KEY_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the key files that servers added by messages or over HTTP may name; without it GATEWAY_CONFIG alone names key files',
    ),
  SLOTS_PER_SERVER: whole(1, 1024).default(1).describe('Concurrent requests per server; must equal its OLLAMA_NUM_PARALLEL'),
  MODEL: z
    .string()
    .refine(isModelName, 'must be the name of a model')
    .refine((name) => !isCloud(name), 'must be a model on a server of yours, not in a cloud')
    .optional()
    .describe('The model of requests that name none; default: the first that can chat on the first server that is up'),
  FALLBACK_MODELS: z
    .string()
    .default('')
    .transform(parseFallbacks)
    .describe('Models that answer for others which no server can run at the moment: `qwen3:8b=llama3.1:8b,llama3.1:8b=gemma3`'),
  NUM_CTX: whole(256, 1_048_576)
    .default(defaultOptions.numCtx)
    .describe('Tokens of context, the same for all requests: another value would reload the model'),
  KEEP_ALIVE: z
    .string()
    .regex(/^-?(\d+|(\d+(\.\d+)?(ns|us|ms|s|m|h))+)$/, 'must be seconds or a duration like 30m; negative is for ever')
    .default(String(defaultOptions.keepAlive))
    .describe('How long a model stays in memory after use: seconds, or a duration like 30m; negative: for ever'),
  WARM_UP: yes(defaultOptions.warmUp).describe('Whether to load the default model as soon as a server comes up: yes or no'),
  CHECK_SLOTS: yes(defaultOptions.checkSlots).describe(
    'Whether to probe the number of slots of an idle Ollama server with a few tiny requests: yes or no',
  ),
  LOAD_MS: whole(10, HOUR).default(defaultOptions.loadMs).describe('Timeout for loading a model'),
  STALL_MS: whole(10, HOUR).default(defaultOptions.stallMs).describe('After how long without data a stream has stalled'),
  ...limitFields,
  HEALTH_EVERY_MS: whole(10, HOUR).default(defaultOptions.healthEveryMs).describe('Interval of health checks'),
  PROBE_MS: whole(10, HOUR).default(defaultOptions.probeMs).describe('Timeout of a health check'),
  PATIENCE_MS: whole(0, HOUR).default(defaultOptions.patienceMs).describe('How long a completion waits for a server that is down'),
  LONGEST_MS: whole(1, 24 * HOUR)
    .default(defaultOptions.maxRequestMs)
    .describe('The deadline of completions without one, and the latest'),
  MAX_IN_HAND: whole(1, 65_535)
    .default(defaultOptions.maxInFlight)
    .describe('Unacknowledged messages at once, most of them waiting for a slot; above it, cancellations wait too'),
  GRACE_PREFILL_MS: whole(0, HOUR)
    .default(defaultOptions.graceMs)
    .describe('The longest time for which a slot counts as busy after its call was aborted before the first token'),
  REPLY_MS: whole(0, HOUR)
    .default(defaultOptions.replyMs)
    .describe('How long before its deadline a completion must end, so that it reaches the caller in time'),
  CAPACITY_EVERY_MS: whole(100, HOUR)
    .default(defaultOptions.capacityEveryMs)
    .describe('Interval of the capacity report: how busy the servers are and how many more games fit'),
  KEEP_ANSWERS_MS: whole(0, HOUR)
    .default(defaultOptions.keepMs)
    .describe('How long an answer is cached for repeated requests with the same id'),
  RECORD: z
    .enum(['off', 'record', 'replay'])
    .default(defaultOptions.record)
    .describe('record stores the outcome of every request in the database; replay answers from there, without a server'),
  RECORDING: z.string().min(1).max(100).default(defaultOptions.recording).describe('The name of the recording; a database can hold many'),
  DATABASE_URL: storeFields.DATABASE_URL.optional().describe(
    'The PostgreSQL database for recordings, budgets and the use of models by key and table; required unless RECORD is off',
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

const listed = (
  text: string,
  { SLOTS_PER_SERVER }: Pick<z.output<typeof gatewayFields>, 'SLOTS_PER_SERVER'>,
  kind: ServerKind,
  key?: string,
) =>
  parseServerList(text).entries.map(({ address, slots = SLOTS_PER_SERVER }) =>
    kind === 'ollama' && key === undefined
      ? { ...address, slots }
      : { ...parseServer({ url: address.url, kind, slots, key }), authorization: address.authorization },
  );

const optionsOf = (config: z.output<typeof gatewayFields>): GatewayOptions => ({
  ...mapLimits((name) => config[variableOf(name)]),
  servers: [
    ...(config.OLLAMA_URLS === undefined && config.OPENAI_URLS !== undefined
      ? []
      : listed(config.OLLAMA_URLS ?? config.OLLAMA_HOST, config, 'ollama', config.OLLAMA_API_KEY)),
    ...(config.OPENAI_URLS === undefined ? [] : listed(config.OPENAI_URLS, config, 'openai', config.OPENAI_API_KEY)),
  ],
  model: config.MODEL,
  fallbacks: config.FALLBACK_MODELS,
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
