import { type Command, Option } from 'commander';
import { atOption, type CommandContext, dataOption, tokenOption, wholeNumber } from '../arguments.ts';

/** `maw context`. */
export function contextCommands(program: Command, { config, finish }: CommandContext): void {
  const context = program
    .command('context')
    .description('what a seat has in mind: save it as a text file, load it again, cut it')
    .addHelpText('after', '\nFor administrators, and for the holder of the seat (--token).');
  const command = (name: string, description: string): Command =>
    context
      .command(name)
      .description(description)
      .argument('<table>', 'its id')
      .addOption(new Option('--seat <seat>', 'the seat').argParser(wholeNumber(0, 99)).makeOptionMandatory())
      .addOption(dataOption)
      .addOption(atOption)
      .addOption(tokenOption);
  const run = async () => import('./contexts.ts');

  command('save', 'write what a seat has in mind to a YAML file')
    .argument('<file>', 'a file that is not there yet')
    .action(async (table: string, file: string, options) => finish((await run()).saveTo(table, file, options, config)));

  command('load', 'let the seat begin its next decision with such a file, which was saved of the same seat')
    .argument('<file>', 'the file')
    .action(async (table: string, file: string, options) => finish((await run()).loadFrom(table, file, options, config)));

  command('truncate', 'drop the oldest lines that the seat has in mind, at its next decision')
    .addOption(new Option('--tokens <n>', 'how many tokens may stay').argParser(wholeNumber(0, 1_000_000)).makeOptionMandatory())
    .action(async (table: string, options) => finish((await run()).truncate(table, options, config)));
}
