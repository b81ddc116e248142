import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contest, contestShape } from '@maw/lab/contests/definition.ts';
import { countedPairings, csvOf } from '@maw/lab/contests/report/counted.ts';
import { htmlOf } from '@maw/lab/contests/report/html/page.ts';
import { type GamesNeeded, readPublished, unmeasuredText } from '@maw/lab/contests/report/published.ts';
import { idleText, type Report, reportOf, type ReportOptions, stoppedText, unfinishedText } from '@maw/lab/contests/report/report.ts';
import type { DifferenceRow, Interval } from '@maw/lab/contests/report/strengths.ts';
import { eloText } from '@maw/lab/ratings/report-tables.ts';
import { dealsNeededText, leastPText } from '@maw/lab/ratings/rates/difference.ts';
import { type PairingResult, seatSharing } from '@maw/lab/contests/result.ts';
import { decideStop } from '@maw/lab/contests/stopping.ts';
import { parseJudgements } from '@maw/lab/measures/judged-measures.ts';
import { ENOUGH_DEALS } from '@maw/lab/ratings/strength/bootstrap.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { aside, columns, counted, numberColumns, say } from '../output.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { readContents } from '../records/record-files.ts';
import type { Summary } from './live-table.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { readTextFile } from '@maw/text/text-file.ts';

export interface ReportCommandOptions extends ConnectOptions {
  readonly out?: string;
  readonly published?: string;
  readonly judgements?: string;
  readonly bootstrap: number;
  readonly json: boolean;
}

/** What documents have published, by the name of the contest that repeats it. */
const PUBLISHED = join(import.meta.dirname, '../../../experiments/published');

/** `maw contest report`. */
export const reportContest = (id: string, options: ReportCommandOptions, config: CliConfig): Promise<void> =>
  withWeb({ ...options, contests: true }, config, (web, isReader) => reportAt(web, id, options, isReader ? undefined : web.at));

/**
 * Prints the report of a contest, and writes it to a folder where one is named.
 * @param at the address of the page where its tables open; undefined where that ends with this process
 */
export async function reportAt(web: WebClient, id: string, options: ReportCommandOptions, at: string | undefined): Promise<void> {
  const { contest: terms, summary } = await web.contest(id);
  const contest = contestShape.parse(terms);
  const { report, games } =
    contest.seed === undefined ? await reportOfService(web, id, options) : await ownReport(web, contest, summary, options);
  if (options.json) say(JSON.stringify(report));
  else printReport(report);
  if (options.out !== undefined) aside(`maw: ${await writeReport(options.out, report, games, at)}`);
  else if (!options.json && report.results.list?.length) say(`\n${GAMES}`);
}

const GAMES = 'Which games a number is of: --out FOLDER writes report.html, where it leads to them, and each game to its table.';

interface MadeReport {
  readonly report: Report;
  /** The games that count, as CSV in parts. */
  readonly games: Iterable<string>;
}

/** The report of a contest that is not over: without its seed, which is secret until then, only the service can make it. */
async function reportOfService(web: WebClient, id: string, { judgements, published }: ReportCommandOptions): Promise<MadeReport> {
  const option = judgements === undefined ? published && '--published' : '--judgements';
  if (option) throw new Error(`${option}: the contest is not over, and until then its service makes the report; leave it out`);
  const madeAs = async (format: string) => (await web.api.open('/contests/:contest/report', { contest: id, format }, {})).text();
  return { report: JSON.parse(await madeAs('json')) as Report, games: [await madeAs('csv')] };
}

async function ownReport(
  web: WebClient,
  contest: Contest,
  { contest: id, state, why }: Summary,
  options: ReportCommandOptions,
): Promise<MadeReport> {
  const results: PairingResult[] = [];
  const share = seatSharing();
  for await (const result of web.contestResults(id)) results.push(share(result));
  const decision = decideStop(contest, results);
  const stop = decision.stop ? decision : undefined;
  const report = reportOf(contest, results, {
    bootstrap: options.bootstrap,
    ...(stop ? { stop } : {}),
    ...(await readBeside(contest, options)),
    about: { made: Date.now(), state, ...(why === undefined ? {} : { why }) },
  });
  return { report, games: csvOf(countedPairings(contest, results, stop).flatMap((each) => each.games)) };
}

