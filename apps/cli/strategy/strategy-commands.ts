import type { Store } from '@maw/store/store.ts';
import { type Command, Option } from 'commander';
import { type CommandContext, dataOption, jsonOption, wholeNumber } from '../arguments.ts';
import { say } from '../output.ts';

const versionNumber = wholeNumber(0, 2 ** 31 - 1);

/** `maw strategy`. */
export function strategyCommands(program: Command, { config, finish }: CommandContext): void {
  const strategy = program.command('strategy').description('sets of strategies: what the recipe lan learned to play roles by, in versions');
  const print = async (
    options: { readonly data: string },
    work: (store: Store, sets: typeof import('./sets.ts')) => Promise<readonly string[]>,
  ): Promise<void> => {
    const [sets, { withStore }] = await Promise.all([import('./sets.ts'), import('../maintenance/open-store.ts')]);
    return finish(withStore(options, config, async (store) => (await work(store, sets)).forEach(say)));
  };

  strategy
    .command('list')
    .description('list the sets with their newest versions and the games they were learned from')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action((options) => print(options, ({ strategies }, { listSets }) => listSets(strategies, options)));

  strategy
    .command('show')
    .description('show the strategies of a set, and where they were learned')
    .argument('<name>', 'the set: NAME, or NAME@VERSION')
    .argument('[role]', 'only this role')
    .addOption(new Option('--version <n>', 'as they were at this version; the newest if not given').argParser(versionNumber))
    .addOption(jsonOption)
    .addOption(dataOption)
    .action((name: string, role: string | undefined, options) =>
      print(options, ({ strategies }, { showSet }) => showSet(strategies, name, role, options)),
    );

  strategy
    .command('diff')
    .description('show what changed from one version of a set to another, role by role')
    .argument('<name>', 'the name of the set')
    .argument('<from>', 'a version; 0: before the first', versionNumber)
    .argument('<to>', 'another', versionNumber)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action((name: string, from: number, to: number, options) =>
      print(options, ({ strategies }, { diffSet }) => diffSet(strategies, name, from, to, options)),
    );

  strategy
    .command('freeze')
    .description('let nothing be added to a set from now on, for good')
    .argument('<name>', 'the name of the set')
    .addOption(dataOption)
    .action((name: string, options) =>
      print(options, async (store, { freezeSet }) => freezeSet(store.strategies, name, await store.now())),
    );
}
