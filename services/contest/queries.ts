import { playOf } from '@maw/lab/contests/agent-recipe.ts';
import { contestShape } from '@maw/lab/contests/definition.ts';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import type { StoredContest, StoredResultPage } from '@maw/store/ports/contests.ts';
import { unknownContest } from './commands.ts';
import type { ContestReader } from './running-contest.ts';
import type { Scoreboards } from './live/scoreboard.ts';

type Summary = ReplyData<'contest.list'>['contests'][number];

/** The time whose pace tells how long a contest will take, in milliseconds. */
const PACE_MS = 600_000;
const MAX_TABLES = 1_000;

export async function listContests(context: ContestReader, { data }: Message<'contest.list'>): Promise<ReplyData<'contest.list'>> {
  const all = await context.contests.list(data);
  return { contests: fitInPage(all.map((stored) => summaryOf(context, stored))) };
}

/** @throws Refusal unknown-contest */
export async function viewContest(
  context: ContestReader,
  scoreboards: Scoreboards,
  { subject: id }: Message<'contest.view'>,
): Promise<ReplyData<'contest.view'>> {
  const stored = await context.contests.get(id);
  if (!stored) throw unknownContest(id);
  const isActive = stored.state === 'running' || stored.state === 'stopping';
  const begun = isActive ? await context.contests.begun(id) : [];
  const board = await scoreboards.of(stored);
  const leftMs = stored.state === 'running' ? await timeLeft(context, stored) : undefined;
  return {
    summary: summaryOf(context, stored),
    contest: { ...stored.contest },
    tables: begun.slice(0, MAX_TABLES).map(({ number, attempt, table, at }) => ({ number, attempt, table, since: at })),
    ...board,
    ...(leftMs === undefined ? {} : { leftMs }),
  };
}

/** About what fits into a message: then little is read in vain. As stored, results are smaller. */
const PAGE_BYTES = 400_000;
/** The most games of a long set that are read at once. */
const GAMES_OF_A_PART = 50;

/** @throws Refusal unknown-contest */
export async function resultsOf(
  { contests }: ContestReader,
  { subject: id, data: { after, limit, records, skip } }: Message<'contest.results'>,
): Promise<ReplyData<'contest.results'>> {
  const terms = { after, skip, limit, bytes: PAGE_BYTES, games: GAMES_OF_A_PART, ...(records ? { withRecords: true } : {}) };
  const { results, more } = await contests.page(id, terms);
  if (!results.length && !(await contests.get(id))) throw unknownContest(id);
  const page = fitInPage(partsOf(results));
  return { results: page, more: more || page.length < results.length || page.at(-1)?.['moreGames'] === true };
}

type ResultPart = ReplyData<'contest.results'>['results'][number];

/** The results up to the first whose games do not fit into a message, which has some of them. */
function partsOf(results: StoredResultPage['results']): ResultPart[] {
  const parts: ResultPart[] = [];
  for (const { records: allRecords, moreGames, ...result } of results) {
    const [games, records] = [gamesOf(result), (allRecords ?? []) as readonly unknown[]];
    const all = Array.from({ length: Math.max(games.length, records.length) }, (_, n) => [games[n], records[n]]);
    const count = fitInPage(all).length;
    const isCut = count < all.length || moreGames === true;
    parts.push({
      ...result,
      games: games.slice(0, count),
      ...(allRecords ? { records: records.slice(0, count) } : {}),
      ...(isCut ? { moreGames: true } : {}),
    });
    if (isCut) break;
  }
  return parts;
}

const gamesOf = (result: object): readonly unknown[] => ('games' in result ? (result.games as readonly unknown[]) : []);

function summaryOf({ recipes }: ContestReader, { id, contest, state, why, pairings, finished, at, since }: StoredContest): Summary {
  const about = contestShape.parse(contest);
  const play = playOf(about, recipes);
  return { contest: id, name: about.name, state, ...(why === undefined ? {} : { why }), play, pairings, finished, opened: at, since };
}

/** At the pace of the last minutes; undefined before the first result. */
async function timeLeft({ contests, now }: ContestReader, { id, since, pairings, finished }: StoredContest): Promise<number | undefined> {
  const from = Math.max(since, now() - PACE_MS);
  const lately = await contests.countFinished(id, from);
  return lately ? Math.round(((now() - from) / lately) * (pairings - finished)) : undefined;
}
