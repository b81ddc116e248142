import { type Command, Option } from 'commander';
import { atOption, type CommandContext, dataOption, tokenOption } from '../arguments.ts';

/** `maw measure`. */
export function measureCommand(program: Command, { config, finish }: CommandContext): void {
  program
    .command('measure')
    .description('compute the behaviour measures of documents 001, 003 and 004 from finished games; see docs/minds.md')
    .argument('<table...>', 'the ids of the tables')
    .addOption(new Option('--format <format>', 'how to print them').choices(['table', 'csv', 'json']).default('table'))
    .option('--judgements <file>', 'what judges found in these games, as JSON lines; see docs/minds.md')
    .option('--plots <folder>', 'write plots as SVG files to this folder')
    .addOption(dataOption)
    .addOption(atOption)
    .addOption(tokenOption)
    .addHelpText('after', '\nOnly administrators may read the tapes and thoughts that this needs.')
    .action(async (tables: string[], options) => finish((await import('./measure.ts')).measureTables(tables, options, config)));
}
