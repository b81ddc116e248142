import type { AgentConnection, AgentServer } from '../connections/agent-connection.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';

/** A server with the agents that wait there. */
export interface AgentQueue {
  /** The index of its terms. */
  readonly index: number;
  readonly terms: ServerTerms;
  /** In the order in which they came. */
  readonly waiting: Set<AgentConnection>;
  server: AgentServer | undefined;
  /** How many tables were begun, and how many of them run. */
  begun: number;
  running: number;
}

export const newAgentQueue = (terms: ServerTerms, index: number): AgentQueue => ({
  index,
  terms,
  waiting: new Set(),
  server: undefined,
  begun: 0,
  running: 0,
});

/** How many tables the server plays in all; in the natural-language division each game has one. */
export const tablesOf = ({ sets, division, games }: ServerTerms): number =>
  sets === undefined ? Infinity : division === 'natural' ? sets * games : sets;

export const isExhausted = ({ terms, begun }: AgentQueue): boolean => begun >= tablesOf(terms);
export const isFinished = (queue: AgentQueue): boolean => isExhausted(queue) && queue.running === 0;

/** Tables of a server at once: agents that come, hang up and come again could begin any number. */
export const MAX_RUNNING = 100;

/** The agents of the next table, if there are enough and it may begin; they wait no more. */
export function nextAgents(queue: AgentQueue): readonly AgentConnection[] | undefined {
  if (queue.terms.contests || isExhausted(queue) || queue.running >= MAX_RUNNING) return undefined;
  const agents = takeAgents(queue);
  if (agents) queue.begun++;
  return agents;
}

/** Takes the agents of the next set out of those that wait; undefined when there are not enough. */
export function takeAgents({ waiting, terms }: Pick<AgentQueue, 'waiting' | 'terms'>): readonly AgentConnection[] | undefined {
  const { match, agents } = terms;
  const chosen = choose([...waiting], match, agents);
  for (const connection of chosen ?? []) waiting.delete(connection);
  return chosen;
}

function choose(waiting: readonly AgentConnection[], match: ServerTerms['match'], count: number): readonly AgentConnection[] | undefined {
  const teams = [...Map.groupBy(waiting, ({ team }) => team).values()];
  if (match === 'self') return teams.find((team) => team.length >= count)?.slice(0, count);
  const candidates = match === 'teams' ? teams.map(([first]) => first!) : waiting;
  return candidates.length >= count ? candidates.slice(0, count) : undefined;
}

/** An agent waits for a table, until it hangs up. */
export function admit({ waiting }: AgentQueue, connection: AgentConnection): void {
  waiting.add(connection);
  void connection.closed.then(() => waiting.delete(connection));
}

/** What agents are told that no set needs. */
export const NO_MORE_SETS = 'the last set of this server has begun';

/** Sends away those that wait for nothing any more. */
export function dismiss({ waiting }: AgentQueue): void {
  for (const connection of waiting) void connection.close(NO_MORE_SETS);
  waiting.clear();
}

/** The server of a set that was begun before: at the same address, or else of the same division and for the same kind of tables. */
export function queueOf(queues: readonly AgentQueue[], { division, contests, host, port }: ServerTerms): AgentQueue | undefined {
  const fit = queues.filter(({ terms }) => terms.division === division && terms.contests === contests);
  return fit.find(({ terms }) => terms.host === host && terms.port === port) ?? fit[0];
}
