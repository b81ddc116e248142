import { readFileSync } from 'node:fs';
import { redactCredentials } from '@maw/telemetry/redact.ts';
import type { z } from 'zod';

/** Invalid environment variables. The message has a line per mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `NAME: what is wrong (given: ...)` */
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`the configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.join('\n')}`);
    this.mistakes = mistakes;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** Variables of earlier versions that are set, and do nothing any more. */
export const retiredVariables = (env: Env = process.env): readonly string[] => ['CELL', 'CELLS'].filter((name) => env[name]);

/**
 * Reads the variables of the schema. An empty variable counts as not set. `NAME_FILE` names a file with the value of `NAME` (a mounted
 * secret), without its final line break.
 * @throws ConfigError with all mistakes at once; it never shows secrets or URLs
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Env): z.output<S> {
  const given: Record<string, string> = {};
  const unreadable = new Map<string, string>();
  for (const name of Object.keys(schema.shape)) {
    try {
      const value = `${name}_FILE` in schema.shape ? env[name] || undefined : setOrFile(name, env);
      if (value !== undefined) given[name] = value;
    } catch (error) {
      unreadable.set(name, (error as Error).message);
    }
  }
  const read = schema.safeParse(given);
  const meaningOf = ({ path }: z.core.$ZodIssue) => (schema.shape[String(path[0])] as z.ZodType | undefined)?.description;
  const wrong = (read.error?.issues ?? []).filter(({ path }) => !unreadable.has(String(path[0])));
  const mistakes = [...unreadable.values(), ...wrong.map((issue) => mistake(issue, given, meaningOf(issue)))];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return read.data as z.output<S>;
}

/** A variable, or what is in the file that NAME_FILE names; undefined where it is empty. @throws Error when both are set, or that cannot be read */
export function setOrFile(name: string, env: Env): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name}: is set, and so is ${name}_FILE; set one of them`);
  return contentOf(file, name) || undefined;
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`${name}_FILE: the file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, { cause: error });
  }
}

function mistake(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>, meaning: string | undefined): string {
  const name = issue.path.map(String).join('.');
  const value = given[name];
  if (!name) return redactCredentials(issue.message);
  if (value === undefined) return `${name}: ${issue.code === 'custom' ? issue.message : `is required${about(meaning)}`}, and is not set`;
  return `${name}: ${sentence(issue, meaning)} (given: ${isSecret(name, value) ? 'hidden' : JSON.stringify(value)})`;
}

/** Zod's messages name the received type, which is always a string here: say what is expected instead. */
function sentence(issue: z.core.$ZodIssue, meaning: string | undefined): string {
  if (issue.code === 'invalid_type') return `must be ${issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') return `must be a URL${about(meaning)}`;
  if (issue.code === 'too_small' && issue.origin !== 'string') return `must be at least ${String(issue.minimum)}`;
  if (issue.code === 'too_big' && issue.origin !== 'string') return `must be at most ${String(issue.maximum)}`;
  return issue.message;
}

const about = (meaning: string | undefined) => (meaning ? ` (${meaning})` : '');

/** A value with an @ may be a URL with a password, even a malformed one; JSON may have a field for a secret. */
const isSecret = (name: string, value: string) => /PASS|SECRET|TOKEN|KEY|URL|_CA$|CERT/i.test(name) || /@|secret/i.test(value);
