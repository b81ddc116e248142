import { type Evidence, gsprt } from '../ratings/sequential/gsprt.ts';
import { pairScores } from '../ratings/sequential/pair-scores.ts';
import { forfeitsOf } from './collect-result.ts';
import { affordableTables, costOf, type Spending } from './cost.ts';
import type { Contest } from './definition.ts';
import type { PairingResult } from './result.ts';
import { type Plan, planOf } from './schedules/plan.ts';

/** Whether a contest has to stop before all its pairings are played. */
export type Decision =
  | { readonly stop: false }
  /** Pairings from number `counted` on do not count. */
  | { readonly stop: true; readonly why: string; readonly counted: number };

/** Decides when a contest stops, result by result. */
export interface Stopping {
  /** Takes in a result, in whatever order they come; one that it knows changes nothing. */
  add(result: PairingResult): void;
  decision(): Decision;
  readonly spending: Spending;
  /** What the sequential test goes by; it sees nothing after its decision. */
  readonly test: TestProgress;
}

interface Progress {
  /** By number: results that wait for those before them. */
  readonly waiting: Map<number, PairingResult>;
  /** The results of the deal that is not whole yet. */
  deal: PairingResult[];
  /** What the sequential test has seen. */
  readonly test: TestProgress;
  /** Pairings in a row from the first one that are over. */
  next: number;
  /** Pairings of whole deals in a row. */
  counted: number;
  readonly spending: { spent: number; tables: number };
}

/** What a sequential test has seen. */
export interface TestProgress {
  /** Deals by score of the first agent. */
  readonly counts: Map<number, number>;
  deals: number;
  games: number;
  /** The log-likelihood ratio after each deal. */
  readonly path: number[];
  /** Once it is decided, later results change nothing. */
  decision: Decision;
}

/** The evidence of a test that has seen a deal. */
export function evidenceOf({ bounds: [elo0, elo1], alpha, beta }: Sprt, { counts, games, deals }: TestProgress): Evidence {
  const byScore = [...counts].map(([score, count]) => ({ score, count }));
  return gsprt(byScore, { elo0, elo1, alpha, beta, gamesPerPair: games / deals });
}

/**
 * Stops a contest once its terms say so. It looks at whole deals only, and at them in the order of their numbers, so the same results give the same
 * decision in whatever order tables end. The limit of cost counts every table that was played.
 */
export function stopping(contest: Contest): Stopping {
  const plan = planOf(contest);
  const test: TestProgress = { counts: new Map(), deals: 0, games: 0, path: [], decision: { stop: false } };
  const progress: Progress = { waiting: new Map(), deal: [], test, next: 0, counted: 0, spending: { spent: 0, tables: 0 } };
  return {
    add(result) {
      if (result.number < progress.next || progress.waiting.has(result.number)) return;
      progress.spending.tables++;
      progress.spending.spent += costOf(contest, result.usage);
      progress.waiting.set(result.number, result);
      for (let ready = progress.waiting.get(progress.next); ready; ready = progress.waiting.get(progress.next)) {
        progress.waiting.delete(progress.next++);
        progress.deal.push(ready);
        if (progress.next % plan.perDeal) continue;
        progress.counted = progress.next;
        addDeal(contest, plan, progress);
        progress.deal = [];
      }
    },
    spending: progress.spending,
    test,
    decision: () => (test.decision.stop ? test.decision : costDecision(contest, plan, progress)),
  };
}

/** What `stopping` decides after these results. */
export function decideStop(contest: Contest, results: readonly PairingResult[]): Decision {
  const { add, decision } = stopping(contest);
  for (const result of results) add(result);
  return decision();
}

/** Takes a whole deal into the sequential test. */
function addDeal(contest: Contest, plan: Plan, { test, deal, counted }: Progress): void {
  const { sprt } = contest.stopping;
  if (!sprt || test.decision.stop) return;
  const [one, two] = sprt.agents;
  // A deal of which a part is missing by nobody's fault cannot be compared.
  if (deal.some(({ void: broken }) => broken && broken.culprit === undefined)) return;
  const games = deal.flatMap((result) => [...result.games, ...forfeitsOf(contest, plan.at(result.number, result.attempt), result, true)]);
  const { counts, gamesPerPair } = pairScores(games, one, two);
  if (!counts.length) return;
  for (const { score, count } of counts) test.counts.set(score, (test.counts.get(score) ?? 0) + count);
  test.deals++;
  test.games += gamesPerPair;
  test.decision = testDecision(sprt, test, counted);
}

type Sprt = NonNullable<Contest['stopping']['sprt']>;

function testDecision(sprt: Sprt, test: TestProgress, counted: number): Decision {
  const { agents: [one, two], bounds: [elo0, elo1] } = sprt; // prettier-ignore
  const { llr, accepted } = evidenceOf(sprt, test);
  test.path.push(llr);
  if (accepted === undefined) return { stop: false };
  const found = accepted === 'elo1' ? `${one} is better than ${two}` : `${one} is not better than ${two}`;
  const why = `${found}: after ${test.deals} deals the test accepts ${accepted === 'elo1' ? elo1 : elo0} normalised Elo against ${accepted === 'elo1' ? elo0 : elo1} (log-likelihood ratio ${llr.toFixed(2)})`;
  return { stop: true, why, counted };
}

function costDecision(contest: Contest, { total }: Plan, { spending, counted }: Progress): Decision {
  const { spent, tables } = spending;
  // With all tables played there is nothing to stop.
  if (!tables || tables === total || affordableTables(contest, spending, 0) > 0) return { stop: false };
  return {
    stop: true,
    why: `${spent.toFixed(2)} of ${contest.stopping.maxCost} is spent, and another table costs about ${(spent / tables).toFixed(2)} (stopping.maxCost)`,
    counted,
  };
}
