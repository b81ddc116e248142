import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@maw/bus/request-client.ts';
import { requestId } from '@maw/bus/request-id.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { type Learner, memoryParameters } from '@maw/lab/contests/schedules/carried.ts';
import { optionsOf } from '@maw/lab/contests/deal.ts';
import { hasPrograms } from '@maw/lab/contests/outside/outside-agents.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import type { Input } from '@maw/contracts/contracts.ts';
import type { Tables } from './tables.ts';
import { stageOf } from './follow-table.ts';
import { learnersAt } from './keep-learned.ts';

/**
 * Opens the table of an attempt at a pairing, or finds it open, waiting as long as there is no room for it. Returns whether there is one: once no
 * further tables shall be opened, only where it was open before.
 * @throws Refused for another reason than want of room
 */
export async function openTable(tables: Tables, pairing: Pairing, attempt: number, table: string): Promise<boolean> {
  const { context, running, standing, noMore } = tables;
  const opening = openingOf(standing.contest, pairing, context.lobbyMs, learnersAt(tables, pairing));
  return tables.opening(async () => {
    const begun = { number: pairing.number, attempt, table, at: context.now() };
    for (let isBegun = false; !noMore.aborted;) {
      isBegun ||= await context.contests.begin(running.id, begun);
      if (!isBegun) {
        running.isStopping = true; // the news of it is on its way
        break;
      }
      try {
        await context.ask('table.open', table, opening, requestId('contest', table));
        return true;
      } catch (error) {
        if (!(error instanceof Refused) || error.reason !== 'limited') throw error;
        context.log.info(
          { contest: running.id, table, detail: error.detail, waitMs: error.waitMs },
          'a contest waits for room for its tables',
        );
        await sleep(error.waitMs ?? context.retryMs, undefined, { signal: noMore }).catch(() => undefined);
      }
    }
    running.signal.throwIfAborted();
    return (await stageOf(context.ask, table)) !== 'gone';
  });
}

/**
 * The terms of a table. Nobody but administrators sees more of it than the audience, afterwards neither: other tables of the same deal may still run.
 * The names of the agents stay out of it.
 * @param learners the agents that learn from game to game: they begin with what they have learnt
 */
export function openingOf(
  contest: Contest,
  { game, seed, rounds, agents: seated }: Pairing,
  lobbyMs: number,
  learners: readonly Learner[] = [],
): Input<'table.open'> {
  return {
    rules: contest.games[game]!.rules,
    options: optionsOf(contest, game),
    seed,
    rounds,
    seats: seated.map((name, seat) => {
      const { recipe, outside, over, parameters, model } = contest.agents.find((agent) => agent.name === name)!;
      const called = hasPrograms(contest) ? { name: `Player ${seat + 1}` } : {}; // else a program's would be that of its key
      if (outside !== undefined) return { kind: 'person' as const, isOutside: true as const, ...(over && { agent: outside }), ...called };
      const learner = learners.find(({ agent }) => agent === name);
      const memory = learner ? memoryParameters(learner) : {};
      return {
        kind: 'mind' as const,
        recipe,
        parameters: { ...parameters, ...memory },
        ...(model === undefined ? {} : { model }),
        ...called,
      };
    }),
    lobbyMs,
    pauseMs: 0,
    spectators: 'audience',
    afterwards: 'nobody',
    insight: 'never',
  };
}
