import type { AgentConnection } from '../connections/agent-connection.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';

/** The agents that wait for a set, in the order in which they came. */
export interface Gathering {
  readonly waiting: Set<AgentConnection>;
}

export const newGathering = (): Gathering => ({ waiting: new Set() });

/** Takes the agents of the next set out of those that wait; undefined when there are not enough. */
export function takeAgents(
  { waiting }: Gathering,
  { match, agents }: Pick<ServerTerms, 'match' | 'agents'>,
): readonly AgentConnection[] | undefined {
  const chosen = choose([...waiting], match, agents);
  if (!chosen) return undefined;
  for (const connection of chosen) waiting.delete(connection);
  return chosen;
}

function choose(waiting: readonly AgentConnection[], match: ServerTerms['match'], count: number): readonly AgentConnection[] | undefined {
  if (match === 'self') return [...Map.groupBy(waiting, ({ team }) => team).values()].find((team) => team.length >= count)?.slice(0, count);
  const candidates = match === 'teams' ? [...Map.groupBy(waiting, ({ team }) => team).values()].map(([first]) => first!) : waiting;
  return candidates.length >= count ? candidates.slice(0, count) : undefined;
}
