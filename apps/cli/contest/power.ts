import { ApiProblem } from '@maw/api-client/problem.ts';
import { playOf } from '@maw/lab/contests/agent-recipe.ts';
import { costOf } from '@maw/lab/contests/cost.ts';
import { optionsOf } from '@maw/lab/contests/deal.ts';
import { type Contest, contestIdOf, contestShape } from '@maw/lab/contests/definition.ts';
import { courseOf } from '@maw/lab/contests/planning/course.ts';
import { planDeals, type Wanted, wantedDifferences } from '@maw/lab/contests/planning/power.ts';
import { shortened } from '@maw/lab/contests/read-file.ts';
import { countedPairings } from '@maw/lab/contests/report/counted.ts';
import { gapsByDeal } from '@maw/lab/contests/report/gap.ts';
import type { Published } from '@maw/lab/contests/report/published.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { WebClient } from '../clients/web-client.ts';
import { aside, counted } from '../output.ts';
import { timeOf } from './live-table.ts';

export interface PowerOptions {
  readonly power?: number;
  readonly difference?: number;
}

/** What `--power` is to find; nothing without it. @throws Error saying what to give */
export function wantedOf(contest: Contest, published: Published | undefined, { power, difference }: PowerOptions): readonly Wanted[] {
  if (power === undefined && difference !== undefined) throw new Error('--difference is what --power shall find; add --power .8');
  if (power === undefined) return [];
  if (!('deals' in contest.schedule))
    throw new Error(`--power: a contest of the schedule ${contest.schedule.kind} has no deals that compare; leave it out, or give --deals`);
  const wanted = wantedDifferences(contest, published, difference);
  if (wanted.length) return wanted;
  const none = published ? `no difference between two shares is published of ${contest.name}` : `nothing is published of ${contest.name}`;
  throw new Error(`--power: ${none}; say which one is to be found, such as --difference .1, or name figures with --published FILE`);
}

/** The contest with the deals that find what is wanted. Says what that assumes, and what playing them takes by what was played so far. */
export async function withPower(
  web: WebClient,
  contest: Contest,
  recipes: readonly Recipe[],
  wanted: readonly Wanted[],
  power: number,
): Promise<Contest> {
  const before = await web.contest(contestIdOf(contest.name)).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  });
  const results: PairingResult[] = [];
  if (before) for await (const result of web.contestResults(before.summary.contest)) results.push(result);
  const begun = before && contestShape.parse(before.contest);
  const level = contest.stopping.sprt?.alpha ?? 0.05;
  const gapOf = begun?.seed === undefined ? undefined : gapsByDeal(countedPairings(begun, results));
  const { deals, hardest, variance, played } = planDeals(wanted, { level, power }, gapOf);
  const has = begun && 'deals' in begun.schedule ? begun.schedule.deals : 0;
  const planned = { ...contest, schedule: shortened(contest.schedule, Math.max(deals, has)) };
  const { total } = planOf(planned);
  const { measure, about, higher, lower, shares, from } = hardest;
  const more = has > deals ? `; the contest has ${has} already` : '';
  aside(`Power ${power}, two-sided at ${level}: ${counted(deals, 'deal')}${more}, ${counted(total, 'game')}.`);
  aside(
    `Assumed: ${higher} ${shares[0].toFixed(2)}, ${lower} ${shares[1].toFixed(2)} (${measure}, ${about}; ${from}${wanted.length > 1 ? `; of ${wanted.length} differences the one that needs most` : ''}), ` +
      `with a variance of ${variance.toFixed(3)} from deal to deal, ${played === undefined ? 'as if the games of a deal were independent' : `that of ${played} deals played so far`}.`,
  );
  if (playOf(contest, recipes) === 'arena') aside('It is played in the arena: no tokens, and no time limits.');
  else for (const line of expected(planned, total, results)) aside(line);
  return planned;
}

/** What all games take: by the tables so far, and by the time limits of the rules. */
function expected(contest: Contest, total: number, results: readonly PairingResult[]): readonly string[] {
  const usage = results.flatMap((result) => result.usage);
  const ofAll = (part: (one: (typeof usage)[number]) => number): number => (usage.reduce((sum, one) => sum + part(one), 0) / results.length) * total; // prettier-ignore
  const tokens = `${Math.round(ofAll(({ prompt, completion }) => prompt + completion)).toLocaleString('en')} tokens, ${timeOf(ofAll(({ seconds }) => seconds))} of models`;
  const unpriced = usage.filter(({ model }) => !Object.hasOwn(contest.prices, model)).map(({ model }) => model);
  const cost = unpriced.length
    ? `a cost that is not known: no price of ${[...new Set(unpriced)].join(', ')}`
    : `a cost of ${ofAll((one) => costOf(contest, [one])).toFixed(2)}`;
  const longest = contest.games.map((game, i) => courseOf({ ...game, options: optionsOf(contest, i) }).ms / 1000);
  return [
    usage.length
      ? `Expected by ${counted(results.length, 'table')} so far: ${tokens}, ${cost}.`
      : 'Tokens and cost are not known before a table was played: the same command with --deals 1 in place of --power plays some, and this one goes on.',
    `Where every answer takes all its time, a game takes about ${longest.map(timeOf).join(' or ')}; phases that are decided end before.`,
  ];
}
