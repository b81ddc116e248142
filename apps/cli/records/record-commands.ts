import { type Command, Option } from 'commander';
import { PRESETS } from '@maw/games/aiwolf/presets.ts';
import { atOption, type CommandContext, dataOption, tokenOption, wholeNumber } from '../arguments.ts';

/** `maw adjudicate`, `maw import` and `maw export`. */
export function recordCommands(program: Command, { config, finish }: CommandContext): void {
  program
    .command('adjudicate')
    .description('replay recorded games and report what breaks the rules; see docs/records.md')
    .argument('<file...>', 'records as JSON, one per file or one per line; - reads standard input')
    .option('--strict', 'report seats that did not choose when they were asked to', false)
    .option('--json', 'print one JSON object per line, as a pipe gets anyway', false)
    .option('--pretty', 'print indented JSON', false)
    .action(async (files: string[], options) => finish((await import('./adjudicate.ts')).adjudicate(files, options, config)));

  const imported = program.command('import').description('make a record of a game that was written down elsewhere');
  imported
    .command('mafia')
    .description('read games of Mafia that people played, as the LLMafia data set has them; they are not adjudicated')
    .argument('<path>', 'a file, or a folder of which every .json is read; - reads standard input')
    .option('--out <file>', 'the file to write, a record on each line; standard output by default')
    .action(async (path: string, options) => finish((await import('./mafia.ts')).importMafiaGames(path, options)));
  imported
    .command('aiwolf-log')
    .description('read a game log of an AIWolf server, of either division')
    .argument('<file>', 'the log; - reads standard input')
    .addOption(new Option('--preset <contest>', 'the contest that it is of, where the log alone does not tell').choices(PRESETS))
    .option('--out <file>', 'the file to write; standard output by default')
    .action(async (file: string, options) => finish((await import('./aiwolf-log.ts')).importLog(file, options)));

  const exported = program.command('export').description('write a game as a file: a page that plays it, or the format of another platform');
  exported
    .command('html')
    .description('write a game as one HTML file that plays in a browser without a server')
    .argument('[table]', 'its id; none with --record')
    .option('--as <eye>', 'whose eye: audience, narrator (every secret), seat:N')
    .option('--record <file>', 'a record instead of a table; see docs/records.md; - reads standard input')
    .option('--out <file>', 'the file to write; standard output by default')
    .addOption(dataOption)
    .addOption(atOption)
    .addOption(tokenOption)
    .action(async (table: string | undefined, options) => finish((await import('./html.ts')).exportHtml(table, options, config)));
  exported
    .command('aiwolf-log')
    .description('write a finished round of aiwolf as a game log of the AIWolf server that its preset names')
    .argument('[table]', 'its id; none with --record')
    .option('--record <file>', 'a record instead of a table; an imported log comes back byte for byte; - reads standard input')
    .option('--round <n>', 'the round', wholeNumber(1, 1000), 1)
    .option('--out <file>', 'the file to write; standard output by default')
    .addOption(dataOption)
    .addOption(atOption)
    .addOption(tokenOption)
    .action(async (table: string | undefined, options) => finish((await import('./aiwolf-log.ts')).exportLog(table, options, config)));
}
