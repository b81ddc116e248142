import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { jsonUntil } from './json-error-position.ts';
import { limitRanges, type LimitOptions, type PoolFileOptions, type ServerOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { serverOptionsOf } from './server-options.ts';

/** What the file of servers says. */
export interface PoolFile {
  readonly servers: readonly ServerOptions[];
  /** Only those that it names. */
  readonly limits: Partial<LimitOptions>;
}

const entry = z.strictObject({
  url: z.string().min(1),
  kind: z.enum(['ollama', 'openai']).default('ollama'),
  slots: z.int().min(1).max(1024).optional(),
  keyFile: z.string().min(1).max(1000).optional(),
});
const limit = (name: keyof LimitOptions) => z.int().min(limitRanges[name][0]).max(limitRanges[name][1]).optional();
const limits = z.strictObject({
  agentRpm: limit('agentRpm'),
  agentBurst: limit('agentBurst'),
  agentTpm: limit('agentTpm'),
  agentConcurrency: limit('agentConcurrency'),
  gameConcurrency: limit('gameConcurrency'),
  mostWaiting: limit('mostWaiting'),
  gameTokens: limit('gameTokens'),
  tenantTokensPerDay: limit('tenantTokensPerDay'),
} satisfies { readonly [name in keyof LimitOptions]: z.ZodType });
const whole = z.strictObject({ servers: z.array(entry).min(1).max(1000), limits: limits.optional() });

/** The file is not what it has to be; every mistake with the place where it is and what is wanted there. */
export class BadPoolFile extends Error {
  override readonly name = 'BadPoolFile';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads `{"servers":[{"url":"http://a:11434","slots":4}],"limits":{"agentRpm":60}}`. The file of a key is sought beside this one.
 * @throws BadPoolFile that shows no address with a password in it
 */
export function poolIn(text: string, about: Pick<PoolFileOptions, 'path' | 'slots' | 'key'>): PoolFile {
  const { path } = about;
  const read = whole.safeParse(json(text, path));
  if (!read.success) throw new BadPoolFile(read.error.issues.map((issue) => `${path}: ${sentence(issue)}`));
  const servers = new Map<string, ServerOptions>();
  const mistakes: string[] = [];
  for (const [n, { url, kind, slots = about.slots, keyFile }] of read.data.servers.entries()) {
    try {
      const file = keyFile === undefined ? undefined : resolve(dirname(path), keyFile);
      const one = serverOptionsOf({ url, kind, slots, keyFile: file, key: kind === 'openai' ? about.key : undefined });
      if (servers.has(one.name)) throw new Error(`${one.name} is named twice; one server is one pool of slots`);
      servers.set(one.name, one);
    } catch (error) {
      mistakes.push(`${path}: servers[${n}]: ${(error as Error).message}`);
    }
  }
  if (mistakes.length > 0) throw new BadPoolFile(mistakes);
  const named = Object.entries(read.data.limits ?? {}).filter(([, value]) => value !== undefined);
  return { servers: [...servers.values()], limits: Object.fromEntries(named) };
}

/** The text of the file. @throws BadPoolFile when it cannot be read */
export function poolText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadPoolFile([`${path}: cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`]);
  }
}

/** @throws BadPoolFile that says where it stops being JSON, and nothing of what stands there */
function json(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const before = text.slice(0, jsonUntil(text));
    const [line, column] = [before.split('\n').length, before.length - before.lastIndexOf('\n')];
    throw new BadPoolFile([`${path}: line ${line}, column ${column}: is not JSON from here on`]);
  }
}

/** The place, and what is wanted there. */
function sentence(issue: z.core.$ZodIssue): string {
  const place =
    issue.path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .slice(1) || 'the whole';
  const names = place === 'the whole' ? Object.keys(whole.shape) : Object.keys(place === 'limits' ? limits.shape : entry.shape);
  if (issue.code === 'unrecognized_keys')
    return `${place}: ${issue.keys.map((key) => sanitizeText(key, 40)).join(', ')} means nothing here; there are ${names.join(', ')}`;
  if (issue.code === 'invalid_type')
    return `${place}: must be ${/^(int|number)$/.test(issue.expected) ? 'a whole number' : `a value of type ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `${place}: must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small') return `${place}: must be at least ${String(issue.minimum)}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'too_big') return `${place}: must be at most ${String(issue.maximum)}${UNITS[issue.origin] ?? ''}`;
  return `${place}: ${issue.message}`;
}

const UNITS: { readonly [origin: string]: string } = { array: ' of them', string: ' characters' };
