import { requestClient } from '@maw/bus/request-client.ts';
import { playOf } from '@maw/lab/contests/agent-recipe.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { divisionsOf } from '@maw/lab/contests/outside/outside-agents.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { policyMistakes } from '../policies.ts';
import type { ContestContext } from '../running-contest.ts';

/** How long the detail of a refusal may be. */
export const MAX_CHARS = 1_900;

/**
 * Asks the services that would play a contest at tables what they would refuse there, so that it is said before its first game; in the arena, whether
 * the policies of its agents can be used.
 * @throws Refusal bad-contest with every mistake; late when a service does not answer
 */
export async function mustBePlayable(context: ContestContext, contest: Contest): Promise<void> {
  const isHere = playOf(contest, context.recipes) === 'arena';
  const mistakes = isHere
    ? await policyMistakes(context, contest)
    : [...(await mindMistakes(context, contest)), ...(await serverMistakes(context, contest))];
  if (mistakes.length) throw new Refusal('bad-contest', mistakes.join('\n').slice(0, MAX_CHARS));
}

async function mindMistakes(context: ContestContext, { agents }: Contest): Promise<readonly string[]> {
  const minds = agents.map(({ recipe, parameters }) => ({ recipe, parameters }));
  const { mistakes } = await answerOf(context, 'the gamemaster', (ask) => ask('table.check', '-', { minds }));
  return mistakes.map(({ mind, says }) => `agents.${mind}: ${agents[mind]!.name}: ${says}`);
}

async function serverMistakes(context: ContestContext, contest: Contest): Promise<readonly string[]> {
  const needed = divisionsOf(contest);
  if (!needed.length) return [];
  const { servers } = await answerOf(context, 'the service of the servers for outside agents (aiwolf)', (ask) =>
    ask('agents.servers', '-', {}),
  );
  return needed.flatMap((division) =>
    servers.some((server) => server.division === division)
      ? []
      : [
          `no server takes outside agents of the ${division} division for contests; add {"division":"${division}","port":10000,"contests":true} to AIWOLF_SERVERS of the service aiwolf`,
        ],
  );
}

/** @param who answers, in words @throws Refusal late when it does not within `checkMs` */
async function answerOf<T>(
  { closing, checkMs, ...context }: ContestContext,
  who: string,
  work: (ask: ContestContext['ask']) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(checkMs);
  try {
    return await work(requestClient({ ...context, service: 'contest', closing: AbortSignal.any([closing, late]) }));
  } catch (error) {
    if (!late.aborted || closing.aborted) throw error;
    throw new Refusal('late', `${who} does not answer, and the contest cannot be played without it; start it, and open the contest again`);
  }
}
