/** The contest service with the services of a table, on a bus and a store in memory. */
import { randomUUID } from 'node:crypto';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { type ContractName, contracts, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { player } from '@maw/player/service.ts';
import type { Contests } from '@maw/store/ports/contests.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { ContestServiceOptions } from '@maw/contest/defaults.ts';
import { contest } from '@maw/contest/service.ts';
import { tableIdOf } from '@maw/contest/tables/play-pairing.ts';

const LONG_MS = 600_000;

/** A contest of three agents at three seats, whose games last a moment. */
export const smallContest = (given: Partial<ContestInput> = {}): ContestInput => ({
  name: 'small',
  agents: ['a', 'b', 'c'].map((name) => ({ name, recipe: 'rules' })),
  games: [{ rules: 'onuw', players: 3, options: { hurry: true, talkRounds: 1 } }],
  schedule: { kind: 'balanced', deals: 2 },
  play: 'tables',
  seed: 'maw',
  ...given,
});

/** The id of a table of a contest whose seed is `maw`. */
export const tableAt = (number: number, attempt = 1, id = 'c'): string =>
  tableIdOf(id, { name: 'small', seed: 'maw' }, { number }, attempt);

export type ContestSystem = Awaited<ReturnType<typeof startSystem>>;

/** @param resendMs after how long a request that has no reply yet is sent again, in milliseconds */
export async function startSystem({ resendMs = LONG_MS }: { readonly resendMs?: number } = {}) {
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('contest', { level: 'silent' });
  const parts: { close(): Promise<unknown> }[] = [];
  const part = <P extends { close(): Promise<unknown> }>(started: P): P => {
    parts.push(started);
    return started;
  };
  const about = (service: string) => ({ bus: part(memoryBus({ service, hub, log, resendMs })), now: Date.now, log });
  const options = { alarmEveryMs: 20, metricsEveryMs: 0, obeyBacklog: false };
  const master = part(
    await gamemaster({ ...about('gamemaster'), tapes: store.tapes, pools: store.experience, strategies: store.strategies, options }),
  );
  part(await chatroom({ ...about('chatroom'), rooms: store.rooms, options: { speechesPerSecond: 1000, burst: 1000 } }));
  const web = part(memoryBus({ service: 'web', hub }));

  const ask = async <N extends ContractName>(name: N, subject: string, data: object) => {
    const head = { id: randomUUID(), source: 'web', subject, at: Date.now(), replyBy: Date.now() + LONG_MS };
    return web.request(contracts.write(name, data as never, head) as unknown as Message<N>);
  };
  const view = async (id: string) => (await ask('contest.view', id, {})).data as ReplyData<'contest.view'>;
  return {
    hub,
    store,
    gamemaster: master,
    ask,
    view,
    open: (id: string, given: ContestInput) => ask('contest.open', id, { contest: given }),
    /** Starts a replica, which polls for nothing but contests. @param hasLeases false: it works on contests of other replicas too */
    startContests: async ({ hasLeases = true, ...given }: Partial<ContestServiceOptions> & { readonly hasLeases?: boolean } = {}) =>
      part(
        await contest({
          ...about('contest'),
          store: hasLeases ? store : { ...store, contests: withoutLeases(store.contests) },
          options: { pollMs: LONG_MS, requestMs: LONG_MS, retryMs: 10, leaseMs: 60, checkMs: LONG_MS, ...given },
        }),
      ),
    startPlayer: async () => part(await player({ ...store, ...about('player'), pools: store.experience, options: { paceMs: 5 } })),
    /** Starts a gateway with the simulator. */
    startModels: async () => part(await startModels(about('llm-gateway'))),
    abort: (table: string) => ask('table.abort', table, {}),
    /** Waits until a contest is in a state. */
    untilState: (id: string, state: string) =>
      pollUntil(`${id} to be ${state}`, async () => ((await store.contests.get(id))?.state === state ? view(id) : undefined), {
        timeoutMs: LONG_MS,
      }),
    untilTable: (table: string) =>
      pollUntil(`the table ${table}`, async () => ((await store.tapes.read(table)).length ? true : undefined), { timeoutMs: LONG_MS }),
    results: async (id: string) => (await store.contests.results(id, { after: -1, limit: 1000 })) as readonly PairingResult[],
    tables: async () => (await store.tapes.list({ limit: 1000 })).map(({ table }) => table).toSorted(),
    async close() {
      for (const each of parts.toReversed()) await each.close();
      await store.close();
    },
  };
}

async function startModels(about: Omit<Parameters<typeof llmGateway>[0], 'options'>) {
  const simulator = await startSimulator({ seed: 7, slots: 16 });
  const servers = [{ url: simulator.url, name: 'sim', authorization: undefined, slots: 16 }];
  const gateway = await llmGateway({ ...about, options: { servers, agentRpm: 100_000, agentBurst: 100_000 } });
  return { close: async () => (await gateway.close(), await simulator.close()) };
}

/** Every replica has every lease. */
const withoutLeases = (contests: Contests): Contests => ({
  ...contests,
  claim: async () => true,
  setState: (id, from, to, { holder: _, ...about }) => contests.setState(id, from, to, about),
});

export const reasonOf = ({ performative, data }: { readonly performative: string; readonly data: unknown }): string | undefined =>
  performative === 'refuse' ? `${(data as { reason: string }).reason}: ${(data as { detail?: string }).detail}` : undefined;
