import { pollUntil } from '@maw/async/poll-until.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { readServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { aiwolf } from '@maw/aiwolf-service/service.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contest } from '@maw/contest/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import type { Store } from '@maw/store/store.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { WebOptions } from '@maw/web/defaults.ts';
import { web } from '@maw/web/service.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import type { Names } from './random-message.ts';
import { type ObservedHub, observedHub } from './observed-hub.ts';

export const ADMIN = 'the-administrator-of-this-town';
export const SECRET = 'a secret that is long enough for a town';
export const KEY = 'key-of-somebody-0123456789';
export const BOSS = 'key-of-the-boss-0123456789';

export interface LogLine {
  readonly level: string;
  readonly service: string;
  readonly message: string;
  readonly reason?: string;
  readonly queue?: string;
  readonly err?: { readonly type: string; readonly message: string; readonly stack?: string };
  readonly why?: string;
  readonly again?: string;
}

const DAY_MS = 86_400_000;
const SETTLE_MS = 300_000;
const CALM_LOOKS = 3;

/**
 * All services of tables and contests in one process, on an in-memory bus and store, with a simulated model server; senders are checked. For every rule set
 * two tables wait at their first question: one that messages refer to, and a sealed one that no message names.
 */
export async function startFuzzedSystem(webOptions: Partial<WebOptions> = {}) {
  const parts: Closable[] = [];
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).toReversed()) await part.close();
  };
  try {
    const base: Base = { hub: observedHub(), ...forgetfulStore(), lines: [], keep: (part) => (parts.push(part), part) };
    const services = await startServices(base, webOptions);
    const names = await openTables(base, services.webBus);
    const { hub, store, lines, forgetThoughts } = base;
    return {
      hub,
      store,
      lines,
      names,
      /** The tables that no message refers to: nothing may happen at them. */
      sealed: catalogue.map(sealedTable),
      webPort: services.webPort,
      doorPort: services.doorPort,
      settled: () => settled(hub),
      /** Thoughts belong in a database; in memory they would only grow. */
      forgetThoughts,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type FuzzedSystem = Awaited<ReturnType<typeof startFuzzedSystem>>;

interface Closable {
  close(): Promise<unknown>;
}

interface Base extends ReturnType<typeof forgetfulStore> {
  readonly hub: ObservedHub;
  readonly lines: LogLine[];
  keep<T extends Closable>(part: T): T;
}

const fuzzedTable = ({ name }: RuleSet): string => `fuzz-${name}`;
const sealedTable = ({ name }: RuleSet): string => `sealed-${name}`;

async function startServices({ hub, store, lines, keep }: Base, webOptions: Partial<WebOptions>) {
  const now = Date.now;
  const log = (service: string) =>
    logger(service, { level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line) as LogLine) } });
  const bus = (service: string) => keep(memoryBus({ service, hub, log: log(service), checkSender: true, graceMs: 500 }));
  const common = (service: string) => ({ bus: bus(service), now, log: log(service) });

  const sim = keep(await startSimulator({ seed: 7, slots: 16 }));
  const servers = [{ url: sim.url, name: 'sim', authorization: undefined, slots: 16 }];
  const webCommon = common('web');
  const gamemasterOptions = { alarmEveryMs: 50, obeyCapacity: false, obeyBacklog: false };
  keep(await gamemaster({ ...common('gamemaster'), tapes: store.tapes, options: gamemasterOptions }));
  keep(await chatroom({ ...common('chatroom'), rooms: store.rooms, options: { aheadMs: 20 } }));
  const gateway = keep(
    await llmGateway({
      ...common('llm-gateway'),
      options: { servers, patienceMs: 200, graceMs: 100, agentRpm: 10_000, agentBurst: 10_000, capacityEveryMs: 60_000, keepMs: 1_000 },
      http: { host: '127.0.0.1', port: 0, keys: GATEWAY_KEYS, isOpen: false, graceMs: 500 },
    }),
  );
  const playerOptions = { maxWaitMs: 20, paceMs: 5, marginMs: 20, completionMs: 500 };
  keep(await player({ ...common('player'), thoughts: store.thoughts, options: playerOptions }));
  keep(await aiwolf({ ...common('aiwolf'), sets: store.agentSets, servers: AGENT_SERVERS }));
  keep(await contest({ ...common('contest'), store: { ...store, contests: { ...store.contests, claim: async () => false } } })); // opened, but never played
  const site = keep(await web({ ...webCommon, tokens: store.tokens, audit: store.auditLog, options: { ...WEB_OPTIONS, ...webOptions } }));
  return { webBus: webCommon.bus, webPort: site.port, doorPort: Number(new URL(gateway.httpUrl!).port) };
}

