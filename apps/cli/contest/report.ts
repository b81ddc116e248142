import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contest, contestShape } from '@maw/lab/contests/definition.ts';
import { readPublished } from '@maw/lab/contests/report/published.ts';
import { countedPairings } from '@maw/lab/contests/report/counted.ts';
import { type ReportOptions, reportOf } from '@maw/lab/contests/report/report.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { decideStop } from '@maw/lab/contests/stopping.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { readJudgements } from '../research/measure.ts';
import { say } from '../output.ts';
import { printReport, writeReport } from './print-report.ts';

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
  withWeb({ ...options, contests: true }, config, (web) => reportAt(web, id, options));

/** Prints the report of a contest, and writes it to a folder where one is named. */
export async function reportAt(web: WebClient, id: string, options: ReportCommandOptions): Promise<void> {
  const { contest: terms, summary } = await web.contest(id);
  const contest = contestShape.parse(terms);
  const results: PairingResult[] = [];
  for await (const result of web.contestResults(id)) results.push(result);
  const decision = decideStop(contest, results);
  const stop = decision.stop ? decision : undefined;
  const { state, why } = summary;
  const report = reportOf(contest, results, {
    bootstrap: options.bootstrap,
    ...(stop ? { stop } : {}),
    ...(await readBeside(contest, options)),
    about: { made: Date.now(), state, ...(why === undefined ? {} : { why }) },
  });
  if (options.json) say(JSON.stringify(report));
  else printReport(report);
  if (options.out === undefined) return;
  const games = countedPairings(contest, results, stop).flatMap((counted) => counted.games);
  const page = await writeReport(options.out, report, games);
  process.stderr.write(`maw: ${page}\n`);
}

/**
 * Reads what stands beside the results: published figures and judgements.
 * @throws Error naming what is wrong with their files
 */
export async function readBeside(
  { name }: Contest,
  options: Pick<ReportCommandOptions, 'published' | 'judgements'>,
): Promise<Pick<ReportOptions, 'published' | 'judgements'>> {
  const published = options.published ?? join(PUBLISHED, `${name}.yaml`);
  if (options.published !== undefined && !existsSync(published)) throw new Error(`--published: there is no file ${published}`);
  return {
    ...(existsSync(published) ? { published: readPublished(published, readFileSync(published, 'utf8')) } : {}),
    ...(options.judgements === undefined ? {} : { judgements: await readJudgements(options.judgements) }),
  };
}
