import { type Command, Option } from 'commander';
import { atOption, type CommandContext, jsonOption, nameValue, tokenOption, wholeNumber, withSystem } from '../arguments.ts';

const asOption = new Option('--as <eye>', 'seat (that of your token), seat:3, audience or narrator');

/** `maw tables`, `maw watch`, `maw tape`, `maw thoughts`, and what stops a table: `maw pause`, `maw resume` and `maw abort`. */
export function tableCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const command = (name: string, description: string): Command => withSystem(program.command(name).description(description));

  command('tables', 'list the tables')
    .option('--stuck', 'only those whose phase ended 30 s ago or more and that do not go on: since when, and by day whom they wait for')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./tables.ts')).listTables(options, config)));

  command('watch', 'follow a table live')
    .argument('<table>', 'its id')
    .addOption(asOption)
    .addOption(jsonOption)
    .action(async (table: string, options) => finish((await import('./tables.ts')).watch(table, options, config, signal)));

  program
    .command('mcp')
    .description('play as a client of the Model Context Protocol: its server, on standard input and output; see docs/agents.md')
    .addOption(atOption)
    .addOption(tokenOption)
    .action(async (options) => finish((await import('../mcp/mcp.ts')).mcp(options, config, signal)));

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

/** `maw context`. */
export function contextCommands(program: Command, { config, finish }: CommandContext): void {
  const context = program
    .command('context')
    .description('what a seat has in mind: save it as a text file, load it again, cut it')
    .addHelpText('after', '\nFor administrators, and for the holder of the seat (--token).');
  const command = (name: string, description: string): Command =>
    withSystem(context.command(name).description(description).argument('<table>', 'its id')).addOption(
      new Option('--seat <seat>', 'the seat').argParser(wholeNumber(0, 99)).makeOptionMandatory(),
    );
  const run = async () => import('./contexts.ts');

  command('save', 'write what a seat has in mind to a YAML file')
    .argument('<file>', 'a file that is not there yet')
    .action(async (table: string, file: string, options) => finish((await run()).saveTo(table, file, options, config)));

  command('load', 'let the seat begin its next decision with such a file, saved of it or at another table')
    .argument('<file>', 'the file')
    .action(async (table: string, file: string, options) => finish((await run()).loadFrom(table, file, options, config)));

  command('truncate', 'drop the oldest lines that the seat has in mind, at its next decision')
    .addOption(new Option('--tokens <n>', 'how many tokens may stay').argParser(wholeNumber(0, 1_000_000)).makeOptionMandatory())
    .action(async (table: string, options) => finish((await run()).truncate(table, options, config)));
}

/** `maw rules`. */
export function ruleCommand(program: Command, { finish }: CommandContext): void {
  program
    .command('rules')
    .description('list the games, or print the rules and options of one')
    .argument('[name]', 'the rule set')
    .option('--players <n>', 'the rules for this number of players', wholeNumber(1, 100))
    .option('--option <name=value>', 'the rules with this option; repeatable', nameValue, {})
    .addOption(jsonOption)
    .action(async (name: string | undefined, options) => finish((await import('./rules.ts')).rules(name, options)));
}
