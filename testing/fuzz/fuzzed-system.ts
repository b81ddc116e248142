import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '@maw/store/memory.ts';
import type { Store } from '@maw/store/store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { web } from '@maw/web/service.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import type { Names } from './random-message.ts';
import { observedHub } from './observed-hub.ts';

export const ADMIN = 'the-administrator-of-this-town';
export const SECRET = 'a secret that is long enough for a town';
export const KEY = 'key-of-somebody-0123456789';
export const BOSS = 'key-of-the-boss-0123456789';

/** A line of a log of a service. */
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

/**
 * All five services in one process, on a bus and a store in memory, the gateway with a simulated model server; senders are checked. Of every
 * rule set two tables wait at their first question: one that letters are about, and one that nothing is ever said of.
 */
export async function fuzzedSystem() {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  const hub = observedHub();
  const { store, forgetThoughts, forgetAll } = forgetful();
  const lines: LogLine[] = [];
  const loud = (service: string) =>
    logger(service, { level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line) as LogLine) } });
  const now = Date.now;
  const busOf = (service: string) => memoryBus({ service, hub, log: loud(service), checkSender: true, graceMs: 500 });
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part.close();
  };

  const sim = keep(await startSimulator({ seed: 7, slots: 16 }));
  const servers = [{ url: sim.url, name: 'sim', authorization: undefined, slots: 16 }];
  const forWeb = keep(busOf('web'));
  keep(
    await gamemaster({
      bus: keep(busOf('gamemaster')),
      tapes: store.tapes,
      now,
      log: loud('gamemaster'),
      options: { alarmEveryMs: 50, obeyCapacity: false, obeyBacklog: false },
    }),
  );
  keep(await chatroom({ bus: keep(busOf('chatroom')), rooms: store.rooms, now, log: loud('chatroom'), options: { aheadMs: 20 } }));
  const gateway = keep(
    await llmGateway({
      bus: keep(busOf('llm-gateway')),
      now,
      log: loud('llm-gateway'),
      options: { servers, patienceMs: 200, graceMs: 100, agentRpm: 10_000, agentBurst: 10_000, capacityEveryMs: 60_000, keepMs: 1_000 },
      http: {
        host: '127.0.0.1',
        port: 0,
        keys: [
          { key: KEY, agent: 'somebody', tenant: 'home', admin: false },
          { key: BOSS, agent: 'boss', tenant: 'home', admin: true },
        ],
        isOpen: false,
        graceMs: 500,
      },
    }),
  );
  keep(
    await player({
      bus: keep(busOf('player')),
      thoughts: store.thoughts,
      now,
      log: loud('player'),
      options: { maxWaitMs: 20, paceMs: 5, marginMs: 20, completionMs: 500 },
    }),
  );
  const site = keep(
    await web({
      bus: forWeb,
      permits: store.tokens,
      audit: store.auditLog,
      now,
      log: loud('web'),
      options: {
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
      },
    }),
  );

  async function ask(type: 'table.open' | 'table.join', subject: string, data: object): Promise<void> {
    const about = {
      id: `${subject}/${type}/${JSON.stringify(data).length}/${(data as { seat?: number }).seat}`,
      source: 'web',
      subject,
      at: now(),
      replyBy: now() + SETTLE_MS,
    };
    const reply = await forWeb.request(contracts.write(type, data as never, about) as unknown as Message<'table.join'>);
    if (reply.performative !== 'agree') throw new Error(`${subject}: ${type} was answered ${JSON.stringify(reply.data)}`);
  }

  async function openTable(table: string, set: RuleSet): Promise<void> {
    const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'person' as const }));
    const options = Object.fromEntries(Object.keys(set.options).flatMap((name) => (name.endsWith('Ms') ? [[name, DAY_MS]] : [])));
    await ask('table.open', table, { rules: set.name, seats, options, seed: 'fuzz', rounds: 1, lobbyMs: DAY_MS, pauseMs: 1000 });
    for (const seat of seats.keys()) await ask('table.join', table, { seat, name: `P${seat}` });
  }

  /** Waits until every letter has been dealt with. @throws Error when one is not, in five minutes */
  async function quiet(): Promise<void> {
    const until = now() + SETTLE_MS;
    for (let calm = 0; calm < 3;) {
      const before = hub.delivered;
      await new Promise((resolve) => setTimeout(resolve, 5));
      calm = hub.delivered === before && !hub.inHand().length ? calm + 1 : 0;
      if (now() > until)
        throw new Error(`nothing comes of ${hub.inHand().length} letters, first of ${hub.inHand()[0]!.body.toString().slice(0, 2_000)}`);
    }
  }

  try {
    const [played, sealed] = [catalogue.map(({ name }) => `fuzz-${name}`), catalogue.map(({ name }) => `sealed-${name}`)];
    for (const set of catalogue) {
      await openTable(`fuzz-${set.name}`, set);
      await openTable(`sealed-${set.name}`, set);
    }
    await quiet();
    const open = await Promise.all(
      played.map(async (table) => fromTape(table, await store.tapes.read(table), catalogue).state.standing.open),
    );
    const questions = open.flat().map(({ id }) => id);
    const names: Names = {
      tables: played,
      questions: [...new Set([...questions, 'round-1/night-1/hunt', 'lobby-1/lobby'])],
      rooms: [...new Set(['round-1/day-1/Village', 'round-1/night-1/Hideout', ...(await roomsOf())])],
      options: [...new Set(open.flat().flatMap(({ options }) => options))],
      server: 'http://127.0.0.1:9',
    };

    async function roomsOf(): Promise<string[]> {
      const put = hub.takePut().filter(({ parcel }) => parcel.type === 'room.open');
      return put.map(({ parcel }) => (JSON.parse(parcel.body.toString()) as Message<'room.open'>).data.room);
    }
    hub.takePut();
    return {
      hub,
      store,
      lines,
      names,
      /** The tables that no letter is about: nothing may ever happen at them. */
      sealed,
      webPort: site.port,
      doorPort: Number(new URL(gateway.httpUrl!).port),
      quiet,
      /** What minds have thought is in a database; here it would only grow. */
      forgetThoughts,
      /** Empties the store under the services, so that one sees what they keep themselves. */
      forgetAll,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type FuzzedSystem = Awaited<ReturnType<typeof fuzzedSystem>>;

/** A store of which the thoughts, or all of it, can be forgotten at once. */
function forgetful(): { readonly store: Store; forgetThoughts(): void; forgetAll(): void } {
  let now = memoryStore();
  // Nothing of the first store may be held by what forwards to whichever is there now.
  type Ports = Record<string, Record<string, (...given: unknown[]) => unknown>>;
  const forward =
    (of: string, name: string) =>
    (...given: unknown[]) =>
      (now as unknown as Ports)[of]![name]!(...given);
  const portsOf = (of: string, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, forward(of, name)]));
  const parts = Object.entries(now).filter(([, part]) => typeof part === 'object');
  const store = {
    ...Object.fromEntries(parts.map(([of, part]) => [of, portsOf(of, Object.keys(part as object))])),
    ping: () => now.ping(),
    close: () => now.close(),
  };
  return {
    store: store as unknown as Store,
    forgetThoughts: () => void (now = { ...now, thoughts: memoryStore().thoughts }),
    forgetAll: () => void (now = memoryStore()),
  };
}
