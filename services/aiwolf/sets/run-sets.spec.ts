import { describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { hasReturned, newAgentSeat } from '../seats/agent-seat.ts';
import { wantsBack } from '../seats/visit.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { Refused } from '@maw/bus/request-client.ts';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { admit, isExhausted, MAX_RUNNING, newAgentQueue } from './agent-queue.ts';
import { restoreSets } from './restore-sets.ts';
import { attach, beginSets, type SetsState, startSet, withOwnName } from './run-sets.ts';
import { newRunningSet } from './running-set.ts';

const agent = { name: 'fox1', team: 'fox', closed: new Promise<void>(() => undefined) } as unknown as AgentConnection;

/** A server for one agent at a table, with a set that is over and whose end cannot be stored until `store` is called. */
async function endingSet() {
  const terms = serverTerms.parse({ division: 'natural', port: 0, agents: 1 });
  const queue = newAgentQueue(terms, 0);
  queue.begun = 1;
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const state = {
    running: new Map(),
    tasks: new Set(),
    log: logger('aiwolf', { level: 'silent' }),
    closing: new AbortController().signal,
    now: () => 0,
    faults: { store: async () => undefined },
    sets: {
      async begin() {
        begun.resolve();
        await new Promise(() => undefined);
      },
      async discard() {
        end();
        await stored;
      },
    },
    queueChanged: () => undefined,
  } as unknown as SetsState;
  startSet(
    state,
    queue,
    newRunningSet({ id: 's', terms, server: 0, number: 1, seats: [newAgentSeat('s', { seat: 0, name: agent.name }, terms, undefined)] }),
    async () => false,
  );
  await ending;
  return { state, queue, store, begun: begun.promise };
}

describe('a set that is over and not stored yet', () => {
  it('gives no seat to an agent that connects again', async () => {
    const { state, queue, store } = await endingSet();
    expect(attach(state, queue, agent)).toBe(false);
    store();
    await Promise.all(state.tasks);
  });

  it('makes room for the next one when it has ended, where too many run', async () => {
    const { state, queue, store, begun } = await endingSet();
    queue.running = MAX_RUNNING;
    admit(queue, agent);
    beginSets(state, queue);
    expect([state.running.size, queue.begun]).toEqual([0, 0]);
    store();
    await begun;
    expect([state.running.size, queue.begun, queue.running]).toEqual([1, 1, MAX_RUNNING]);
  });
});

it('counts the faults of an agent on when it has hung up and returns', () => {
  const terms = serverTerms.parse({ division: 'protocol', port: 0, agents: 1 });
  const queue = newAgentQueue(terms, 0);
  const seat = newAgentSeat('s', { seat: 0, name: agent.name }, terms, undefined);
  Object.assign(seat.faults, { round: 1, count: 10 });
  const set = newRunningSet({ id: 's', terms, server: 0, number: 1, seats: [seat] });
  const state = { running: new Map([['s', set]]), log: silent } as unknown as SetsState;
  expect(attach(state, queue, agent)).toBe(true);
  expect([hasReturned(seat), seat.faults]).toEqual([true, { round: 1, count: 10 }]);
  expect([1, 2].map((round) => wantsBack(seat, round))).toEqual([false, true]);
});

it('numbers agents of one name, and gives a name back where it came from', () => {
  const terms = serverTerms.parse({ division: 'protocol', port: 0, agents: 2 });
  const queue = newAgentQueue(terms, 0);
  const from = (origin: string) => ({ ...agent, name: 'fox', origin }) as AgentConnection;
  const seats = ['fox', 'fox (2)'].map((name, seat) => newAgentSeat('s', { seat, name }, terms, from(`address ${seat}`)));
  const set = newRunningSet({ id: 's', terms, server: 0, number: 1, seats });
  const state = { running: new Map([['s', set]]), log: silent } as unknown as SetsState;
  const named = (origin: string, here = queue) => withOwnName(state, here, from(origin)).name;
  expect(named('address 0')).toBe('fox (3)'); // both are there
  for (const { link } of seats) link.connection = undefined;
  expect(['address 0', 'address 1', 'elsewhere'].map((each) => named(each))).toEqual(['fox', 'fox (2)', 'fox (3)']);
  expect(attach(state, queue, from('elsewhere'))).toBe(false);
  expect(attach(state, queue, withOwnName(state, queue, from('address 1')))).toBe(true);
  expect(seats.map(({ link }) => link.connection?.name)).toEqual([undefined, 'fox (2)']);
  admit(queue, from('elsewhere'));
  const strict = { ...queue, terms: { ...terms, strict: true } };
  expect(named('address 0', strict)).toBe('fox (3)'); // the published servers let nobody return
});

const silent = logger('aiwolf', { level: 'silent' });

/** A server for one set, whose table is refused. */
function refusedSet(more: object = {}) {
  const queue = newAgentQueue(serverTerms.parse({ division: 'protocol', port: 0, agents: 1, sets: 1 }), 0);
  const { agentSets: sets } = memoryStore();
  const reports: ServiceReport[] = [];
  const asked: string[] = [];
  const state = {
    running: new Map(),
    tasks: new Set(),
    log: silent,
    closing: new AbortController().signal,
    retryMs: 1,
    now: () => 0,
    faults: { store: async () => undefined },
    sets,
    report: (report: ServiceReport) => reports.push(report),
    ask: (name: string, table: string) => {
      asked.push(`${name} ${table}`);
      return Promise.reject(new Refused({ reason: 'bad-option', detail: 'no recipe is called fox' }));
    },
    queueChanged: () => undefined,
    ...more,
  } as unknown as SetsState;
  return { queue, sets, reports, asked, state };
}

it('opens a table with an id of its own', async () => {
  const { queue, asked, state } = refusedSet();
  admit(queue, { ...agent, close: async () => undefined });
  beginSets(state, queue);
  const [id] = state.running.keys();
  await Promise.all(state.tasks);
  expect(id).toMatch(/^aiwolf-[0-9a-f]{24}$/);
  expect(asked).toEqual([`table.open ${id}`]);
});

it('does not count a set whose table is refused, and says why', async () => {
  const { queue, sets, reports, state } = refusedSet();
  let isClosed = false;
  admit(queue, { ...agent, close: async () => void (isClosed = true) });
  beginSets(state, queue);
  expect(isExhausted(queue)).toBe(true);
  await Promise.all(state.tasks);
  expect([isExhausted(queue), isClosed]).toEqual([false, true]);
  expect(reports).toMatchObject([{ type: 'refused', detail: 'no recipe is called fox' }, { type: 'ended' }]);
  expect(await sets.latest('protocol', {})).toBeUndefined();
});

describe('the tables of a server', () => {
  const terms = serverTerms.parse({ division: 'natural', port: 0, games: 3, sets: 1, agents: 1 });

  /** How many tables count as begun after a restart, when there were these before. */
  async function counted(
    tables: readonly { readonly number: number; readonly isRunning?: boolean; readonly port?: number }[],
    isNew = false,
  ) {
    const { agentSets: sets } = memoryStore();
    for (const { number, isRunning, port = 0 } of tables) {
      const id = `${port}-${number}`;
      await sets.begin({ id, division: 'natural', at: number, terms: { ...terms, port }, agents: [], number });
      if (!isRunning) await sets.end(id, 9);
    }
    const queue = newAgentQueue(terms, 0);
    const state = {
      queues: [queue],
      running: new Map(),
      tasks: new Set(),
      log: silent,
      now: () => 0,
      sets,
      ask: () => new Promise(() => undefined),
    } as unknown as SetsState;
    await restoreSets(state, { awaitedUntil: 0, isNew });
    return queue.begun;
  }

  it('are counted on after a restart, until all are played', async () => {
    expect(await counted([])).toBe(0);
    expect(await counted([{ number: 1 }])).toBe(1);
    expect(await counted([{ number: 1 }, { number: 2, isRunning: true }])).toBe(2);
    expect(await counted([{ number: 2, isRunning: true }, { number: 3 }])).toBe(3);
    expect(await counted([{ number: 3 }])).toBe(0);
    expect(await counted([{ number: 2, port: 7 }])).toBe(0);
    expect(await counted([{ number: 2 }], true)).toBe(0);
  });
});
