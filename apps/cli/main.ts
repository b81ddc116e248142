import { Command } from 'commander';
import { amount, at, data, json, names, pair, token, whole } from './arguments.ts';
import { type CliConfig, readCliConfig } from './config.ts';
import { gatewayCommands } from './commands/gateway-commands.ts';
import { setupCommands } from './setup/setup-commands.ts';
import { tokensCommands } from './commands/tokens-commands.ts';
import { maintenanceCommands } from './maintenance/maintenance-commands.ts';
import { FolderInUse } from '@maw/store/pglite.ts';
import { ApiError } from './clients/web-client.ts';

const config = configured();
const stop = new AbortController();
let signals = 0;
let last: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (++signals > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
    last = signal;
    stop.abort();
  });
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // whoever read has read enough: `maw tape T | head`
  throw error;
});

const maw = new Command('maw')
  .description('Multi-Agent Werewolf: language-model agents and people at the same table.')
  .showHelpAfterError('(maw help shows what there is)')
  .showSuggestionAfterError();

const finish = async (running: Promise<number>): Promise<void> => {
  const code = await running;
  process.exitCode = (code === 130 && last === 'SIGTERM' ? 143 : code) || process.exitCode || 0;
};

maw
  .command('play')
  .description('play one whole game here, in one process; or take a seat at a table somewhere else')
  .option('--rules <name>', 'the rule set', 'maw')
  .option('--players <n>', 'how many seats', whole(1, 100))
  .option('--rounds <n>', 'how many rounds', whole(1, 1000), 1)
  .option('--seconds <s>', 'how long each phase lasts at most', amount, 15)
  .option('--seed <text>', 'deals the same roles and rolls the same dice again')
  .option('--model <name>', 'which model plays; sim: the simulator')
  .option('--minds <recipes>', 'the minds of the seats, one after another: algorithm-1,rules', names, [])
  .option('--human <name>', 'you play too, under this name')
  .option('--record <name>', 'keeps what models say under this name')
  .option('--replay <name>', 'plays again what models have said, and asks none; with the same --seed and options')
  .option('--option <name=value>', 'an option of the rule set; may be repeated', pair, {})
  .option('--table <id>', 'with --at: which table')
  .addOption(json)
  .addOption(data)
  .addOption(at)
  .addOption(token)
  .action(async (options) => finish((await import('./play/play.ts')).play(options, config, stop.signal)));

maw
  .command('simulate')
  .description('play many games at once with minds that need no model, and say who wins how often')
  .option('--rules <name>', 'the rule set', 'maw')
  .option('--games <n>', 'how many games', whole(1, 10_000_000), 1000)
  .option('--players <n>', 'how many seats', whole(1, 100))
  .option('--minds <recipes>', 'the minds of the seats, one after another: rules,random', names, ['rules'])
  .option('--side <side=recipe>', 'the minds of a side, as it is dealt: wolves=random; may be repeated', pair, {})
  .option('--option <name=value>', 'an option of the rule set; may be repeated', pair, {})
  .option('--seed <text>', 'the same seed plays the same games again')
  .option('--workers <n>', 'on how many cores; all of them when not given', whole(1, 256))
  .addOption(json)
  .action(async (options) => finish((await import('./simulate/simulate.ts')).simulate(options, config, stop.signal)));

maw
  .command('up')
  .description('run the services as processes of their own, against a RabbitMQ and a PostgreSQL that are given, found or started')
  .option('--port <n>', 'where the door listens', whole(0, 65_535), 8080)
  .option('--players <n>', 'replicas of the player service', whole(1, 64), 1)
  .option('--model <name>', 'which model plays; sim: the simulator')
  .addOption(data)
  .action(async (options) => finish((await import('./up/up.ts')).up(options, config, stop.signal)));

maw
  .command('tables')
  .description('list the tables')
  .addOption(json)
  .addOption(data)
  .addOption(at)
  .addOption(token)
  .action(async (options) => finish((await import('./commands/tables.ts')).listTables(options, config)));

maw
  .command('watch')
  .description('follow a table as it goes on')
  .argument('<table>', 'its id')
  .option('--as <eye>', 'seat (your token’s), seat:3, audience or narrator')
  .addOption(json)
  .addOption(data)
  .addOption(at)
  .addOption(token)
  .action(async (table, options) => finish((await import('./commands/tables.ts')).watch(table, options, config, stop.signal)));

maw
  .command('tape')
  .description('print the tape of a table, one JSON value a line')
  .argument('<table>', 'its id')
  .option('--as <eye>', 'seat (your token’s), seat:3, audience or narrator')
  .addOption(data)
  .addOption(at)
  .addOption(token)
  .action(async (table, options) => finish((await import('./commands/tables.ts')).tape(table, options, config)));

maw
  .command('adjudicate')
  .description('replay recorded games under the rules, and say what does not fit; see docs/records.md')
  .argument('<file...>', 'records as JSON, one a file or one a line; - reads what is piped in')
  .option('--strict', 'every seat that is asked to choose has to', false)
  .option('--json', 'one JSON object a line, also in a terminal; that is what a pipe gets', false)
  .option('--pretty', 'JSON for reading, over many lines', false)
  .action(async (files: string[], options) => finish((await import('./records/adjudicate.ts')).adjudicate(files, options, config)));

