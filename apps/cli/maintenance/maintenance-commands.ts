import { type Command, InvalidArgumentError } from 'commander';
import { data, json } from '../arguments.ts';
import type { CliConfig } from '../config.ts';

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 90d, 12h, 30m or 10s, in milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined)
    throw new InvalidArgumentError('a number of days, hours, minutes or seconds is wanted: 90d, 12h, 30m, 10s.');
  return Number(number) * UNITS[unit]!;
}

/** `maw verify` and `maw retention`: who looks after a store. */
export function maintenanceCommands(
  maw: Command,
  config: CliConfig,
  signal: AbortSignal,
  finish: (running: Promise<number>) => Promise<void>,
): void {
  maw
    .command('verify')
    .description('check tapes, results and rooms: whether they are whole, unaltered, and fit together')
    .argument('[table]', 'the id of one table')
    .option('--all', 'all tables', false)
    .option('--heads <file>', 'compare with heads that this command has printed before')
    .option('--lag <time>', 'how far rooms may be behind the tape: 2m, 30s', parseDuration, UNITS['m']! * 2)
    .addOption(json)
    .addOption(data)
    .action(async (table: string | undefined, options) =>
      finish((await import('./verify.ts')).verifyTables(table, options, config, signal)),
    );

  maw
    .command('retention')
    .description('remove tables that ended long ago, with their rooms, thoughts and recordings')
    .option('--older <time>', 'how long ago they must have ended: 90d, 12h', parseDuration, UNITS['d']! * 90)
    .option('--keep-results', 'keep their summaries and results', false)
    .option('--dry-run', 'remove nothing; say how many would go', false)
    .addOption(json)
    .addOption(data)
    .action(async (options) => finish((await import('./retention.ts')).retention(options, config, signal)));
}
