import { Refused } from '@maw/bus/request-client.ts';
import { requestId } from '@maw/bus/request-id.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import type { ActDeps } from '../seats/act.ts';
import { roundOf } from '../seats/agent-seat.ts';
import type { FaultBook } from '../seats/faults.ts';
import type { RunningSet } from './running-set.ts';

interface ContestDeps extends ActDeps {
  readonly faults: FaultBook;
  now(): number;
}

/** Whether a connection is that of an agent of a contest: by its name, or by that without its number. */
export const isAgent = ({ name, team }: AgentConnection, agent: string): boolean => name === agent || team === agent;

/** The question in whose place a fault stands that has ended the table. */
const ENDING = 'ended';
export const isEndingFault = ({ question }: { readonly question: string }): boolean => question.endsWith(`/${ENDING}`);

/** In how many milliseconds the table of a contest has waited long enough for an agent that is away. */
export function msUntilEnd({ terms, seats, isEnding }: RunningSet, now: number): number {
  if (!terms.contests || isEnding) return Infinity;
  return Math.max(0, Math.min(...seats.map(({ link }) => (link.connection ? Infinity : link.awaitedUntil - now))));
}

/** Ends the table of a contest once an agent has been away for too long: without it the game would be another one for all. */
export async function endWithoutAgents(deps: ContestDeps, set: RunningSet): Promise<void> {
  const { terms, seats, id } = set;
  if (msUntilEnd(set, deps.now()) > 0) return;
  set.isEnding = true;
  for (const seat of seats) {
    if (seat.link.connection || deps.now() < seat.link.awaitedUntil) continue;
    const detail = `the agent was away for ${terms.awayMs} ms: its table is ended`;
    deps.faults.add(seat, { request: 'NAME', question: `round-${roundOf(seat)}/${ENDING}`, fault: 'gone', detail });
  }
  try {
    await deps.ask('table.abort', id, { why: 'an outside agent was away for too long' }, requestId(id, 'abort'));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    deps.log.debug({ set: id, reason: error.reason }, 'the table of a contest was over before');
  }
}
