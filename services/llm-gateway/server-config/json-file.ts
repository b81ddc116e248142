import { readFileSync } from 'node:fs';
import { ConfigError } from '@maw/service/config.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type FileWatch, watchFile } from './file-watch.ts';

/** @throws ConfigError when the file cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${path}: cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`]);
  }
}

/** @throws ConfigError with the position of the mistake, without quoting the text */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const before = text.slice(0, validJsonLength(text));
    const [line, column] = [before.split('\n').length, before.length - before.lastIndexOf('\n')];
    throw new ConfigError([`${path}: line ${line}, column ${column}: invalid JSON from here on`]);
  }
}

/** `servers[0].url`; empty for the whole file. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Applies changes of a file while the gateway runs. A missing file, or one that `apply` throws ConfigError for, is logged once. */
export function watchConfig(path: string, text: string, log: Log, apply: (text: string) => void): FileWatch {
  return watchFile(path, text, (content) => {
    if ('error' in content) return log.warn({ file: path, why: content.error }, 'file cannot be read; keeping its previous content');
    try {
      apply(content.text);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.warn({ file: path, mistakes: error.mistakes }, 'file is invalid; keeping its previous content');
    }
  });
}

const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** How many characters of a text are a valid beginning of JSON (RFC 8259). `JSON.parse` does not always say. */
export function validJsonLength(text: string): number {
  let at = 0;
  const take = (token: string): boolean => {
    const pattern = new RegExp(token, 'y');
    pattern.lastIndex = at;
    const [taken] = pattern.exec(text) ?? [];
    at += taken?.length ?? 0;
    return taken !== undefined;
  };
  const space = (): boolean => take(String.raw`[ \t\r\n]*`);
  const name = (): boolean => space() && take(STRING) && space() && take(':');

  function members(end: string, member: () => boolean): boolean {
    if (space() && take(end)) return true;
    do if (!member()) return false;
    while (space() && take(','));
    return take(end);
  }
  function value(): boolean {
    space();
    if (take(String.raw`\{`)) return members(String.raw`\}`, () => name() && value());
    if (take(String.raw`\[`)) return members(String.raw`\]`, value);
    return take(STRING) || take('true|false|null') || take(NUMBER);
  }

  if (value()) space();
  return at;
}
