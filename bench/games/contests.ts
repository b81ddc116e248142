import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { playArena } from '@maw/lab/contests/arena/play-arena.ts';
import type { Contest, ContestInput } from '@maw/lab/contests/definition.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import { countedPairings, csvOf } from '@maw/lab/contests/report/counted.ts';
import { htmlOf } from '@maw/lab/contests/report/html/page.ts';
import { reportOf } from '@maw/lab/contests/report/report.ts';
import { resultsOf } from '@maw/lab/contests/report/synthetic-results.suite.ts';
import type { GameResult, PairingResult } from '@maw/lab/contests/result.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { benchmark, figuresResult } from '../benchmark.ts';
import type { Figure } from '../figures.ts';
import { integer } from '../options.ts';
import { ruleSetOptions, type RuleSetValues, type SizedRuleSet, sizedRuleSets } from './sized-rule-sets.ts';

/** The games after which the difference of two win rates is compared. */
const GAMES = 100;

/** What a contest costs beyond its games, and how exactly each schedule tells two agents apart. */
export const contests = benchmark({
  name: 'contests',
  description:
    'games in the arena of a contest against bare games, how much the win rates of two agents vary by schedule, and long reports',
  options: { ...ruleSetOptions(200), report: integer('games of the longest report', { fallback: 100_000 }) },
  async measure(values, { signal, say }) {
    const figures: Figure[] = [];
    // First, since what is measured is the most memory that this process ever had.
    for (const what of ['without records', 'with records'] as const) if (!signal.aborted) figures.push(...longReport(values, what));
    say(figures.map(({ what, unit, runs }) => `${what}: ${runs[0]!.toFixed(1)} ${unit}`).join('; '));
    for (const sized of sizedRuleSets(values)) {
      if (signal.aborted) break;
      const some = [...(await speed(sized, values, signal)), ...(await spread(sized, values, signal))];
      if (signal.aborted) break;
      figures.push(...some);
      say(some.map(({ what, unit, runs }) => `${what}: ${runs[0]!.toFixed(2)} ${unit}`).join('; '));
    }
    return figures.length ? figuresResult(figures) : undefined;
  },
});

const named = ({ set, players }: SizedRuleSet): string => `${set.name}, ${players} players`;

/** A contest of as many agents as seats. `mixed`: every other one plays at random; `twins`: all are the same. */
function contestOf({ set, players }: SizedRuleSet, kind: 'mixed' | 'twins', schedule: ContestInput['schedule'], seed: string): Contest {
  const recipeOf = (i: number): string => (kind === 'mixed' && i % 2 ? 'random' : 'rules');
  return readContest(
    JSON.stringify({
      name: kind,
      agents: Array.from({ length: players }, (_, i) => ({ name: `a${i}`, recipe: recipeOf(i) })),
      games: [{ rules: set.name, players }],
      schedule,
      seed,
      play: 'arena',
    } satisfies ContestInput),
  );
}

const balanced = ({ players }: SizedRuleSet, games: number): ContestInput['schedule'] => ({
  kind: 'balanced',
  deals: Math.max(2, Math.ceil(games / players)),
});
const set = (games: number): ContestInput['schedule'] => ({ kind: 'set', sets: Math.ceil(games / GAMES), games: Math.min(games, GAMES) });

/** The report of many games that nobody played, as `maw contest report --out` makes it: seconds, and the most memory of this process. */
function longReport(
  { report: games, seed }: RuleSetValues & { readonly report: number },
  what: 'with records' | 'without records',
): readonly Figure[] {
  const sized = { set: ruleSetNamed('werewolf-7'), players: 7 };
  const schedule = balanced(sized, games);
  const contest = contestOf(sized, 'mixed', schedule, seed);
  const dice = diceOf(seed, 'report');
  const invented = resultsOf(contest, () => inventGame(dice), what === 'with records');
  const from = process.cpuUsage();
  const page = htmlOf(reportOf(contest, invented)).length;
  const parts = csvOf(countedPairings(contest, invented).flatMap((counted) => counted.games));
  const file = [...parts].reduce((sum, { length }) => sum + length, 0);
  const { user, system } = process.cpuUsage(from);
  const figure = (name: string, unit: string, value: number): Figure => ({ what: `report of ${invented.length} games ${what}: ${name}`, unit, runs: [value] }); // prettier-ignore
  return [
    figure('processor time', 's', (user + system) / 1e6),
    figure('most memory, with the results', 'MiB', process.resourceUsage().maxRSS / 1024),
    figure('page and file of results', 'MB', (page + file) / 1e6),
  ];
}

