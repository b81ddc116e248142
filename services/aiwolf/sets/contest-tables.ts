import { Refused } from '@maw/bus/request-client.ts';
import { requestId } from '@maw/bus/request-id.ts';
import type { Input, Message, ReplyData } from '@maw/contracts/contracts.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import { Refusal as RulesRefusal } from '@maw/games/kernel/refusal.ts';
import { divisionOf } from '@maw/games/aiwolf/division.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { newAgentSeat } from '../seats/agent-seat.ts';
import { contestTerms, type ServerTerms, tableOptions } from '@maw/aiwolf/server/server-terms.ts';
import { isAgent, isEndingFault } from './contest-agents.ts';
import { admit, type AgentQueue, MAX_RUNNING } from './agent-queue.ts';
import { namesOf } from './names.ts';
import { faultsOf } from './restore-sets.ts';
import { hold, persistently, type SetsState, startSet, withoutSecret } from './run-sets.ts';
import { newRunningSet } from './running-set.ts';

type Opening = Message<'agents.open'>['data'];

/**
 * Opens a table of a contest once all its agents wait at the server of its division. Whoever repeats the request finds it open.
 * @throws Refusal limited; bad-option when there is no such server; what the gamemaster refuses a table for
 */
export async function openForContest(
  state: SetsState,
  { subject: table, data }: Message<'agents.open'>,
): Promise<ReplyData<'agents.open'>> {
  const { queue, terms } = placeOf(state.queues, data.opening);
  const reply = { missing: [], busy: [], awayMs: terms.awayMs };
  const isKnown = (await state.sets.get(table)) !== undefined;
  if (isKnown || state.running.has(table)) return reply;
  if (state.opening.has(table)) return { ...reply, busy: data.agents.map(({ name }) => name) };
  const { connections, ...lacking } = choose(state, queue, data.agents);
  if (!connections) return { ...reply, ...lacking };
  if (queue.running >= MAX_RUNNING) throw new Refusal('limited', `${MAX_RUNNING} tables of outside agents run`, state.retryMs);
  for (const connection of connections) queue.waiting.delete(connection);
  state.opening.set(table, data.agents);
  try {
    await state.ask('table.open', table, openingOf(table, terms, data, state.peopleLobbyMs), requestId(table, 'open'));
  } catch (error) {
    state.opening.delete(table);
    for (const connection of connections) admit(queue, connection);
    if (!(error instanceof Refused)) throw error;
    throw new Refusal(error.reason as Reason, error.detail, error.waitMs);
  }
  await begin(state, queue, { table, terms, agents: data.agents, connections });
  return reply;
}

/** The server for a table, and its terms there. @throws Refusal bad-option */
function placeOf(queues: readonly AgentQueue[], opening: Opening['opening']): { readonly queue: AgentQueue; readonly terms: ServerTerms } {
  try {
    const division = divisionOf(opening.options);
    const queue = queues.find(({ terms }) => terms.contests && terms.division === division);
    if (queue) return { queue, terms: contestTerms(queue.terms, opening) };
    throw new Refusal('bad-option', `no server takes agents of the ${division} division for contests`);
  } catch (error) {
    throw error instanceof RulesRefusal ? new Refusal(error.reason, error.detail) : error;
  }
}

interface Choice {
  /** One for each agent, in their order; absent when one is lacking. */
  readonly connections?: readonly AgentConnection[];
  readonly missing: string[];
  readonly busy: string[];
}

function choose({ running, opening }: SetsState, { waiting, index }: AgentQueue, agents: Opening['agents']): Choice {
  const free = [...waiting];
  const connections: AgentConnection[] = [];
  const [missing, busy] = [new Set<string>(), new Set<string>()];
  const seated = [
    ...[...running.values()].flatMap(({ server, seats }) => (server === index ? seats.map(({ agent }) => agent) : [])),
    ...[...opening.values()].flatMap((others) => others.map(({ name }) => name)),
  ];
  for (const { name } of agents) {
    const found = free.find((each) => each.name === name) ?? free.find((each) => isAgent(each, name));
    if (found) {
      free.splice(free.indexOf(found), 1);
      connections.push(found);
    } else (seated.includes(name) ? busy : missing).add(name);
  }
  return { ...(connections.length === agents.length ? { connections } : {}), missing: [...missing], busy: [...busy] };
}

/** Its names and times are those of a set of the division. They depend on the table alone, not on who plays. */
const openingOf = (table: string, terms: ServerTerms, { opening }: Opening, lobbyMs: number): Input<'table.open'> => ({
  ...opening,
  options: tableOptions(terms),
  seats: namesOf(table, terms.division, terms.players).map((name, seat) => ({ ...opening.seats[seat]!, name })),
  lobbyMs: opening.seats.some(({ agent }) => agent !== undefined) ? opening.lobbyMs : lobbyMs, // programs come within the time of the contest
});

interface Begun {
  readonly table: string;
  readonly terms: ServerTerms;
  readonly agents: Opening['agents'];
  readonly connections: readonly AgentConnection[];
}

async function begin(state: SetsState, queue: AgentQueue, { table: id, terms, agents, connections }: Begun): Promise<void> {
  const number = ++queue.begun;
  const stored = { id, division: terms.division, at: state.now(), terms: withoutSecret(terms), agents, number };
  await persistently(state, () => state.sets.begin(stored));
  const seats = agents.map((agent) => newAgentSeat(id, agent, terms, undefined));
  const set = newRunningSet({ id, terms, server: queue.index, number, seats });
  startSet(state, queue, set, async () => true);
  state.opening.delete(id); // not before the set runs: until then no other request may take its agents, or begin it again
  for (const [i, connection] of connections.entries()) hold(state, seats[i]!, connection);
  state.log.info({ set: id, division: terms.division, agents: agents.length, players: terms.players }, 'a set of a contest begins');
}

/** What the agents of a table of a contest did wrong, once nothing more can be added to it. */
export async function faultsAt(state: SetsState, { subject: table }: Message<'agents.faults'>): Promise<ReplyData<'agents.faults'>> {
  await state.running.get(table)?.ended.promise;
  await persistently(state, () => state.faults.store());
  const all = await faultsOf(state.sets, table);
  const counted = Map.groupBy(
    all.filter((fault) => !isEndingFault(fault)),
    ({ seat, fault }) => `${seat} ${fault}`,
  );
  return {
    faults: [...counted.values()].map((same) => ({ seat: same[0]!.seat, fault: same[0]!.fault, times: same.length })),
    gone: all.filter(isEndingFault).map(({ seat }) => seat),
  };
}

export const contestServers = ({ queues }: SetsState): ReplyData<'agents.servers'> => ({
  servers: queues.flatMap(({ terms, server }) => (terms.contests && server ? [{ division: terms.division, url: server.url }] : [])),
});
