import type { BiasTest } from '../../ratings/rates/bias-tests.ts';
import type { Judgement } from '../../measures/judged-measures.ts';
import { agentHash } from '../agent-hash.ts';
import type { Agent, Contest } from '../definition.ts';
import { finalistsOf } from '../finalists.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { sideOf } from '@maw/games/roles.ts';
import { lossesInWords, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import { forfeitsOf, gameLabel } from '../collect-result.ts';
import { placesIn } from '../../ratings/deals.ts';
import type { GameResult, PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { seedOf } from '../seed.ts';
import { type MeasureTable, measureTables } from './behaviour.ts';
import { type CellDifference, cellDifferences, type CellRow, cellRows, type CrossEntry, crossEntries } from './cells.ts';
import { type HeldRow, heldRows } from './held.ts';
import { type ListedGame, listedGames } from './listed.ts';
import { comparedWithReasons } from './why-not-measured.ts';
import { type LearningPoint, learning, successions } from './learning.ts';
import { type Counted, countedPairings, isForfeit, type Stop, byName, inOrder } from './counted.ts';
import { type Comparison, type GapOf, gapsByDeal, type Published } from './published.ts';
import { type FaultRow, faultRows, type Usage, usageOf } from './spending.ts';
import { biasOf, type DifferenceRow, differencesOf, type Ranking, rankingOf, type SprtState, sprtOf } from './strengths.ts'; // prettier-ignore
import { type WinRates, winRateTables } from './win-rates.ts';

/** A table of which nothing counts. */
interface VoidRow {
  readonly number: number;
  readonly attempt: number;
  readonly why: string;
  readonly culprit?: string;
}

/** What follows from the contest and its results alone: the same results give the same, byte for byte, in whatever order they came. */
export interface ReportResults {
  readonly tables: {
    readonly planned: number;
    readonly played: number;
    readonly void: number;
    /** Played, but after the deal at which the contest was decided. */
    readonly uncounted: number;
  };
  /** Games that were played and count. */
  readonly games: number;
  /** Games that were not played by the fault of an agent: they count as lost for it, and for nobody else. By agent; those without any are absent. */
  readonly forfeits: readonly { readonly agent: string; readonly games: number }[];
  /** Games in which a seat ended on another side than it was dealt. Strengths and win rates by side go by the last one. */
  readonly exchanged: number;
  /** Why it ended before all was played. */
  readonly stopped?: string;
  readonly ranking: Ranking;
  readonly rates: WinRates;
  /** Of agents that held the same places in the same deals. */
  readonly differences: readonly DifferenceRow[];
  readonly cellDifferences: readonly CellDifference[];
  /** Whether an agent wins by its seat, or by how long it talks. */
  readonly held: readonly HeldRow[];
  readonly bias: readonly BiasTest[];
  readonly sprt?: SprtState;
  readonly cells: readonly CellRow[];
  /** Only where one agent played a whole side. */
  readonly cross: readonly CrossEntry[];
  readonly learning: readonly LearningPoint[];
  readonly measures: readonly MeasureTable[];
  /** Why behaviour is not measured, in words; absent where it is, or nothing was kept of it. */
  readonly withoutMeasures?: string;
  readonly published?: Comparison;
  readonly faults: readonly FaultRow[];
  readonly usage: Usage;
  /** Which models lost decisions, how many, and why, in words; absent where none did. */
  readonly lost?: readonly string[];
  /** Models of the simulator among those that were asked: such figures say nothing of any model. */
  readonly simulated: readonly string[];
  readonly voids: readonly VoidRow[];
  /** Numbers of pairings. */
  readonly uncounted: readonly number[];
  /** The games that count; absent where there are too many to be listed. */
  readonly list?: readonly ListedGame[];
}

/** When and where it was made: what may differ between two reports of the same results. */
export interface ReportAbout {
  /** Milliseconds since 1970. */
  readonly made?: number;
  readonly version?: string;
  /** How long it was played, in seconds. */
  readonly seconds?: number;
  readonly machine?: string;
  /** Where the contest stands, as the contest service says it. */
  readonly state?: string;
  /** Why it was stopped, or has failed. */
  readonly why?: string;
}

/** A contest as it is told: plain JSON. */
export interface Report {
  readonly contest: Pick<Contest, 'name' | 'about' | 'games' | 'schedule' | 'stopping' | 'seed'> & {
    readonly agents: readonly (Agent & { readonly hash: string })[];
  };
  readonly results: ReportResults;
  readonly about: ReportAbout;
}

export interface ReportOptions {
  /** Of the bootstrap; that of the contest by default. */
  readonly seed?: string;
  /** How often deals are resampled. */
  readonly bootstrap?: number;
  readonly stop?: Stop;
  readonly published?: Published;
  readonly judgements?: readonly Judgement[];
  /** Why the results have no records though they were kept. */
  readonly withoutMeasures?: string;
  readonly about?: ReportAbout;
}

/** How often deals are resampled when nothing is said. */
const BOOTSTRAP = 1000;

/** The names that ollama-sim gives its models. */
const isSimulated = (model: string): boolean => /^simulated\b/.test(model);

/** The report of a contest, finished or not. */
export function reportOf(contest: Contest, results: readonly PairingResult[], options: ReportOptions = {}): Report {
  const { seed = seedOf(contest), bootstrap = BOOTSTRAP, stop, judgements, about = {} } = options;
  const all = inOrder(results);
  const plan = planOf(contest, finalistsOf(contest, all));
  const counted = countedPairings(contest, all, stop);
  const games = counted.flatMap(({ result }) => result.games);
  const scored = counted.flatMap((each) => each.games);
  const compared = comparedGames(contest, counted);
  const agents = contest.agents.map(({ name }) => name);
  const rows = cellRows(counted);
  const measures = measureTables(counted, judgements);
  const rates = winRateTables(scored);
  const ours = { cells: rows, rates: rates.overall, tables: measures };
  const known = { ...ours, contest, counted, withoutMeasures: options.withoutMeasures };
  const sprt = sprtOf(contest, counted.map(({ result }) => result)); // prettier-ignore
  const uncounted = all.flatMap(({ number }) => (stop && number >= stop.counted ? [number] : []));
  const list = listedGames(contest, counted);
  const lost = lossesInWords(sumByModel(all.flatMap(({ decisions = [] }) => decisions)));
  const { name, about: words, games: played, schedule, stopping } = contest;
  return {
    contest: { name, about: words, games: played, schedule, stopping, seed: seedOf(contest), agents: contest.agents.map((agent) => ({ ...agent, hash: agentHash(agent) })) }, // prettier-ignore
    results: {
      tables: { planned: plan.total, played: all.length, void: all.filter((result) => result.void).length, uncounted: uncounted.length },
      games: games.length,
      forfeits: forfeitsBy(agents, scored),
      exchanged: games.filter(isExchanged).length,
      ...(stop ? { stopped: stop.why } : {}),
      ranking: rankingOf(scored, seed, bootstrap),
      rates,
      differences: differencesOf(compared, agents.toSorted(byName)),
      cellDifferences: cellDifferences(contest, counted),
      held: heldRows(counted),
      bias: biasOf(games),
      ...(sprt ? { sprt } : {}),
      cells: rows,
      cross: crossEntries(contest, counted),
      learning: learning(successions(contest, plan.perRound, counted)),
      measures,
      ...(options.withoutMeasures === undefined ? {} : { withoutMeasures: options.withoutMeasures }),
      ...(options.published ? { published: comparedWithReasons(options.published, known, gapsIn(contest, counted, judgements)) } : {}),
      faults: faultRows(agents, all, (number) => plan.at(number).agents),
      usage: usageOf(all, contest.prices),
      ...(lost.length ? { lost } : {}),
      simulated: [...new Set(all.flatMap(({ usage }) => usage.map(({ model }) => model)))].filter(isSimulated).toSorted(byName),
      voids: all.flatMap(({ number, attempt, void: broken }) => (broken ? [{ number, attempt, ...broken }] : [])),
      uncounted,
      ...(list ? { list } : {}),
    },
    about,
  };
}

/** With the seats of all where one has forfeited. */
const comparedGames = (contest: Contest, counted: readonly Counted[]): readonly GameResult[] =>
  counted.flatMap(({ pairing, result }) => [...result.games, ...forfeitsOf(contest, pairing, result, true)]);

/** Compares cells and agents by deal. */
export const gapsIn = (contest: Contest, counted: readonly Counted[], judgements?: readonly Judgement[]): GapOf =>
  gapsByDeal(counted, (some) => ({
    rules: gameLabel(contest, some[0]!.pairing.game),
    pairings: some.length,
    held: placesIn(comparedGames(contest, some)),
    cells: cellRows(some),
    rates: winRateTables(some.flatMap(({ games }) => games)).overall,
    tables: measureTables(some, judgements),
  }));

/** How many games each agent has forfeited; agents without any are left out. */
function forfeitsBy(agents: readonly string[], games: readonly GameResult[]): ReportResults['forfeits'] {
  const byAgent = Map.groupBy(games.filter(isForfeit), ({ seats }) => seats[0]?.agent);
  return agents.flatMap((agent) => (byAgent.has(agent) ? [{ agent, games: byAgent.get(agent)!.length }] : []));
}

/** Whether a role has changed hands, so that a seat ended on another side than it was dealt. */
function isExchanged({ rules, seats }: GameResult): boolean {
  const { name } = ruleSetNamed(rules.split(' ')[0]!);
  return seats.some(({ role, side }) => side !== (sideOf(role, name) || side));
}

/** Where a contest stands that is not played to its end, in a sentence; undefined where all is played, or its terms ended it. */
export function unfinishedText({ results: { tables, stopped }, about: { state, why } }: Report): string | undefined {
  if (tables.played >= tables.planned || stopped !== undefined) return undefined;
  const count = `${tables.played.toLocaleString('en')} of ${tables.planned.toLocaleString('en')} tables were played`;
  const because = why === undefined ? '' : `: ${why.replace(/[.!?]+$/, '')}`;
  if (state === 'stopped' || state === 'stopping') return `This contest was stopped${because}. ${count}.`;
  return state === 'failed' ? `This contest has failed${because}. ${count}.` : `This contest is not finished: ${count}.`;
}

/** What the figures of a contest are that its sequential test has ended; undefined where it has not. */
export function stoppedText({ stopped, sprt }: ReportResults): string | undefined {
  if (stopped === undefined || !sprt?.accepted) return undefined;
  return (
    `The sequential test ended this contest after ${sprt.pairs} deals, when the figures were far enough apart. Strengths, win rates, differences, ` +
    'their intervals and p are those of as many deals fixed beforehand: a contest that ends so overstates differences (stopping bias), and p is too ' +
    'small. What allows for having looked after every deal is the verdict of the test.'
  );
}

/** Agents that no cell names, so that they never play, in a sentence; undefined where there are none. */
export function idleText({
  agents,
  schedule,
}: Pick<Contest, 'schedule'> & { readonly agents: readonly Pick<Agent, 'name'>[] }): string | undefined {
  if (schedule.kind !== 'cells') return undefined;
  const named = new Set(schedule.cells.flatMap(({ sides, seats, others }) => [...Object.values(sides), ...Object.values(seats), others]));
  const idle = agents.flatMap(({ name }) => (named.has(name) ? [] : [name]));
  return idle.length ? `No cell names ${idle.join(', ')}: ${idle.length === 1 ? 'it does' : 'they do'} not play.` : undefined;
}
