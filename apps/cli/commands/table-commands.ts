import { type Command, Option } from 'commander';
import { OUTCOMES } from '@maw/lab/thoughts/why.ts';
import { atOption, type CommandContext, jsonOption, nameValue, tokenOption, wholeNumber, withServer, withSystem } from '../arguments.ts';

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

  thoughtsCommand(command('thoughts', 'show what the minds of a table thought: their decisions, the steps of one, or why they acted so'), {
    config,
    signal,
    finish,
  });
}

/** `maw thoughts`. */
function thoughtsCommand(command: Command, { config, signal, finish }: CommandContext): void {
  withServer(command.argument('[table]', 'its id; without one, --contest'))
    .addOption(new Option('--seat <seat>', 'only this seat').argParser(wholeNumber(0, 99)))
    .option('--decision <n>', 'the steps of this decision, with prompts and replies: its number or id; or all')
    .addOption(jsonOption)
    .addOption(
      new Option('--export <file>', 'write calls and steps as events of OpenTelemetry, a JSON line each; - is standard output').conflicts([
        'json',
        'why',
      ]),
    )
    .option('--why', 'what each mind did and why: its reason, its belief, and how the act came about')
    .addOption(new Option('--name <player>', 'only what this player did').implies({ why: true }))
    .addOption(new Option('--kind <step>', 'only answers to questions of this name, such as vote or talk').implies({ why: true }))
    .addOption(new Option('--outcome <how>', 'only acts that came about so').choices(OUTCOMES).implies({ why: true }))
    .addOption(new Option('--contest <id>', 'at all tables of a contest').implies({ why: true }))
    .addOption(
      new Option('--again <n.step>', 'ask once more what was asked for an act that --why lists').conflicts([
        'export',
        'why',
        'decision',
        'seat',
      ]),
    )
    .option('--model <name>', 'with --again: the model; sim: the simulator; default: the one that was asked then')
    .option('--prompt <file>', 'with --again: the prompt; where there is no such file, it is written, to be changed')
    .addHelpText('after', '\nOnly administrators may read thoughts.')
    .action(async (table: string | undefined, options) => {
      const { again, contest, why } = options;
      const stray = again === undefined ? ['model', 'prompt', 'server', 'keyFile'].find((name) => options[name] !== undefined) : undefined;
      if (stray) command.error(`error: --${stray === 'keyFile' ? 'key-file' : stray} is for --again`);
      if ((table === undefined) === (contest === undefined))
        command.error('error: name a table, or a contest with --contest, and not both');
      if (again !== undefined) return finish((await import('../thoughts/ask-again.ts')).askAgain(table!, options, config, signal));
      if (why) return finish((await import('../thoughts/why.ts')).explain(table, options, config));
      return finish((await import('../thoughts/thoughts.ts')).thoughts(table!, options, config));
    });
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
