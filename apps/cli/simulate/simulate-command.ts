import type { Command } from 'commander';
import { commaList, type CommandContext, dataOption, jsonOption, nameValue, wholeNumber } from '../arguments.ts';

/** `maw simulate`. */
export function simulateCommand(program: Command, { config, signal, finish }: CommandContext): void {
  program
    .command('simulate')
    .description('play many games at once, without a model or with one, and count who wins')
    .option('--rules <name>', 'the rule set', 'maw')
    .option('--games <n>', 'the number of games', wholeNumber(1, 10_000_000), 1000)
    .option('--players <n>', 'the number of seats', wholeNumber(1, 100))
    .option('--minds <recipes>', 'the minds of the seats, in turn, by recipe or file: rules,random,./mine.yaml', commaList, ['rules'])
    .option('--side <side=recipe>', 'the minds of one side, as it is dealt: wolves=random; repeatable', nameValue, {})
    .option('--option <name=value>', 'an option of the rule set; repeatable', nameValue, {})
    .option('--seed <text>', 'play the same games for the same text')
    .option('--workers <n>', 'the number of cores; all by default', wholeNumber(1, 256))
    .option('--model <name>', 'the model of minds that need one, which then play at tables as a contest; sim: the simulator')
    .addOption(dataOption)
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./simulate.ts')).simulate(options, config, signal)));
}