/**
 * Reads what stands beside the results: published figures and judgements.
 * @throws Error naming what is wrong with their files
 */
export async function readBeside(
  { name }: Contest,
  { judgements, ...options }: Pick<ReportCommandOptions, 'published' | 'judgements'>,
): Promise<Pick<ReportOptions, 'published' | 'judgements'>> {
  const published = options.published ?? join(PUBLISHED, `${name}.yaml`);
  if (options.published !== undefined && !existsSync(published)) throw new Error(`--published: there is no file ${published}`);
  return {
    ...(existsSync(published) ? { published: readPublished(published, readTextFile(published)) } : {}),
    ...(judgements === undefined ? {} : { judgements: parseJudgements(await readContents(judgements), judgements) }),
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const fixed = (value: number): string => value.toFixed(2);
const between = (low: number | null, high: number | null): string =>
  low === null || high === null ? 'not known' : `${fixed(low)} to ${fixed(high)}`;

/** Prints what a report says, for a terminal. */
function printReport(report: Report): void {
  const { results, contest } = report;
  const { ranking, rates, tables, published, simulated, voids } = results;
  say(`${sanitizeText(contest.name)}: ${results.games} games count, of ${tables.played} of ${tables.planned} tables`);
  if (simulated.length) say(`A simulator has played (${simulated.join(', ')}): these figures say nothing of any model.`);
  if (results.stopped !== undefined) say(`It ended early: ${results.stopped}`);
  for (const text of [idleText(contest), stoppedText(results)]) if (text !== undefined) say(text);
  if (results.sprt?.estimate) say(sanitizeText(eloText(results.sprt.agents[0], results.sprt.estimate)));
  for (const text of results.lost ?? []) say(sanitizeText(text));
  const unfinished = unfinishedText(report);
  if (unfinished !== undefined) say(sanitizeText(unfinished));
  for (const { agent, games } of results.forfeits) say(`${agent} forfeited ${counted(games, 'game')}: lost for it, and counted for nobody else`); // prettier-ignore
  for (const [why, own] of Map.groupBy(voids, (each) => each.why)) say(`${tablesText(own.map(({ number }) => number))} void: ${sanitizeText(why)}`); // prettier-ignore
  if (contest.seed !== undefined) say(`Its seed is ${sanitizeText(contest.seed)}.`);
  if (!results.games) return; // forfeits alone rank nobody
  const ranked = ranking.agents.map(({ agent, rankLow, rankHigh, strength }) => [agent, rankLow === rankHigh ? String(rankLow) : `${rankLow} to ${rankHigh}`, fixed(strength.value), between(strength.low, strength.high)]); // prettier-ignore
  say(`\n${numberColumns([['agent', 'rank (95 %)', 'strength', '95 %'], ...ranked], '  ')}`);
  if (ranking.deals < ENOUGH_DEALS)
    say(`  of ${counted(ranking.deals, 'deal')}: with fewer than ${ENOUGH_DEALS}, intervals of strength and ranks are too narrow`);
  if (results.exchanged)
    say(`  in ${results.exchanged} of ${results.games} games a role changed hands between sides; sides are those at the end`);
  const shares = rates.bySide.map(({ agent, rules, of, games, share, low, high }) => [`${agent} as ${of}, ${rules}`, String(games), percent(share), `${percent(low)} to ${percent(high)}`]); // prettier-ignore
  say(`\n${numberColumns([['won', 'games', 'share', '95 %'], ...shares], '  ')}`);
  printHeld(results.held);
  printDifferences('agents in the same places of the same deals', results.differences);
  printDifferences('cells in the same deals', results.cellDifferences);
  if (published) printPublished(published);
}

/** Whether an agent wins by its seat, or by how long it talks. */
function printHeld(held: Report['results']['held']): void {
  if (!held.some(({ sameRole }) => sameRole)) return;
  const points = (each: Interval | null): string => (each ? (each.value * 100).toFixed(1) : 'nobody');
  const rows = held.map(({ agent, rules, seats, length, sameRole, sameSeat, sameLength }) => [`${agent}, ${rules}`, String(seats), length === null ? '' : length.toFixed(0), points(sameRole), points(sameSeat), points(sameLength)]); // prettier-ignore
  say(
    `\n${numberColumns([['points above others with the same', 'seats', 'letters a speech', 'role', '+ seat', '+ length of speech'], ...rows], '  ')}`,
  );
}

function printDifferences(of: string, rows: readonly (DifferenceRow & { readonly side?: string })[]): void {
  const pairs = rows.map(({ one, other, side, deals, difference, adjusted, dealsNeeded }) => [`${one} - ${other}${side === undefined ? '' : `, ${side}`}`, `${(difference.value * 100).toFixed(1)} points`, adjusted < 0.001 ? '< 0.001' : adjusted.toFixed(3), dealsNeededText({ deals, dealsNeeded })]); // prettier-ignore
  if (!pairs.length) return;
  say(`\n${numberColumns([[of, 'by', 'p (Holm)', 'deals needed'], ...pairs], '  ')}`);
  const least = leastPText(rows);
  if (least !== undefined) say(`  ${least}`);
}

function printPublished({ document, figures, claims }: NonNullable<Report['results']['published']>): void {
  say(`\nBeside ${document}:`);
  const shown = (value: number, low?: number, high?: number): string => (low === undefined || high === undefined ? fixed(value) : `${fixed(value)} (${fixed(low)} to ${fixed(high)})`); // prettier-ignore
  const games = (n: GamesNeeded | undefined, what = 'games'): string =>
    typeof n === 'number' ? `${n} ${what} tell them apart` : (n ?? '');
  const byDeals = (deals: number | undefined): string => (deals === undefined ? 'games as independent' : `by ${counted(deals, 'deal')}`);
  const rows = [
    ...figures.map(({ cell, measure, about, published, ours, why, how, where, needed }) => [
      `${cell}: ${measure}, ${about}`,
      `published ${shown(published.value, published.low, published.high)}, ${how === 'plot' ? 'read off the plot' : 'printed'} in ${where}`,
      ours ? `ours ${shown(ours.value, ours.low, ours.high)}` : unmeasuredText(why),
      games(needed),
    ]),
    ...claims.map(({ measure, about, higher, lower, where, finding, why, difference, deals, needed }) => [
      `${measure}, ${about}`,
      `published: ${higher} above ${lower}, ${where}`,
      difference
        ? `ours ${fixed(difference.value)} (${between(difference.low, difference.high)}), ${byDeals(deals)}: ${finding}`
        : finding === 'not measured'
          ? unmeasuredText(why)
          : finding,
      games(needed, deals === undefined ? 'games' : 'deals'),
    ]),
  ];
  columns(rows).forEach(say);
}

/** Tables that are named one by one. */
const MAX_NAMED = 10;

function tablesText(numbers: readonly number[]): string {
  const more = numbers.length - MAX_NAMED;
  const named = numbers.slice(0, MAX_NAMED).join(', ');
  return numbers.length === 1 ? `Table ${named} is` : `Tables ${named}${more > 0 ? ` and ${more} more` : ''} are`;
}

/** Writes report.html, results.csv and report.json to a folder. @returns the path of the page */
async function writeReport(folder: string, report: Report, games: Iterable<string>, at: string | undefined): Promise<string> {
  await prepareFolder(folder, '--out');
  const page = join(folder, 'report.html');
  await writeFile(page, htmlOf(report, at));
  await writeFile(join(folder, 'results.csv'), games);
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  return page;
}
