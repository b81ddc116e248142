import { ConfigError } from '@maw/service/config.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { z } from 'zod';
import type { HttpOptions } from './http-server.ts';
import { InvalidKeyFile, readKeyFile } from './api-keys.ts';

const USUAL_PORT = 8090;
const WITHOUT_KEYS = 'opens a door nobody could come in by: name a file of keys in GATEWAY_KEYS, or set MAW_OPEN=1';

/** The variables of the HTTP door. */
export const httpFields = {
  DOOR_HOST: z.string().default('127.0.0.1').describe('Interface of the HTTP door; 0.0.0.0 in a container'),
  DOOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      `Port of the HTTP door, ${USUAL_PORT} without it; 0 takes a free one. There is a door when there is GATEWAY_KEYS or MAW_OPEN=1`,
    ),
  DOOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the other gateways reach this door; without it where it listens, by the first address of this machine for 0.0.0.0'),
  GATEWAY_KEYS: z
    .string()
    .optional()
    .describe('The file of the keys of the HTTP door: `[{"key":"...","agent":"bot-1","tenant":"lab","admin":false}]`; it is watched'),
  MAW_OPEN: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: whoever is on this machine needs no key for the HTTP door; only while it listens on this machine alone'),
};

type Given = z.output<z.ZodObject<typeof httpFields>>;

/**
 * The HTTP door as it was configured; undefined: there is none.
 * @param graceMs how long requests in hand may take once it closes
 * @throws ConfigError
 */
export function httpOptionsOf(given: Given, graceMs: number): HttpOptions | undefined {
  const { DOOR_HOST: host, DOOR_PORT: port, DOOR_URL: url, GATEWAY_KEYS: file } = given;
  const isOpen = given.MAW_OPEN === '1';
  const mistakes: string[] = [];
  if (isOpen && !isLoopback(host))
    mistakes.push('MAW_OPEN: lets everybody in, so DOOR_HOST must be 127.0.0.1, localhost or ::1; give out keys instead');
  if (!isOpen && file === undefined) {
    if (port !== undefined) mistakes.push(`DOOR_PORT: ${WITHOUT_KEYS}`);
    if (url !== undefined) mistakes.push(`DOOR_URL: ${WITHOUT_KEYS}`);
  }
  const keys = file === undefined ? [] : keysIn(file, mistakes);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  if (!isOpen && file === undefined) return undefined;
  return { host, port: port ?? USUAL_PORT, url: url?.replace(/\/+$/, ''), keys, keysFile: file, isOpen, graceMs };
}

function keysIn(file: string, mistakes: string[]): HttpOptions['keys'] {
  try {
    return readKeyFile(file);
  } catch (error) {
    if (!(error instanceof InvalidKeyFile)) throw error;
    mistakes.push(...error.mistakes.map((mistake) => `GATEWAY_KEYS: ${mistake}`));
    return [];
  }
}
