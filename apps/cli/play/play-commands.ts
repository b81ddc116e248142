import { type Command, Option } from 'commander';
import { commaList, type CommandContext, jsonOption, nameValue, seconds, wholeNumber, withServer, withSystem } from '../arguments.ts';

/** `maw play` and `maw demo`. */
export function playCommands(program: Command, { config, signal, finish }: CommandContext): void {
  withSystem(withServer(program.command('play')))
    .description('play a whole game in this process, or take a seat at a table of a running system')
    .option('--rules <name>', 'the rule set', 'maw')
    .option('--players <n>', 'the number of seats', wholeNumber(1, 100))
    .option('--rounds <n>', 'the number of rounds', wholeNumber(1, 1000), 1)
    .option('--seconds <s>', 'the longest time of each phase; 15 if not given, and with people minutes', seconds)
    .addOption(new Option('--pace <whose>', 'how fast the table is: people with --human, else machines').choices(['people', 'machines']))
    .option('--seed <text>', 'deal the same roles and roll the same dice for the same text')
    .option('--model <name>', 'the model that plays; sim: the simulator')
    .option(
      '--minds <recipes>',
      'the minds of the seats, in turn, by name or file, with parameters: algorithm-1,rules,react:temperature=0,./mine.yaml',
      commaList,
      [],
    )
    .option('--prices <file>', 'what a million tokens of each model cost, in YAML: NAME: { prompt: 0.15, completion: 0.6 }')
    .option('--web', 'watch the game in a browser, and with --human play it there; the page stays until Ctrl-C', false)
    .option('--human <name>', 'play yourself, under this name; a seat that you left before is found again')
    .option('--people <n>', 'how many of the seats are for people, you included', wholeNumber(1, 100))
    .option('--agents <names>', 'programs that play, by the names of their keys: fox,owl (docs/agents.md)', commaList, [])
    .option('--lan', 'with --human: open the table to the local network, and print invitations for other people', false)
    .option('--join <invitation>', 'with --human: take the seat that an invitation of --lan offers')
    .option('--new', 'with --human: open a new table, also when a seat is kept for you', false)
    .option('--transcript <file>', 'write the game, as this seat saw it, to a file')
    .option('--record <name>', 'record what the models answer, under this name')
    .option('--replay <name>', 'replay recorded answers instead of asking models; use the same --seed and options')
    .option('--option <name=value>', 'an option of the rule set; repeatable', nameValue, {})
    .option('--table <id>', 'with --at: the table to join')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./play.ts')).play(options, config, signal)));

  withSystem(program.command('demo'))
    .description('wait for a running system, open a table unless one is being played, and show it')
    .option('--rules <name>', 'the rule set', 'maw')
    .option('--seconds <s>', 'the longest time of each phase', seconds, 30)
    .action(async (options) => finish((await import('./demo.ts')).demo(options, config, signal)));
}
