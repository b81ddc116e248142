import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, jsonOption, nameValue, numberWithin, seconds, wholeNumber, withServer, withSystem } from '../arguments.ts';

const amount = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError('expected an amount above 0.');
  return value;
};

/** `maw contest run|status|stop|report`. */
export function contestCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const contest = program
    .command('contest')
    .description('let agents compete, and say who is better and how sure that is; see docs/contests.md');
  const report = (command: Command): Command =>
    withSystem(command)
      .option('--out <folder>', 'write report.html, results.csv and report.json to this folder')
      .option('--published <file>', 'print published figures beside ours; by default those of the experiment with this name')
      .option('--judgements <file>', 'what judges found in these games, as JSON lines; see docs/minds.md')
      .option('--bootstrap <n>', 'how often deals are resampled for intervals', wholeNumber(100, 100_000), 1000)
      .addOption(jsonOption);

  withServer(report(contest.command('run')))
    .description('play a contest in this process, or at a running system; the same command goes on with one that was interrupted')
    .argument('<file>', 'the contest: YAML or JSON')
    .option('--model <name>', 'the model of agents that need one and name none; sim: the simulator')
    .option('--agent-model <agent=name>', 'the model of one agent, whatever the file says; repeatable', nameValue)
    .option('--deals <n>', 'so many deals, or sets, in place of those of the file', wholeNumber(1, 1_000_000))
    .option(
      '--power <p>',
      'so many deals that the published difference is found with this probability',
      numberWithin(0.5, 0.999, 'a probability'),
    )
    .option('--difference <d>', 'the difference of shares that --power finds, in place of the published one', numberWithin(0.001, 0.999))
    .option('--prices <file>', 'what a million tokens of each model cost, in YAML, before the prices of the file')
    .option('--seconds <s>', 'the longest time of each phase at tables, where the file gives none', seconds)
    .option('--max-cost <amount>', 'end in order before more than this is spent, by the prices of the file', amount)
    .option(
      '--port <n>',
      'where outside agents of a contest in this process connect; default: 10000, or 8080 in the natural-language division; 0: any free port',
      wholeNumber(0, 65_535),
    )
    .option('--host <address>', 'the address to listen on for them; 0.0.0.0 lets other machines connect; default: 127.0.0.1')
    .option(
      '--time-limit <ms>',
      'how long they may take for an answer; default: 1000, or 60000 in the natural-language division',
      wholeNumber(1, 3_600_000),
    )
    .action(async (file: string, options) => finish((await import('./run.ts')).runContest(file, options, config, signal)));

  withSystem(contest.command('status'))
    .description('show where a contest stands, or list all')
    .argument('[contest]', 'its id')
    .addOption(jsonOption)
    .action(async (id: string | undefined, options) => finish((await import('./status.ts')).contestStatus(id, options, config)));

  withSystem(contest.command('stop'))
    .description('open no further tables of a contest; those that run are played to their end and count')
    .argument('<contest>', 'its id')
    .option('--why <text>', 'the reason, for the list of contests')
    .action(async (id: string, options) => finish((await import('./status.ts')).stopContest(id, options, config)));

  report(contest.command('report'))
    .description('report a contest, finished or not')
    .argument('<contest>', 'its id')
    .action(async (id: string, options) => finish((await import('./report.ts')).reportContest(id, options, config)));
}
