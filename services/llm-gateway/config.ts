import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, telemetryFields } from '@maw/service/fields.ts';
import { z } from 'zod';
import { isCloud, isModelName } from './model-name.ts';
import { type GatewayOptions, usualOptions } from './options.ts';
import { serverList } from './server-list.ts';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const HOUR = 3_600_000;
const servers = z.string().superRefine((text, context) => {
  for (const message of serverList(text).mistakes) context.addIssue({ code: 'custom', message });
});

/** The variables of the gateway. */
export const gatewayFields = z.object({
  ...busFields,
  ...telemetryFields,
  ...lifeFields,
  OLLAMA_URLS: servers
    .optional()
    .describe('The Ollama servers, comma between, each with its slots if they differ: `http://a:11434=4,b`; without it OLLAMA_HOST'),
  OLLAMA_HOST: servers.default('127.0.0.1:11434').describe('The one Ollama server, in any form Ollama takes; OLLAMA_URLS goes first'),
  SLOTS_PER_SERVER: whole(1, 1024).default(1).describe('What a server is sent at once; its own OLLAMA_NUM_PARALLEL'),
  MODEL: z
    .string()
    .refine(isModelName, 'must be the name of a model')
    .refine((name) => !isCloud(name), 'must be a model on a server of yours, not in a cloud')
    .optional()
    .describe('The model of those who name none; without it the first that can chat on the first server that is up'),
  NUM_CTX: whole(256, 1_048_576)
    .default(usualOptions.numCtx)
    .describe('Tokens of context, the same for all: another would reload the model'),
  KEEP_ALIVE: z
    .string()
    .regex(/^-?(\d+|(\d+(\.\d+)?(ns|us|ms|s|m|h))+)$/, 'must be seconds or a duration like 30m; negative is for ever')
    .default(String(usualOptions.keepAlive))
    .describe('How long a model stays in memory after use: seconds, or a duration like 30m; negative is for ever'),
  LOAD_MS: whole(10, HOUR).default(usualOptions.loadMs).describe('How long the load of a model may take'),
  STALL_MS: whole(10, HOUR).default(usualOptions.stallMs).describe('A stream in which nothing comes for so long has stalled'),
  AGENT_RPM: whole(0, 100_000).default(usualOptions.agentRpm).describe('Completions per minute and agent; 0 is without limit'),
  AGENT_BURST: whole(1, 100_000).default(usualOptions.agentBurst).describe('How many of them may come at once'),
  HEALTH_EVERY_MS: whole(10, HOUR).default(usualOptions.healthEveryMs).describe('How often servers are asked how they are'),
  PROBE_MS: whole(10, HOUR).default(usualOptions.probeMs).describe('How long a server may take to say how it is'),
  PATIENCE_MS: whole(0, HOUR).default(usualOptions.patienceMs).describe('How long a completion waits for a server that is down'),
  LONGEST_MS: whole(1, 24 * HOUR)
    .default(usualOptions.longestMs)
    .describe('The deadline of completions that have none'),
  MAX_IN_HAND: whole(1, 65_535)
    .default(usualOptions.maxInHand)
    .describe('Messages in hand at once, most of them waiting for a slot; cancellations wait only when there are more'),
  KEEP_ANSWERS_MS: whole(0, HOUR)
    .default(usualOptions.keepMs)
    .describe('How long an answer is kept for those who ask again with the same id'),
});

type Config = z.output<typeof gatewayFields> & { readonly options: GatewayOptions };

/**
 * Reads the environment.
 * @throws ConfigError with every mistake
 */
export function gatewayConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const config = readConfig(gatewayFields, env);
  return { ...config, options: optionsOf(config) };
}

const optionsOf = (config: z.output<typeof gatewayFields>): GatewayOptions => ({
  servers: serverList(config.OLLAMA_URLS ?? config.OLLAMA_HOST).entries.map(({ address, slots }) => ({
    ...address,
    slots: slots ?? config.SLOTS_PER_SERVER,
  })),
  model: config.MODEL,
  numCtx: config.NUM_CTX,
  // Ollama reads a number as seconds; the same as a text is an error.
  keepAlive: /^-?\d+$/.test(config.KEEP_ALIVE) ? Number(config.KEEP_ALIVE) : config.KEEP_ALIVE,
  loadMs: config.LOAD_MS,
  stallMs: config.STALL_MS,
  agentRpm: config.AGENT_RPM,
  agentBurst: config.AGENT_BURST,
  healthEveryMs: config.HEALTH_EVERY_MS,
  probeMs: config.PROBE_MS,
  patienceMs: config.PATIENCE_MS,
  longestMs: config.LONGEST_MS,
  maxInHand: config.MAX_IN_HAND,
  keepMs: config.KEEP_ANSWERS_MS,
});
