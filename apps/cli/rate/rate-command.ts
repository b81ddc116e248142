import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, jsonOption, wholeNumber } from '../arguments.ts';

/** `LOW,HIGH` in normalised Elo. */
const eloBounds = (text: string): readonly [number, number] => {
  const [low, high, more] = text.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (low === undefined || high === undefined || more !== undefined || !(low < high && Math.abs(low) <= 1000 && Math.abs(high) <= 1000))
    throw new InvalidArgumentError('expected two numbers from -1000 to 1000 with a comma between them, the lower first, such as 0,30.');
  return [low, high];
};

/** `maw rate`. */
export function rateCommand(program: Command, { config, signal, finish }: CommandContext): void {
  program
    .command('rate')
    .description('rank agents by the results of games from anywhere, and say how sure that is; see docs/ratings.md')
    .argument('<results>', 'a file of results: .csv with a row per seat, or .jsonl with a game per line')
    .option('--bootstrap <n>', 'how often deals are resampled for the intervals', wholeNumber(100, 100_000), 1000)
    .option('--seed <text>', 'resample alike for the same text', '0')
    .addOption(
      new Option('--elo <low,high>', 'the bounds of the sequential test of two agents, in normalised Elo')
        .argParser(eloBounds)
        .default([0, 30], '0,30'),
    )
    .addOption(jsonOption)
    .action(async (results: string, options) => finish((await import('./rate.ts')).rate(results, options, config, signal)));
}
