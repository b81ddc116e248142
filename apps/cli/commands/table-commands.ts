import { type Command, Option } from 'commander';
import { atOption, type CommandContext, dataOption, jsonOption, tokenOption, wholeNumber } from '../arguments.ts';

const asOption = new Option('--as <eye>', 'seat (that of your token), seat:3, audience or narrator');

/** `maw tables`, `maw watch`, `maw tape`, `maw thoughts`, and what stops a table: `maw pause`, `maw resume` and `maw abort`. */
export function tableCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).addOption(dataOption).addOption(atOption).addOption(tokenOption);

  command('tables', 'list the tables')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./tables.ts')).listTables(options, config)));

  command('watch', 'follow a table live')
    .argument('<table>', 'its id')
    .addOption(asOption)
    .addOption(jsonOption)
    .action(async (table: string, options) => finish((await import('./tables.ts')).watch(table, options, config, signal)));

  command('tape', 'print the tape of a table, one JSON value per line')
    .argument('<table>', 'its id')
    .addOption(asOption)
    .action(async (table: string, options) => finish((await import('./tables.ts')).tape(table, options, config)));

  command('pause', 'stop a table, for a day at most: no time is lost, and no act counts')
    .argument('<table>', 'its id')
    .action(async (table: string, options) => finish((await import('./tables.ts')).pause(table, options, config)));

  command('resume', 'let a paused table go on')
    .argument('<table>', 'its id')
    .action(async (table: string, options) => finish((await import('./tables.ts')).resume(table, options, config)));

  command('abort', 'end a table without winners and points')
    .argument('<table>', 'its id')
    .option('--why <text>', 'told to everybody at the table')
    .action(async (table: string, options) => finish((await import('./tables.ts')).abort(table, options, config)));

  command('thoughts', 'show what the minds of a table thought: their decisions, or the steps of one, with prompts and replies')
    .argument('<table>', 'its id')
    .addOption(new Option('--seat <seat>', 'only this seat').argParser(wholeNumber(0, 99)))
    .addOption(new Option('--decision <n>', 'the steps of this decision: its number or id; or all'))
    .addOption(jsonOption)
    .addOption(
      new Option('--export <file>', 'write calls and steps as events of OpenTelemetry, a JSON line each; - is standard output').conflicts(
        'json',
      ),
    )
    .addHelpText('after', '\nOnly administrators may read thoughts.')
    .action(async (table: string, options) => finish((await import('../thoughts/thoughts.ts')).thoughts(table, options, config)));
}
