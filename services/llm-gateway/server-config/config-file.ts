import { dirname, resolve } from 'node:path';
import { ConfigError } from '@maw/service/config.ts';
import { z } from 'zod';
import { type LimitOptions, LIMITS, mapLimits } from '../agent-limits.ts';
import type { ConfigFileOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';
import { DEFAULT_KIND, SERVER_KINDS } from '../providers/providers.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { parseJsonText, placeOf } from './json-file.ts';
import { parseServer } from './parse-server.ts';

/** The content of the file in GATEWAY_CONFIG. */
export interface ConfigFile {
  readonly servers: readonly ServerOptions[];
  /** Only those the file sets. */
  readonly limits: Partial<LimitOptions>;
}

const serverEntry = z.strictObject({
  url: z.string().min(1),
  kind: z.enum(SERVER_KINDS).default(DEFAULT_KIND),
  slots: z.int().min(1).max(1024).optional(),
  keyFile: z.string().min(1).max(1000).optional(),
});
/** Every limit is optional. */
export const limitFields = z.strictObject(
  mapLimits((name) => {
    const [min, max] = LIMITS[name].range;
    return z.int().min(min).max(max).optional();
  }),
);
const configFile = z.strictObject({ servers: z.array(serverEntry).min(1).max(1000), limits: limitFields.optional() });

/**
 * Reads `{"servers":[{"url":"http://a:11434","slots":4}],"limits":{"agentRpm":60}}`. Key files are relative to this file.
 * @throws ConfigError, without passwords of addresses
 */
export function parseConfigFile(text: string, about: Pick<ConfigFileOptions, 'path' | 'slots' | 'key'>): ConfigFile {
  const { path } = about;
  const parsed = configFile.safeParse(parseJsonText(text, path));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${path}: ${describeIssue(issue)}`));
  const servers = new Map<string, ServerOptions>();
  const mistakes: string[] = [];
  for (const [n, { url, kind, slots = about.slots, keyFile }] of parsed.data.servers.entries()) {
    try {
      const file = keyFile === undefined ? undefined : resolve(dirname(path), keyFile);
      const server = parseServer({ url, kind, slots, keyFile: file, key: kind === 'openai' ? about.key : undefined });
      if (servers.has(server.name)) throw new Error(`${server.name} is named twice; one server is one pool of slots`);
      servers.set(server.name, server);
    } catch (error) {
      mistakes.push(`${path}: servers[${n}]: ${(error as Error).message}`);
    }
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const set = Object.entries(parsed.data.limits ?? {}).filter(([, value]) => value !== undefined);
  return { servers: [...servers.values()], limits: Object.fromEntries(set) };
}

const WHOLE_FILE = 'the file';
const UNITS: { readonly [origin: string]: string } = { array: ' of them', string: ' characters' };

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = placeOf(issue.path) || WHOLE_FILE;
  if (issue.code === 'unrecognized_keys') {
    const names = Object.keys((place === WHOLE_FILE ? configFile : place === 'limits' ? limitFields : serverEntry).shape);
    return `${place}: unknown field ${issue.keys.map((key) => logText(key, 40)).join(', ')}; known are ${names.join(', ')}`;
  }
  if (issue.code === 'invalid_type')
    return `${place}: must be ${/^(int|number)$/.test(issue.expected) ? 'a whole number' : `a value of type ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `${place}: must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small') return `${place}: must be at least ${String(issue.minimum)}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'too_big') return `${place}: must be at most ${String(issue.maximum)}${UNITS[issue.origin] ?? ''}`;
  return `${place}: ${issue.message}`;
}
