import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hasPostgres, hasRabbitmq } from './private-servers.ts';

/** What tests/real starts, by the names that it may have. */
export const programs = {
  traces: ['otelcol-traces'],
  logs: ['otelcol-logs'],
  jaeger: ['jaeger'],
  prometheus: ['prometheus'],
  alertmanager: ['alertmanager', 'prometheus-alertmanager'],
} as const;

/**
 * Where CI has Go, the programs can be had: what is missing then is a fault, and no reason to leave anything out. `MAW_REAL=none` says that a
 * module or a package could not be fetched.
 */
export const areRequired = (env = process.env): boolean =>
  env['CI'] === 'true' && env['MAW_REAL'] !== 'none' && findProgram(['go'], env) !== undefined;

/** What of the programs, of RabbitMQ and of PostgreSQL is not here, in one line; undefined: all are here. */
export function whatIsMissing(env = process.env): string | undefined {
  const ours = Object.values(programs).flatMap(([name, ...others]) => (findProgram([name, ...others], env) ? [] : [name]));
  const missing = [...ours, ...(hasRabbitmq ? [] : ['rabbitmq-server']), ...(hasPostgres ? [] : ['postgres'])];
  if (!missing.length) return undefined;
  return `there is no ${missing.join(', no ')} here${ours.length ? '; tests/real/get.sh fetches and builds what watches a system' : ''}`;
}

/** The folder that tests/real/get.sh fills. */
export const realFolder = (env = process.env): string =>
  env['MAW_REAL'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'maw-real');

/** A program on the path, else of tests/real/get.sh, by the first of its names that is there; undefined where none is. */
export function findProgram(names: readonly string[], env = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), join(realFolder(env), 'bin')];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