/** Agents that never come. */
const AGENT_SERVERS = readServerTerms('[{"division":"protocol","port":0,"contests":true}]');

const GATEWAY_KEYS = [
  { key: KEY, agent: 'somebody', tenant: 'home', admin: false },
  { key: BOSS, agent: 'boss', tenant: 'home', admin: true },
];
const WEB_OPTIONS = {
  adminToken: ADMIN,
  secret: SECRET,
  busRequestMs: 3_000,
  headersMs: 300,
  requestBodyMs: 500,
  perAddress: 1e6,
  addressBurst: 1e6,
  perToken: 1e6,
  tokenBurst: 1e6,
  graceMs: 500,
};

async function openTables({ hub, store }: Base, bus: Bus): Promise<Names> {
  for (const set of catalogue) for (const table of [fuzzedTable(set), sealedTable(set)]) await openTable(bus, table, set);
  await settled(hub);
  const tables = catalogue.map(fuzzedTable);
  const open = await Promise.all(
    tables.map(async (table) => fromTape(table, await store.tapes.read(table), catalogue).state.standing.open),
  );
  const opened = hub.takePut().filter(({ parcel }) => parcel.type === 'room.open');
  const rooms = opened.map(({ parcel }) => (JSON.parse(parcel.body.toString()) as Message<'room.open'>).data.room);
  const questions = open.flat();
  return {
    tables,
    questions: [...new Set([...questions.map(({ id }) => id), 'round-1/night-1/hunt', 'lobby-1/lobby'])],
    rooms: [...new Set(['round-1/day-1/Village', 'round-1/night-1/Hideout', ...rooms])],
    options: [...new Set(questions.flatMap(({ options }) => options))],
    server: 'http://127.0.0.1:9',
  };
}

async function openTable(bus: Bus, table: string, set: RuleSet): Promise<void> {
  const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'person' as const }));
  const options = Object.fromEntries(Object.keys(set.options).flatMap((name) => (name.endsWith('Ms') ? [[name, DAY_MS]] : [])));
  await request(bus, 'table.open', table, { rules: set.name, seats, options, seed: 'fuzz', rounds: 1, lobbyMs: DAY_MS, pauseMs: 1000 });
  for (const seat of seats.keys()) await request(bus, 'table.join', table, { seat, name: `P${seat}` });
}

async function request(
  bus: Bus,
  type: 'table.open' | 'table.join',
  subject: string,
  data: { readonly seat?: number; readonly [field: string]: unknown },
): Promise<void> {
  const at = Date.now();
  const about = { id: `${subject}/${type}/${data.seat ?? ''}`, source: 'web', subject, at, replyBy: at + SETTLE_MS };
  const reply = await bus.request(contracts.write(type, data as never, about) as unknown as Message<'table.join'>);
  if (reply.performative !== 'agree') throw new Error(`${subject}: ${type} was answered ${JSON.stringify(reply.data)}`);
}

/** Resolves once every message is settled and three polls in a row saw no delivery. @throws TimeoutError after five minutes */
async function settled(hub: ObservedHub): Promise<void> {
  let [calm, before] = [0, -1];
  const isCalm = (): boolean => {
    calm = hub.delivered === before && !hub.inFlight().length ? calm + 1 : 0;
    before = hub.delivered;
    return calm >= CALM_LOOKS;
  };
  const lastSeen = () => `${hub.inFlight().length} in flight, first ${hub.inFlight()[0]?.body.toString()}`;
  await pollUntil('all messages are settled', isCalm, { timeoutMs: SETTLE_MS, lastSeen });
}

/** An in-memory store whose thoughts can be dropped. */
function forgetfulStore(): { readonly store: Store; forgetThoughts(): void } {
  const store = memoryStore();
  let { thoughts } = store;
  type Call = (...given: unknown[]) => unknown;
  const forward = (name: string): Call => {
    return (...given) => (thoughts as unknown as Record<string, Call>)[name]!(...given);
  };
  const forwarding = Object.fromEntries(Object.keys(thoughts).map((name) => [name, forward(name)])) as unknown as Store['thoughts'];
  return { store: { ...store, thoughts: forwarding }, forgetThoughts: () => void ({ thoughts } = memoryStore()) };
}
