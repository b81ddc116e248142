import { ApiProblem } from '@maw/api-client/problem.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { costOf } from '@maw/lab/contests/cost.ts';
import { optionsOf } from '@maw/lab/contests/deal.ts';
import { type Contest, contestIdOf, contestShape, MAX_DEALS } from '@maw/lab/contests/definition.ts';
import { courseOf } from '@maw/lab/contests/planning/course.ts';
import { anyDifferences, planDeals, publishedDifferences, type Wanted } from '@maw/lab/contests/planning/power.ts';
import { shortened } from '@maw/lab/contests/read-file.ts';
import { countedPairings } from '@maw/lab/contests/report/counted.ts';
import type { Published } from '@maw/lab/contests/report/published.ts';
import { gapsIn } from '@maw/lab/contests/report/report.ts';
import type { AgentUsage, PairingResult } from '@maw/lab/contests/result.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import type { WebClient } from '../clients/web-client.ts';
import { aside, counted } from '../output.ts';
import { timeOf } from './live-table.ts';

export interface PowerOptions {
  readonly power?: number;
  readonly difference?: number;
  readonly deals?: number | undefined;
}

/** What `--power` is to find; nothing without it. @throws Error saying what to give */
export function wantedOf(contest: Contest, published: Published | undefined, options: PowerOptions): readonly Wanted[] {
  const { name, agents, schedule } = contest;
  const { power, difference: by, deals } = options;
  if (power === undefined && by !== undefined) throw new Error('--difference is what --power shall find; add --power .8');
  if (power === undefined) return [];
  if (deals !== undefined) throw new Error('--power says how many deals are played; leave --deals out');
  if (!('deals' in schedule)) throw new Error(`--power: the schedule ${schedule.kind} has no deals that compare agents; leave it out`);
  if ((schedule.kind === 'cells' ? schedule.cells : agents).length < 2)
    throw new Error(
      `--power: ${name} has one ${schedule.kind === 'cells' ? 'cell' : 'agent'}, and a difference is between two; leave it out`,
    );
  if (by !== undefined) return anyDifferences(contest, by);
  const wanted = published ? publishedDifferences(published, contest) : [];
  if (wanted.length) return wanted;
  throw new Error(
    `--power: ${published ? 'no difference between two shares of its cells or agents' : 'nothing'} is published of ${name}; say which one to find, such as --difference .1`,
  );
}

/** The contest with the deals that find what is wanted. Says what that assumes and takes, by what was played so far. */
export async function withPower(
  web: WebClient,
  contest: Contest,
  { wanted, power, isArena, asksModels }: { readonly wanted: readonly Wanted[]; readonly power: number; readonly isArena: boolean; readonly asksModels: boolean }, // prettier-ignore
): Promise<Contest> {
  const before = await web.contest(contestIdOf(contest.name)).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  });
  const begun = before && contestShape.parse(before.contest);
  const has = begun && 'deals' in begun.schedule ? begun.schedule.deals : 0;
  // Its seed is secret until it is over, so nobody can tell which deals its results are of.
  if (before && has && ['running', 'stopping'].includes(before.summary.state)) {
    aside(`--power: ${contest.name} is not over; it goes on with its ${counted(has, 'deal')}. Once they are played, the same command takes their variance.`); // prettier-ignore
    return { ...contest, schedule: shortened(contest.schedule, has) };
  }
  const results: PairingResult[] = [];
  if (before) for await (const result of web.contestResults(before.summary.contest)) results.push(result);
  const level = contest.stopping.sprt?.alpha ?? 0.05;
  const plan = planDeals(wanted, { level, power }, begun?.seed === undefined ? undefined : gapsIn(begun, countedPairings(begun, results)));
  // The report compares agents over all games together, and cells game by game.
  const isOfCells = contest.schedule.kind === 'cells' && contest.schedule.cells.some(({ name }) => name === plan.wanted.higher);
  const deals = isOfCells ? plan.deals : Math.ceil(plan.deals / contest.games.length);
  if (deals > MAX_DEALS)
    throw new Error(`--power: it takes ${deals.toLocaleString('en')} deals, and a contest has ${MAX_DEALS.toLocaleString('en')} at most; take less power, or a larger difference`); // prettier-ignore
  const planned = { ...contest, schedule: shortened(contest.schedule, Math.max(deals, has)) };
  const { total } = planOf(planned);
  const ofEach = contest.games.length > 1 ? ' of each game' : '';
  const already = has > deals ? `; it has ${has} already` : '';
  aside(`Power ${power}, two-sided at ${level}: ${counted(deals, 'deal')}${ofEach}${already}; ${counted(total, 'game')}.`);
  aside(assumedBy(plan, wanted.length));
  for (const line of isArena ? [] : expected(planned, total, results, asksModels)) aside(line);
  return planned;
}

/** What the number of deals assumes, and where that is from. @param count of the differences that are wanted */
function assumedBy({ wanted, variance, played }: ReturnType<typeof planDeals>, count: number): string {
  const { measure, about, higher, lower, shares, where } = wanted;
  const most = count > 1 ? `, which of ${count} differences needs most` : '';
  const from = played === undefined ? 'as if the games of a deal were independent' : `that of ${played} deals played so far`;
  const assumed = `${higher} ${shares[0].toFixed(3)}, ${lower} ${shares[1].toFixed(3)} (${measure}, ${about}; ${where}${most})`;
  return `It assumes ${assumed}, and a variance of ${variance.toFixed(3)}: ${from}.`;
}

/** What all games take: by the tables so far, and by the times of the rules. */
function expected(contest: Contest, total: number, results: readonly PairingResult[], asksModels: boolean): readonly string[] {
  const usage = results.flatMap((result) => result.usage);
  const ofAll = (part: (one: AgentUsage) => number): number => (usage.reduce((sum, one) => sum + part(one), 0) / results.length) * total;
  const priced = Object.keys(contest.prices).map(keyOf);
  const unpriced = [...new Set(usage.flatMap(({ model }) => (priced.includes(keyOf(model)) ? [] : [model])))];
  const cost = unpriced.length ? `a cost that is not known, without a price of ${unpriced.join(', ')}` : `a cost of ${ofAll((one) => costOf(contest, [one])).toFixed(2)}`; // prettier-ignore
  const tokens = Math.round(ofAll(({ prompt, completion }) => prompt + completion)).toLocaleString('en');
  const longest = contest.games.map((game, i) => timeOf(courseOf({ ...game, options: optionsOf(contest, i) }).ms / 1000));
  const untold = asksModels
    ? [
        'Tokens and cost of models are told once tables were played: --deals 1 in place of --power plays the first; then this command goes on.',
      ]
    : [];
  return [
    ...(usage.length
      ? [
          `By ${counted(results.length, 'table')} so far it takes ${tokens} tokens, ${timeOf(ofAll(({ seconds }) => seconds))} of models, and ${cost}.`,
        ]
      : untold),
    `At tables a game takes about ${longest.join(' or ')} where every answer takes all its time.`,
  ];
}
