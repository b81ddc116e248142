import { setTimeout as sleep } from 'node:timers/promises';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { type Learner, learnersOf } from '@maw/lab/contests/schedules/carried.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import { nextPoolVersion } from '@maw/lab/training/experience/build.ts';
import type { ContestContext } from '../running-contest.ts';
import type { Tables } from './tables.ts';

/** The agents of a pairing that learn from game to game. */
export const learnersAt = ({ context, running, standing }: Tables, pairing: Pairing): readonly Learner[] =>
  learnersOf(running.id, standing.contest, standing.plan, pairing, context.recipes);

/**
 * Waits until the agents of a pairing have learned from it, and adds it to their pools, so that the next game of the cell can begin. Done again, it
 * changes nothing: a seat adds one version for a round, and a game is in a version of a pool once. Of a void pairing nothing is learned.
 * @throws Error when the running contest is aborted
 */
export async function keepLearned(tables: Tables, { number, attempt, games, records }: PairingResult): Promise<void> {
  const { context, standing } = tables;
  const pairing = standing.plan.at(number, attempt);
  const table = games.length ? records?.[0]?.table : undefined;
  const { rules } = standing.contest.games[pairing.game]!;
  const until = context.now() + context.learnMs; // for all of them: they learn side by side
  for (const learner of learnersAt(tables, pairing)) {
    const { carries, memory, before, seats } = learner;
    if (table !== undefined && carries.includes('strategies')) await untilLearned(tables, table, learner, until);
    if (!carries.includes('experience')) continue;
    const game = table === undefined ? undefined : { table, seats };
    await nextPoolVersion(context.store, { name: memory, version: before + 1, rules, game, at: context.now() });
  }
}

/** Waits until all seats of a learner have, or the contest stops. A message that no model answers is redelivered for a while and then given up, so this ends too. */
async function untilLearned(
  { context, running }: Tables,
  table: string,
  { agent, seats, lastStep }: Learner,
  until: number,
): Promise<void> {
  for (const seat of seats)
    while (!(await hasLearned(context, table, seat, lastStep))) {
      if (running.isStopping || context.now() >= until)
        return context.log.warn(
          { contest: running.id, table, seat, agent },
          'an agent has not learned from a game in time; its cell goes on',
        );
      await sleep(context.retryMs, undefined, { signal: running.signal });
    }
}

/** Decisions of a seat at one table, at most. */
const MAX_DECISIONS = 10_000;

/** Whether the last step after the game was thought without an error, or is left out for a reason. */
async function hasLearned({ store: { thoughts } }: ContestContext, table: string, seat: number, lastStep?: string): Promise<boolean> {
  const decisions = await thoughts.decisions(table, { seat, limit: MAX_DECISIONS });
  const after = decisions.findLast(({ phase }) => phase === 'round-1/end');
  const steps = after ? await thoughts.list(table, { seat, decision: after.decision }) : [];
  return steps.some(({ name, content }) => content['notLearned'] !== undefined || (name === lastStep && content['error'] === undefined));
}
