import { type Command, Option } from 'commander';
import { dataOption, jsonOption, wholeNumber } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

const versionNumber = wholeNumber(0, 2 ** 31 - 1);

/** `maw strategy`. */
export function strategyCommands(program: Command, { config, finish }: CommandContext): void {
  const strategy = program.command('strategy').description('sets of strategies: what the recipe lan learned to play roles by, in versions');
  const run = async () => import('./run.ts');

  strategy
    .command('list')
    .description('list the sets with their newest versions and the games they were learned from')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await run()).list(options, config)));

  strategy
    .command('show')
    .description('show the strategies of a set, and where they were learned')
    .argument('<name>', 'the name of the set')
    .argument('[role]', 'only this role')
    .addOption(new Option('--version <n>', 'as they were at this version; the newest if not given').argParser(versionNumber))
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (name: string, role: string | undefined, options) => finish((await run()).show(name, role, options, config)));

  strategy
    .command('diff')
    .description('show what changed from one version of a set to another, role by role')
    .argument('<name>', 'the name of the set')
    .argument('<from>', 'a version; 0: before the first', versionNumber)
    .argument('<to>', 'another', versionNumber)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (name: string, from: number, to: number, options) => finish((await run()).diff(name, from, to, options, config)));

  strategy
    .command('freeze')
    .description('let nothing be added to a set from now on, for good')
    .argument('<name>', 'the name of the set')
    .addOption(dataOption)
    .action(async (name: string, options) => finish((await run()).freeze(name, options, config)));
}