maw
  .command('rules')
  .description('list the games, or print the rules and options of one')
  .argument('[name]', 'which rule set')
  .option('--players <n>', 'as so many players are told them', whole(1, 100))
  .option('--option <name=value>', 'as they are with this option; may be repeated', pair, {})
  .addOption(json)
  .action(async (name: string | undefined, options) => finish((await import('./commands/rules.ts')).rules(name, options)));

const importing = maw.command('import').description('make a record of a game that was written down elsewhere');
importing
  .command('aiwolf-log')
  .description('of a game log of the AIWolf server')
  .argument('<file>', 'the log; - reads what is piped in')
  .option('--out <file>', 'where the record is written; without it: standard output')
  .action(async (file: string, options) => finish((await import('./records/aiwolf-log.ts')).importLog(file, options)));

const exporting = maw.command('export').description('write a game that was played here as others write theirs');
exporting
  .command('aiwolf-log')
  .description('as a game log of the AIWolf server; a round of aiwolf that is over')
  .argument('<table>', 'its id')
  .option('--round <n>', 'which round', whole(1, 1000), 1)
  .option('--out <file>', 'where the log is written; without it: standard output')
  .addOption(data)
  .addOption(at)
  .addOption(token)
  .action(async (table: string, options) => finish((await import('./records/aiwolf-log.ts')).exportLog(table, options, config)));

maw
  .command('doctor')
  .description('say what is reachable, and what to do about what is not')
  .addOption(json)
  .addOption(data)
  .action(async (options) => finish((await import('./commands/doctor.ts')).doctor(config, options)));

maw
  .command('dead')
  .description('read the dead letters of a queue, or send them again')
  .argument('<queue>', 'gamemaster, chatroom, player or llm-gateway')
  .option('--resend <id>', 'send this one again; may be repeated', (id: string, before: string[]) => [...before, id], [])
  .option('--all', 'send all of them again', false)
  .option('--limit <n>', 'how many are shown', whole(1, 1000), 100)
  .addOption(json)
  .addOption(data)
  .action(async (queue, options) => finish((await import('./commands/dead.ts')).dead(queue, options, config)));

gatewayCommands(maw, config, finish);
setupCommands(maw, config, stop.signal, finish);
maintenanceCommands(maw, config, stop.signal, finish);
tokensCommands(maw, config, finish);

maw
  .command('theory')
  .description('compute what is published of a game, beside what the engine’s own game tree gives')
  .argument('<game>', 'onuw-3: theorems 4.2 and 4.3 of document 004')
  .option('--alpha <a>', 'the Werewolves believe that the Robber did nothing, with this likelihood')
  .option('--beta <b>', 'that it swapped with Player 1')
  .option('--gamma <c>', 'that it swapped with Player 2; without these three, points of all the admissible region')
  .option('--p <p>', 'in theorem 4.2: how likely the Robber votes for Player 1 when it did nothing; anything from 0 to 1')
  .addOption(json)
  .action(async (game, options) => {
    process.exitCode = (await import('./commands/theory.ts')).theory(game, options);
  });

// The launcher starts these two itself, from testing/, so that nothing here imports it.
for (const [name, description] of [
  ['test', 'run the static checks and the unit, integration and end-to-end tests; finds or starts the servers they need'],
  ['bench', 'run a benchmark; see docs/benchmarks.md'],
] as const)
  maw
    .command(name)
    .description(description)
    .argument('[args...]')
    .allowUnknownOption()
    .action(() => {
      throw new Error(`maw ${name} is started by the launcher ./maw in a clone of the repository`);
    });

try {
  await maw.parseAsync();
} catch (error) {
  process.stderr.write(`maw: ${said(error)}\n`);
  process.exitCode = 1;
}

/** Before there is a command that could say what is wrong. */
function configured(): CliConfig {
  try {
    return readCliConfig();
  } catch (error) {
    process.stderr.write(`maw: ${said(error)}\n`);
    process.exit(1);
  }
}

/** What went wrong, for people; a stack only for what nobody foresaw. */
function said(error: unknown): string {
  const { name, code, errno, message, stack, path } = (error ?? {}) as { [field in 'name' | 'message' | 'stack' | 'path']?: string } & {
    code?: string;
    errno?: number;
  };
  const isForeseen =
    error instanceof ApiError ||
    error instanceof FolderInUse ||
    name === 'Refusal' ||
    (error instanceof Error && error.constructor === Error);
  const isFile = path !== undefined;
  if (isFile && (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EROFS'))
    return `${String(message)}; --data must be a folder that can be written, or be made`;
  if (code === 'ENOSPC' || name === 'ErrnoError')
    return `the database cannot be written (${String(code ?? errno ?? message)}): is there room in the folder of --data${path ? ` (${path})` : ''}?`;
  return isForeseen ? String(message) : (stack ?? message ?? JSON.stringify(error));
}
