import { ConfigError } from '@maw/service/config.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { z } from 'zod';
import type { HttpOptions } from './http-server.ts';
import { readKeyFile } from './api-keys.ts';

const DEFAULT_PORT = 8090;
const WITHOUT_KEYS = 'the HTTP API would be open to nobody: name a file of keys in GATEWAY_KEYS, or set MAW_OPEN=1';

/** The variables of the HTTP API. */
export const httpFields = {
  DOOR_HOST: z.string().default('127.0.0.1').describe('Interface of the HTTP API; 0.0.0.0 in a container'),
  DOOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(`Port of the HTTP API, by default ${DEFAULT_PORT}; 0 takes any free one. The API is on with GATEWAY_KEYS or MAW_OPEN=1`),
  DOOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where other gateways reach this HTTP API; by default where it listens, with the first address of this machine for 0.0.0.0'),
  GATEWAY_KEYS: z
    .string()
    .optional()
    .describe('File of the API keys: `[{"key":"...","agent":"bot-1","tenant":"lab","admin":false}]`; it is watched'),
  MAW_OPEN: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: callers on this machine need no key for the HTTP API; only while it listens on a loopback address'),
};

type Given = z.output<z.ZodObject<typeof httpFields>>;

/**
 * The options of the HTTP API; undefined: it is off.
 * @param graceMs how long requests may take to finish when it closes
 * @throws ConfigError
 */
export function httpOptionsOf(given: Given, graceMs: number): HttpOptions | undefined {
  const { DOOR_HOST: host, DOOR_PORT: port, DOOR_URL: url, GATEWAY_KEYS: file } = given;
  const isOpen = given.MAW_OPEN === '1';
  const mistakes: string[] = [];
  if (isOpen && !isLoopback(host))
    mistakes.push('MAW_OPEN: needs no keys, so DOOR_HOST must be 127.0.0.1, localhost or ::1; give out keys instead');
  if (!isOpen && file === undefined) {
    if (port !== undefined) mistakes.push(`DOOR_PORT: ${WITHOUT_KEYS}`);
    if (url !== undefined) mistakes.push(`DOOR_URL: ${WITHOUT_KEYS}`);
  }
  const keys = file === undefined ? [] : keysIn(file, mistakes);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  if (!isOpen && file === undefined) return undefined;
  return { host, port: port ?? DEFAULT_PORT, url: url?.replace(/\/+$/, ''), keys, keysFile: file, isOpen, graceMs };
}

function keysIn(file: string, mistakes: string[]): HttpOptions['keys'] {
  try {
    return readKeyFile(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    mistakes.push(...error.mistakes.map((mistake) => `GATEWAY_KEYS: ${mistake}`));
    return [];
  }
}
