import { type Command, Option } from 'commander';
import { atOption, dataOption, jsonOption, tokenOption } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

const asOption = new Option('--as <eye>', 'seat (that of your token), seat:3, audience or narrator');

/** `maw tables`, `maw watch` and `maw tape`. */
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
}