/** A game in which everybody voted on four days. */
function inventGame(dice: Dice) {
  const ballots = Array.from({ length: 20 }, (_, i) => ({ by: i % 7, on: dice.below(7), isExecution: i % 7 === 0 }));
  return {
    winner: dice.below(2) ? 'village' : 'werewolves',
    days: 1 + dice.below(4),
    ballots,
    votes: [3, 3, 3, 3, 3, 3, 2],
    dead: [1, 2, 5],
  };
}

interface Spent {
  readonly seconds: number;
  /** Of the processor, all threads together. */
  readonly cpuSeconds: number;
}

async function timed(does: () => Promise<unknown>): Promise<Spent> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await does();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
}

async function results(contest: Contest, workers: number, signal: AbortSignal): Promise<readonly PairingResult[]> {
  const played: PairingResult[] = [];
  const from = Array.from({ length: planOf(contest).count }, (_, number) => number);
  await playArena(contest, { from, workers, signal, each: (result) => void played.push(result) });
  return played;
}

/** The same games twice: by a plain loop on one core, and by the arena with all its threads, whose start counts. */
async function speed(sized: SizedRuleSet, { runs, games, workers, seed }: RuleSetValues, signal: AbortSignal): Promise<readonly Figure[]> {
  const bare: Spent[] = [];
  const arena: Spent[] = [];
  let played = 1;
  for (let run = 0; run < runs && !signal.aborted; run++) {
    const contest = contestOf(sized, 'mixed', balanced(sized, games), `${seed}/${run}`);
    played = planOf(contest).count;
    bare.push(await timed(() => bareGames(sized, contest, signal)));
    arena.push(await timed(() => results(contest, workers, signal)));
  }
  const figure = (what: string, unit: string, all: readonly Spent[], of: (spent: Spent) => number): Figure => ({
    what: `${named(sized)}: ${what}`,
    unit,
    runs: all.map(of),
  });
  const threads = `${workers} ${workers === 1 ? 'thread' : 'threads'}`;
  return [
    figure('bare games on one core', 'games/s', bare, ({ seconds }) => played / seconds),
    figure(`games of a contest on ${threads}`, 'games/s', arena, ({ seconds }) => played / seconds),
    figure('processor time of a bare game', 'ms', bare, ({ cpuSeconds }) => (cpuSeconds / played) * 1000),
    figure('processor time of a game of a contest', 'ms', arena, ({ cpuSeconds }) => (cpuSeconds / played) * 1000),
  ];
}

async function bareGames({ set: { name }, players }: SizedRuleSet, contest: Contest, signal: AbortSignal): Promise<void> {
  const plan = planOf(contest);
  const recipes = new Map(contest.agents.map((agent) => [agent.name, findRecipe(agent.recipe!)]));
  for (let number = 0; number < plan.count && !signal.aborted; number++) {
    const { seed, agents } = plan.at(number);
    await playGame({ rules: ruleSetNamed(name), players, seed, recipeFor: (seat) => recipes.get(agents[seat]!)! });
  }
}

/** The standard deviation of the difference of two win rates after `GAMES` games, from the deals of one contest. */
async function spread(sized: SizedRuleSet, { games, workers, seed }: RuleSetValues, signal: AbortSignal): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const kind of ['mixed', 'twins'] as const)
    for (const schedule of [set(games), balanced(sized, games)]) {
      const played = await results(contestOf(sized, kind, schedule, seed), workers, signal);
      const who = kind === 'twins' ? 'twins' : 'rules and random';
      const points = deviation(played.flatMap((result) => result.games)) * 100;
      figures.push({
        what: `${named(sized)}: deviation of a difference after ${GAMES} games, ${schedule.kind}, ${who}`,
        unit: 'points',
        runs: [points],
      });
    }
  return figures;
}

/** Of the mean of `GAMES` games: deals are independent of each other, games of one deal are not. */
function deviation(games: readonly GameResult[]): number {
  const deals = [...Map.groupBy(games, ({ deal }) => deal).values()];
  const differences = deals.map((own) => own.reduce((sum, game) => sum + difference(game), 0) / own.length);
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (differences.length - 1);
  return Math.sqrt((variance * (games.length / deals.length)) / GAMES);
}

/** 1: the first agent won and the second did not; -1: the other way round. */
function difference({ seats }: GameResult): number {
  const wins = (agent: string): number => (seats.some((seat) => seat.agent === agent && seat.won) ? 1 : 0);
  return wins('a0') - wins('a1');
}
