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
 * Refuses a contest that could not be played, before anything of it is stored. For one at tables the services that would play it are asked what
 * they would refuse there; for one in the arena the policies of its agents are checked.
 * @throws Refusal bad-contest with every mistake, a line each; late when a service does not answer
 */
export async function mustBePlayable(context: ContestContext, contest: Contest): Promise<void> {
  const mistakes =
    playOf(contest, context.recipes) === 'arena'
      ? await policyMistakes(context, contest)
      : [...(await mindMistakes(context, contest)), ...(await serverMistakes(context, contest))];
  if (mistakes.length) throw new Refusal('bad-contest', mistakes.join('\n').slice(0, MAX_CHARS));
}

/** What the gamemaster would refuse of the agents' recipes and parameters. */
async function mindMistakes(context: ContestContext, { agents }: Contest): Promise<readonly string[]> {
  const minds = agents.map(({ recipe, parameters }) => ({ recipe, parameters }));
  const { mistakes } = await answerInTime(context, 'the gamemaster', (ask) => ask('table.check', '-', { minds }));
  return mistakes.map(({ mind, says }) => `agents.${mind}: ${agents[mind]!.name}: ${says}`);
}

/** The divisions of outside agents for which no server is configured. */
async function serverMistakes(context: ContestContext, contest: Contest): Promise<readonly string[]> {
  const needed = divisionsOf(contest);
  if (!needed.length) return [];
  const service = 'the service of the servers for outside agents (aiwolf)';
  const { servers } = await answerInTime(context, service, (ask) => ask('agents.servers', '-', {}));
  const offered = new Set(servers.map(({ division }) => division));
  return needed.filter((division) => !offered.has(division)).map(missingServer);
}

const missingServer = (division: string): string =>
  `no server takes outside agents of the ${division} division for contests; ` +
  `add {"division":"${division}","port":10000,"contests":true} to AIWOLF_SERVERS of the service aiwolf`;

/** @param service in words, for the refusal @throws Refusal late when it does not answer within `checkMs` */
export async function answerInTime<T>(
  { closing, checkMs, ...context }: ContestContext,
  service: string,
  work: (ask: ContestContext['ask']) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(checkMs);
  try {
    return await work(requestClient({ ...context, service: 'contest', closing: AbortSignal.any([closing, late]) }));
  } catch (error) {
    if (!late.aborted || closing.aborted) throw error;
    throw new Refusal(
      'late',
      `${service} does not answer, and the contest cannot be played without it; start it, and open the contest again`,
    );
  }
}
