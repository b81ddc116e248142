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

const mistakeIn = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** How many characters of a text are a valid beginning of JSON (RFC 8259). `JSON.parse` says it, but not of an unexpected token. */
export function validJsonLength(text: string): number {
  const isUnexpected = (mistake: string): boolean => mistake.startsWith('Unexpected token');
  const mistake = mistakeIn(text);
  if (!isUnexpected(mistake)) return Number(/ at position (\d+)/.exec(mistake)?.[1] ?? text.length);
  let [valid, wrong] = [0, text.length];
  while (wrong - valid > 1) {
    const middle = Math.ceil((valid + wrong) / 2);
    if (isUnexpected(mistakeIn(text.slice(0, middle)))) wrong = middle;
    else valid = middle;
  }
  return valid;
}
