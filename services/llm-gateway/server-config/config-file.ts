import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { limitRanges, type LimitOptions } from '../limits.ts';
import { type ConfigFileOptions, DEFAULT_KIND, SERVER_KINDS, type ServerOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { validJsonLength } from './json-error-position.ts';
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
  Object.fromEntries(Object.entries(limitRanges).map(([name, [min, max]]) => [name, z.int().min(min).max(max).optional()])) as {
    [name in keyof LimitOptions]: z.ZodOptional<z.ZodInt>;
  },
);
const configFile = z.strictObject({ servers: z.array(serverEntry).min(1).max(1000), limits: limitFields.optional() });

/** The file is invalid: every mistake with its place and what is expected there. */
export class InvalidConfigFile extends Error {
  override readonly name = 'InvalidConfigFile';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads `{"servers":[{"url":"http://a:11434","slots":4}],"limits":{"agentRpm":60}}`. Key files are relative to this file.
 * @throws InvalidConfigFile, without passwords of addresses
 */
export function parseConfigFile(text: string, about: Pick<ConfigFileOptions, 'path' | 'slots' | 'key'>): ConfigFile {
  const { path } = about;
  const parsed = configFile.safeParse(parseJson(text, path));
  if (!parsed.success) throw new InvalidConfigFile(parsed.error.issues.map((issue) => `${path}: ${describeIssue(issue)}`));
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
  if (mistakes.length > 0) throw new InvalidConfigFile(mistakes);
  const set = Object.entries(parsed.data.limits ?? {}).filter(([, value]) => value !== undefined);
  return { servers: [...servers.values()], limits: Object.fromEntries(set) };
}

/** @throws InvalidConfigFile when the file cannot be read */
export function readConfigFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidConfigFile([`${path}: cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`]);
  }
}

/** @throws InvalidConfigFile with the position of the mistake, without quoting the text */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const before = text.slice(0, validJsonLength(text));
    const [line, column] = [before.split('\n').length, before.length - before.lastIndexOf('\n')];
    throw new InvalidConfigFile([`${path}: line ${line}, column ${column}: invalid JSON from here on`]);
  }
}

const WHOLE_FILE = 'the file';
const UNITS: { readonly [origin: string]: string } = { array: ' of them', string: ' characters' };

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const place = path.slice(1) || WHOLE_FILE;
  if (issue.code === 'unrecognized_keys') {
    const names = Object.keys((place === WHOLE_FILE ? configFile : place === 'limits' ? limitFields : serverEntry).shape);
    return `${place}: unknown field ${issue.keys.map((key) => sanitizeText(key, 40)).join(', ')}; known are ${names.join(', ')}`;
  }
  if (issue.code === 'invalid_type')
    return `${place}: must be ${/^(int|number)$/.test(issue.expected) ? 'a whole number' : `a value of type ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `${place}: must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small') return `${place}: must be at least ${String(issue.minimum)}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'too_big') return `${place}: must be at most ${String(issue.maximum)}${UNITS[issue.origin] ?? ''}`;
  return `${place}: ${issue.message}`;
}
