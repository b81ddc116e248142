import { type Command, Option } from 'commander';
import { REWARDS } from '@maw/lab/training/dataset/rewards.ts';
import { type CommandContext, dataOption, jsonOption, nameValue, numberWithin, wholeNumber, withSystem } from '../arguments.ts';

const numbers =
  (min: number, max: number) =>
  (text: string): number[] =>
    text.split(',').map(numberWithin(min, max));

const rewardOption = new Option(
  '--reward <when>',
  'what a game rewards: the last choice of a seat, each, or each less the share of players who voted for it',
)
  .choices(REWARDS)
  .default('end');
const licenceOption = new Option('--licence <text>', 'what others may do with it, for its card; such as CC-BY-4.0');
const outOption = new Option('--out <folder>', 'the folder of what is written; it is created').makeOptionMandatory();

/** `maw dataset` and `maw policy`. */
export function learningCommands(program: Command, context: CommandContext): void {
  datasetCommands(program, context);
  policyCommands(program, context);
}

function datasetCommands(program: Command, context: CommandContext): void {
  const { config, signal, finish } = context;
  const dataset = program.command('dataset').description('files of recorded choices of a tactic, to learn from');

  dataset
    .command('show')
    .description('check a dataset and print what is in it')
    .argument('<file>', 'the dataset, JSON lines')
    .addOption(jsonOption)
    .action(async (file: string, options) => finish((await import('./dataset.ts')).showDataset(file, options)));

  dataset
    .command('import')
    .description('make a dataset of the games published with document 004 (KylJin/Werewolf, dataset_process)')
    .argument('<file>', 'the dataset to write')
    .argument('<path...>', 'files of games, or folders with them')
    .addOption(rewardOption)
    .addOption(licenceOption)
    .action(async (file: string, paths: string[], options) => finish((await import('./dataset.ts')).importDataset(file, paths, options)));

  withSystem(dataset.command('build'))
    .description('make a dataset of the tactics that minds chose at recorded tables')
    .argument('<file>', 'the dataset to write')
    .argument('[table...]', 'the ids of the tables; all that are listed if none is given')
    .addOption(rewardOption)
    .addOption(licenceOption)
    .action(async (file: string, tables: string[], options) =>
      finish((await import('./dataset.ts')).buildDataset(file, tables, options, config, signal)),
    );

  dataset
    .command('embed')
    .description('fetch an embedding of what was known at each choice, for the encoder embed:MODEL:DIMENSION; run again, it goes on')
    .argument('<file>', 'the dataset; the embeddings are written beside it')
    .requiredOption('--model <name>', 'the embedding model, as seats will ask it; sim: that of the simulator')
    .option('--at <url>', 'the HTTP address of a gateway (also MAW_GATEWAY_AT), or of Ollama; the Ollama of OLLAMA_HOST if not given')
    .option('--key <key>', 'a key for the gateway (also MAW_GATEWAY_KEY)')
    .action(async (file: string, options) => finish((await import('./dataset.ts')).embedDataset(file, options, config, signal)));

  recordingCommands(dataset, context);
}

function recordingCommands(dataset: Command, { signal, finish }: CommandContext): void {
  dataset
    .command('record')
    .description('play games without a model, and make a dataset of the tactics that were chosen')
    .argument('<file>', 'the dataset to write')
    .option('--games <n>', 'the number of games', wholeNumber(1, 1_000_000), 600)
    .option('--rules <name>', 'the rule set', 'onuw')
    .option('--players <n>', 'the number of seats', wholeNumber(1, 100))
    .option('--mind <recipe>', 'the mind of all seats, with its parameters', 'tactician:tactic=random')
    .option('--option <name=value>', 'an option of the rule set; repeatable', nameValue, {})
    .option('--seed <text>', 'play the same games for the same text', '1')
    .addOption(rewardOption)
    .addOption(licenceOption)
    .action(async (file: string, options) => finish((await import('./dataset.ts')).recordDataset(file, options, signal)));
}

/** The parameters of a training, as options of a command. What is not given is as in the preset. */
const trainingOptions = (command: Command): Command =>
  command
    .addOption(new Option('--preset <name>', '`paper`: table 3 of document 004').choices(['usual', 'paper']).default('usual'))
    .option('--encoder <name>', 'hashed-ngrams-1:DIMENSION:SEED, or embed:MODEL:DIMENSION after maw dataset embed')
    .option('--hidden <widths>', 'the hidden layers: 32,32', numbers(1, 4096))
    .option('--seed <text>', 'the same text gives the same weights')
    .option('--steps <n>', 'the number of steps', wholeNumber(1, 10_000_000))
    .option('--batch <n>', 'the choices in a step', wholeNumber(1, 4096))
    .option('--learning-rate <x>', 'the learning rate of Adam', numberWithin(1e-9, 1))
    .option('--gamma <x>', 'the discount of a reward by one choice', numberWithin(0, 1))
    .option('--critics <n>', 'the number of critics', wholeNumber(1, 8))
    .option('--quantiles <n>', 'the quantiles that a critic learns; 1: the mean', wholeNumber(1, 256))
    .option('--target-interval <n>', 'after how many steps the target critics are updated', wholeNumber(1, 1_000_000))
    .option(
      '--evaluate-every <n>',
      'evaluate on the held-out deals after so many steps each time, for a curve',
      wholeNumber(1, 10_000_000),
    );

function policyCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const policy = program.command('policy').description('train a policy that chooses tactics of speech, and look at it');

  trainingOptions(policy.command('train').description('train one policy on a dataset'))
    .argument('<file>', 'the dataset')
    .addOption(new Option('--method <name>', 'how it learns').choices(['q-learning', 'cloning']))
    .option('--rho <x>', 'the weight of the conservative term; 0: double DQN', numberWithin(0, 1_000))
    .addOption(outOption)
    .action(async (file: string, options) => finish((await import('./policy.ts')).trainPolicy(file, options, signal)));

  trainingOptions(policy.command('sweep').description('clone, train with several rho, and choose on deals that were held out'))
    .argument('<file>', 'the dataset')
    .option('--rhos <list>', 'the weights of the conservative term', numbers(0, 1_000), [0, 0.1, 0.3, 1, 4])
    .addOption(outOption)
    .addOption(jsonOption)
    .action(async (file: string, options) => finish((await import('./policy.ts')).sweepPolicies(file, options, signal)));

  policy
    .command('resume')
    .description('continue a training or a sweep that was interrupted')
    .argument('<folder>', 'the folder of `policy train` or `policy sweep`')
    .addOption(jsonOption)
    .action(async (folder: string, options) => finish((await import('./policy.ts')).resumePolicy(folder, options, signal)));

  policy
    .command('show')
    .description('check a policy and print its card')
    .argument('<folder>', 'the folder with policy.json and policy.safetensors')
    .addOption(jsonOption)
    .action(async (folder: string, options) => finish((await import('./policy.ts')).showPolicy(folder, options)));

  policy
    .command('import')
    .description('check a policy and store it as a new version, so that seats can ask it')
    .argument('<folder>', 'the folder with policy.json and policy.safetensors')
    .requiredOption('--as <name>', 'its name: the next version of it')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (folder: string, options) => finish((await import('./policy.ts')).importPolicy(folder, options, config)));

  policy
    .command('list')
    .description('list the policies that seats can ask')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await import('./policy.ts')).listPolicies(options, config)));
}
