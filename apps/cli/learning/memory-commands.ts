import type { Store } from '@maw/store/store.ts';
import { type Command, Option } from 'commander';
import { commaList, type CommandContext, dataOption, jsonOption, wholeNumber } from '../arguments.ts';
import { say } from '../output.ts';

/** `maw experience`. */
export function experienceCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const experience = program
    .command('experience')
    .description('pools of experience: decisions of finished games that the recipe xu learns from');
  const run = async () => import('./experience.ts');

  experience
    .command('build')
    .description('add the decisions of finished games to a pool; run again, it goes on')
    .argument('<name>', 'the name of the pool')
    .option('--rules <name>', 'the rule set', 'werewolf-7')
    .option('--tables <ids>', 'the tables, separated by commas; all if not given', commaList)
    .option('--new', 'begin another version instead of adding to the newest', false)
    .option('--max-days <n>', 'leave out games that lasted longer', wholeNumber(1, 1000), 12)
    .option(
      '--embeddings <url>',
      'an OpenAI-compatible server that embeds reflections, as the gateway; without, the pool is searched by words',
    )
    .option('--embedding-model <name>', 'the embedding model', 'nomic-embed-text')
    .addOption(new Option('--key <key>', 'the key of that server').env('MAW_GATEWAY_KEY'))
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (name: string, options) => finish((await run()).build(name, options, config, signal)));

  experience
    .command('list')
    .description('list the pools with their games and decisions')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await run()).list(options, config)));

  experience
    .command('show')
    .description('show what is in a pool: scores by kind of decision, and some decisions')
    .argument('<pool>', 'NAME, or NAME@VERSION')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (pool: string, options) => finish((await run()).show(pool, options, config)));

  experience
    .command('export')
    .description('write a pool to a file, a line of JSON for each decision')
    .argument('<pool>', 'NAME, or NAME@VERSION')
    .argument('<file>', 'a file that is not there yet')
    .addOption(dataOption)
    .action(async (pool: string, file: string, options) => finish((await run()).exportTo(pool, file, options, config)));

  experience
    .command('import')
    .description('read such a file into a new version of a pool')
    .argument('<file>', 'the file')
    .option('--as <name>', 'the name of the pool; that in the file if not given')
    .addOption(dataOption)
    .action(async (file: string, options) => finish((await run()).importFrom(file, options, config)));
}

const versionNumber = wholeNumber(0, 2 ** 31 - 1);

/** `maw strategy`. */
export function strategyCommands(program: Command, { config, finish }: CommandContext): void {
  const strategy = program.command('strategy').description('sets of strategies: what the recipe lan learned to play roles by, in versions');
  const print = async (
    options: { readonly data: string },
    work: (store: Store, sets: typeof import('./strategies.ts')) => Promise<readonly string[]>,
  ): Promise<void> => {
    const [sets, { withStore }] = await Promise.all([import('./strategies.ts'), import('../maintenance/open-store.ts')]);
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
    .command('freeze')
    .description('let nothing be added to a set from now on, for good')
    .argument('<name>', 'the name of the set')
    .addOption(dataOption)
    .action((name: string, options) =>
      print(options, async (store, { freezeSet }) => freezeSet(store.strategies, name, await store.now())),
    );
}
