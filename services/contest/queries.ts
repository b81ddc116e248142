import { playOf } from '@maw/lab/contests/agent-recipe.ts';
import { type Contest, contestShape } from '@maw/lab/contests/definition.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import type { StoredContest, StoredResultPage } from '@maw/store/ports/contests.ts';
import { unknownContest } from './commands.ts';
import type { ContestContext, ContestReader } from './running-contest.ts';
import type { scoreboards } from './live/scoreboard.ts';
import type { timesLeft } from './live/time-left.ts';

type Summary = ReplyData<'contest.list'>['contests'][number];
type Results = ReplyData<'contest.results'>['results'];
type StoredResult = StoredResultPage['results'][number];

/** How many running tables a view lists. */
const MAX_TABLES = 1_000;

export async function listContests(context: ContestReader, { data }: Message<'contest.list'>): Promise<ReplyData<'contest.list'>> {
  const all = await context.contests.list(data);
  return { contests: fitInPage(all.map((stored) => summaryOf(context, stored))) };
}

/** What is made of all results and running tables, for those who look. */
export interface Live {
  readonly scoreboards: ReturnType<typeof scoreboards>;
  readonly timesLeft: ReturnType<typeof timesLeft>;
}

/** @throws Refusal unknown-contest */
export async function viewContest(
  context: ContestReader & Pick<ContestContext, 'plays'>,
  live: Live,
  { subject: id }: Message<'contest.view'>,
): Promise<ReplyData<'contest.view'>> {
  const stored = await context.contests.get(id);
  if (!stored) throw unknownContest(id);
  const isActive = stored.state === 'running' || stored.state === 'stopping';
  const begun = isActive ? await context.contests.begun(id) : [];
  const board = await live.scoreboards.of(stored);
  const left = stored.state === 'running' && context.plays ? await live.timesLeft(stored, begun) : {};
  return {
    summary: summaryOf(context, stored),
    contest: { ...stored.contest },
    tables: begun.slice(0, MAX_TABLES).map(({ number, attempt, table, at }) => ({ number, attempt, table, since: at })),
    ...board,
    ...left,
  };
}

function summaryOf({ recipes }: ContestReader, { id, contest, state, why, pairings, finished, at, since }: StoredContest): Summary {
  const about = contestShape.parse(contest);
  const play = playKnown(about, recipes);
  return { contest: id, name: about.name, state, ...(why === undefined ? {} : { why }), play, pairings, finished, opened: at, since };
}

/** How a contest is played. One of recipes from files that this process does not have can be read all the same: those need tables. */
function playKnown(contest: Contest, recipes: readonly Recipe[]): ReturnType<typeof playOf> {
  try {
    return playOf(contest, recipes);
  } catch {
    return 'tables';
  }
}

/** What is read from the database for one message, in bytes of stored results. In a message they are larger, so little is read in vain. */
const PAGE_BYTES = 400_000;
/** How many games of one long set are read for one message. */
const MAX_GAMES = 50;

/**
 * The next results of a contest that fit into one message. A result whose games do not fit is cut: it has `moreGames`, and is the last of its
 * page. Whoever reads goes on with `after` and `skip`.
 * @throws Refusal unknown-contest
 */
export async function resultsOf(
  { contests }: ContestReader,
  { subject: id, data: { after, limit, records, skip } }: Message<'contest.results'>,
): Promise<ReplyData<'contest.results'>> {
  const terms = { after, skip, limit, bytes: PAGE_BYTES, games: MAX_GAMES, ...(records ? { withRecords: true } : {}) };
  const { results: stored, more } = await contests.page(id, terms);
  if (!stored.length && !(await contests.get(id))) throw unknownContest(id);
  const page = fitInPage(untilCut(stored.map(fitGames)));
  return { results: page, more: more || page.length < stored.length || page.at(-1)?.['moreGames'] === true };
}

/** A result with as many of its games, and their records, as fit into a message. */
function fitGames({ records, moreGames, ...result }: StoredResult): Results[number] {
  const games: readonly unknown[] = 'games' in result ? (result.games as readonly unknown[]) : [];
  const recordsOfGames = (records ?? []) as readonly unknown[];
  const pairs = Array.from({ length: Math.max(games.length, recordsOfGames.length) }, (_, n) => [games[n], recordsOfGames[n]]);
  const count = fitInPage(pairs).length;
  return {
    ...result,
    games: games.slice(0, count),
    ...(records ? { records: recordsOfGames.slice(0, count) } : {}),
    ...(count < pairs.length || moreGames ? { moreGames: true } : {}),
  };
}

/** The results up to the first that is cut. */
function untilCut(results: Results): Results {
  const cut = results.findIndex((result) => result['moreGames'] === true);
  return cut < 0 ? results : results.slice(0, cut + 1);
}
