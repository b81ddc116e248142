import { setTimeout as sleep } from 'node:timers/promises';
import { recipeOf } from '@maw/lab/contests/agent-recipe.ts';
import { type Learner, learnersOf } from '@maw/lab/contests/schedules/carried.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import { nextPoolVersion } from '@maw/lab/training/experience/build.ts';
import type { ContestContext, RunningContest } from '../running-contest.ts';
import type { Standing } from '../standing.ts';
import type { Tables } from './tables.ts';

/** The agents of a pairing that learn from game to game. */
export const learnersAt = ({ context, running, standing }: Tables, pairing: Pairing): readonly Learner[] =>
  learnersOf(running.id, standing.contest, standing.plan, pairing, context.recipes);

/**
 * Waits until the agents of a pairing have learned from it, and adds it to their pools, so that the next game of the cell can begin. Done again, it
 * changes nothing: a seat adds one version for a round, and a game is in a version of a pool once. Of a void pairing nothing is learned.
 * @throws the reason of the abort of the running contest
 */
export async function keepLearned(tables: Tables, { number, attempt, games, records }: PairingResult): Promise<void> {
  const { context, standing } = tables;
  const pairing = standing.plan.at(number, attempt);
  const table = games.length ? records?.[0]?.table : undefined;
  const { rules } = standing.contest.games[pairing.game]!;
  for (const learner of learnersAt(tables, pairing)) {
    const { carries, memory, before, seats } = learner;
    if (table !== undefined && carries.includes('strategies')) await untilLearned(tables, table, learner);
    if (!carries.includes('experience')) continue;
    const game = table === undefined ? undefined : { table, seats };
    await nextPoolVersion(context.store, { name: memory, version: before + 1, rules, game, at: context.now() });
  }
}

/** Waits until all seats of a learner have. A message that no model answers is redelivered for a while and then given up, so this ends too. */
async function untilLearned({ context, running, standing }: Tables, table: string, { agent, seats }: Learner): Promise<void> {
  const until = context.now() + context.learnMs;
  const last = lastStepOf(context, standing, agent);
  for (const seat of seats)
    while (!(await hasLearned(context, table, seat, last))) {
      if (context.now() >= until) {
        context.log.warn({ contest: running.id, table, seat, agent }, 'an agent has not learned from a game in time; its cell goes on');
        return;
      }
      await pause(context, running);
    }
}

async function pause({ retryMs }: ContestContext, { signal }: RunningContest): Promise<void> {
  await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

const lastStepOf = ({ recipes }: ContestContext, { contest }: Standing, agent: string): string | undefined =>
  recipeOf(
    contest.agents.find(({ name }) => name === agent)!,
    recipes,
  ).after?.at(-1)?.name;

/** Decisions of a seat at one table, at most. */
const MAX_DECISIONS = 10_000;

/** Whether the last step after the game was thought without an error, or is left out for a reason. */
async function hasLearned(
  { store: { thoughts } }: ContestContext,
  table: string,
  seat: number,
  last: string | undefined,
): Promise<boolean> {
  const decisions = await thoughts.decisions(table, { seat, limit: MAX_DECISIONS });
  for (const { phase, decision } of decisions) {
    if (phase !== 'round-1/end') continue;
    const steps = await thoughts.list(table, { seat, decision });
    if (steps.some(({ name, content }) => content['notLearned'] !== undefined || (name === last && content['error'] === undefined)))
      return true;
  }
  return false;
}
