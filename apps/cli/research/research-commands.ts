import { type Command, InvalidArgumentError, Option } from 'commander';
import { commaList, type CommandContext, dataOption, jsonOption, nameValue, wholeNumber, withServer, withSystem } from '../arguments.ts';

/** `maw simulate`. */
function simulateCommand(program: Command, { config, signal, finish }: CommandContext): void {
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

/** `maw minds`. */
function mindsCommands(program: Command, { finish }: CommandContext): void {
  const minds = program.command('minds').description('what minds are made of: recipes, their steps and parameters');
  minds
    .command('list')
    .description('list the recipes')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./minds.ts')).listMinds(options)));
  minds
    .command('show')
    .description('print a recipe: its steps, and its parameters with defaults and sources')
    .argument('<recipe>', 'its name or file, with parameters: react, react:temperature=0, ./mine.yaml')
    .addOption(jsonOption)
    .action(async (recipe: string, options) => finish((await import('./minds.ts')).showMind(recipe, options)));
}

/** `maw measure`. */
function measureCommand(program: Command, { config, finish }: CommandContext): void {
  withSystem(program.command('measure'))
    .description('compute the behaviour measures of documents 001, 003 and 004 from finished games; see docs/minds.md')
    .argument('[table...]', 'the ids of the tables; none with --record')
    .option('--record <file...>', 'records instead of tables; see docs/records.md; - reads standard input')
    .addOption(new Option('--format <format>', 'how to print them').choices(['table', 'csv', 'json']).default('table'))
    .option('--judgements <file>', 'what judges found in these games, as JSON lines; see docs/minds.md')
    .option('--plots <folder>', 'write plots as SVG files to this folder')
    .addHelpText('after', '\nOnly administrators may read the tapes and thoughts that this needs.')
    .action(async (tables: string[], options) => finish((await import('./measure.ts')).measureGames(tables, options, config)));
}

/** `maw judge`. */
function judgeCommands(program: Command, { config, signal, finish }: CommandContext): void {
  const judge = program.command('judge').description('let people and models judge what was said in games; see docs/research.md');
  const seedOption = new Option('--seed <text>', 'shuffle or resample alike for the same text').default('0');
  const ofFolder = (name: string, description: string): Command =>
    judge.command(name).description(description).argument('<folder>', 'a folder of maw judge sheets');
  withSystem(judge.command('sheets'))
    .description('write blind, shuffled sheets to judge: a page and CSV, and a key that tells what they hide')
    .argument('[table...]', 'the ids of the tables; none with --contest')
    .option('--contest <id>', 'all tables of a contest')
    .addOption(
      new Option('--question <name>', 'what is judged')
        .choices(['claim', 'reasonable', 'attitude', 'recommend', 'sharing'])
        .makeOptionMandatory(),
    )
    .option('--sample <n>', 'with --question reasonable: how many items are drawn; all by default', wholeNumber(1, 100_000))
    .addOption(seedOption)
    .requiredOption('--out <folder>', 'a new folder for the sheets')
    .action(async (tables: string[], options) => finish((await import('./judge/sheets.ts')).makeSheets(tables, options, config)));
  ofFolder('enter', 'add the answers of a person')
    .argument('<file>', 'the CSV that the page saved, or sheet.csv with its last column filled')
    .requiredOption('--judge <name>', 'who judged')
    .action(async (folder: string, file: string, options) => finish((await import('./judge/sheets.ts')).enterSheet(folder, file, options)));
  withServer(ofFolder('ask', 'let a model judge the items that it has not judged yet; Ctrl-C loses nothing'))
    .option('--model <name>', 'the model; sim: the simulator; default: the first of the model server')
    .option('--prompt <file>', 'another prompt than libs/lab/judging/judge.md')
    .action(async (folder: string, options) => finish((await import('./judge/ask.ts')).askJudge(folder, options, config, signal)));
  ofFolder('agree', 'how far the judges agree beyond chance: the kappa of Cohen, and that of Fleiss for three or more')
    .addOption(seedOption)
    .addOption(jsonOption)
    .action(async (folder: string, options) => finish((await import('./judge/sheets.ts')).agree(folder, options)));
  ofFolder('totals', 'print what was judged, as maw measure --judgements and maw contest report --judgements read it').action(
    async (folder: string) => finish((await import('./judge/sheets.ts')).totals(folder)),
  );
}

/** `LOW,HIGH` in normalised Elo. */
const eloBounds = (text: string): readonly [number, number] => {
  const [low, high, more] = text.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (low === undefined || high === undefined || more !== undefined || !(low < high && Math.abs(low) <= 1000 && Math.abs(high) <= 1000))
    throw new InvalidArgumentError('expected two numbers from -1000 to 1000 with a comma between them, the lower first, such as 0,30.');
  return [low, high];
};

/** `maw rate`. */
function rateCommand(program: Command, { config, signal, finish }: CommandContext): void {
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

/** `maw theory`. */
function theoryCommand(program: Command, { finish }: CommandContext): void {
  program
    .command('theory')
    .description('compute published results about a game and compare them with the game tree of the rules')
    .argument('<game>', 'onuw-3: theorems 4.2 and 4.3 of document 004')
    .option('--alpha <a>', 'the likelihood, as the Werewolves believe, that the Robber did nothing')
    .option('--beta <b>', 'the likelihood that it swapped with Player 1')
    .option('--gamma <c>', 'the likelihood that it swapped with Player 2; without these three: points of the whole admissible region')
    .option('--p <p>', 'in theorem 4.2: how likely the Robber votes for Player 1 when it did nothing, from 0 to 1')
    .addOption(jsonOption)
    .action(async (game: string, options) => finish((await import('./theory.ts')).theory(game, options)));
}

/** The commands that simulate, measure and rank. */
export const researchCommands = [simulateCommand, mindsCommands, measureCommand, judgeCommands, rateCommand, theoryCommand] as const;
