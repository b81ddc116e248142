import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, dataOption, jsonOption } from '../arguments.ts';

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 90d, 12h, 30m or 10s, in milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined)
    throw new InvalidArgumentError('expected a number of days, hours, minutes or seconds: 90d, 12h, 30m, 10s.');
  return Number(number) * UNITS[unit]!;
}

const durationOption = (flags: string, description: string, usual: string): Option =>
  new Option(flags, description).argParser(parseDuration).default(parseDuration(usual), usual);

/** `maw verify`, `maw restore-test` and `maw retention`. */
export function maintenanceCommands(program: Command, { config, signal, finish }: CommandContext): void {
  program
    .command('verify')
    .description('check that tapes, results and rooms are complete, unaltered and consistent')
    .argument('[table]', 'the id of one table')
    .option('--all', 'all tables', false)
    .option('--heads <file>', 'compare with heads that this command printed before')
    .addOption(durationOption('--lag <time>', 'how far rooms may be behind the tape: 2m, 30s', '2m'))
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (table: string | undefined, options) =>
      finish((await import('./verify.ts')).verifyTables(table, options, config, signal)),
    );

  program
    .command('restore-test')
    .description('restore a backup into a PostgreSQL of its own and verify it; nothing of it stays')
    .argument('[dump]', 'what pg_dump -Fc has written; without it the database at RESTORED_URL is verified')
    .addOption(durationOption('--within <time>', 'how long to wait until that database answers: 3h, 30m', '0s'))
    .option('--heads <file>', 'compare with heads that maw verify printed before the backup')
    .addOption(durationOption('--lag <time>', 'how far rooms may be behind the last event: 2m, 30s', '2m'))
    .option('--live', 'compare with the live database (DATABASE_URL), and note the outcome in its audit log, of which alerts tell', false)
    .addOption(durationOption('--behind <time>', 'how much older than the live database it may be: 26h, 7d', '26h'))
    .option('--failed <why>', 'verify nothing: note that you could not restore the backup, and why')
    .addOption(dataOption)
    .action(async (dump: string | undefined, options) =>
      finish((await import('./restore-test.ts')).restoreTest(dump, options, config, signal)),
    );

  program
    .command('retention')
    .description('remove old tables with their rooms, thoughts and recordings')
    .addOption(durationOption('--older <time>', 'how long ago they must have ended: 90d, 12h', '90d'))
    .option('--keep-results', 'keep their summaries and results', false)
    .addOption(new Option('--only-thoughts', 'remove only what minds thought, and keep the tables').default(false).conflicts('keepResults'))
    .option('--dry-run', 'remove nothing, only count', false)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await import('./retention.ts')).retention(options, config, signal)));
}
