import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { type RestartableServer, startBroker, startDatabase } from '@maw/tests/equipment/servers/restartable-server.ts';
import { startFaultProxy, type FaultProxy } from '@maw/tests/equipment/chaos/network/fault-proxy.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { SERVICES } from '../system-under-test.ts';
import { PLAYERS, RULES } from '../scale/table-opener.ts';
import type { Mark } from './recovery-times.ts';

/** A private broker and database, each behind a proxy, so that the address stays the same after a restart. */
export interface KillableServers {
  readonly broker: RestartableServer & { readonly way: FaultProxy };
  readonly database: RestartableServer & { readonly way: FaultProxy };
  close(): Promise<void>;
}

export async function startKillableServers(): Promise<KillableServers> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).toReversed()) await each();
  };
  const behindProxy = async (starting: Promise<RestartableServer>): Promise<RestartableServer & { readonly way: FaultProxy }> => {
    const server = await starting;
    closing.push(() => server.close());
    const way = await startFaultProxy(server.url());
    closing.push(() => way.close());
    return { ...server, way };
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'maw-recovery-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o755); // the servers run as other users
    const both = [behindProxy(startBroker(folder)), behindProxy(startDatabase(folder))] as const;
    await Promise.allSettled(both); // `closing` then knows the one that started, should the other fail
    const [broker, database] = await Promise.all(both);
    return { broker, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address of the proxy, with the user of the server. */
export function proxiedUrl({ url, way }: KillableServers['broker']): string {
  const at = new URL(url());
  at.host = `127.0.0.1:${way.port}`;
  return at.href;
}

/** All services, with a constant number of tables in play. */
export interface BusySystem {
  readonly system: System;
  /**
   * Answers and ends of tables as seen on the tapes; what the clock causes needs no player and no broker, and does not count. After `killedAt`, only
   * events that their writer dates after `gone` count.
   */
  marks(killedAt: number, gone: number): readonly Mark[];
  playing(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** The interval of looking at tapes, and the precision of times. */
const LOOK_MS = 200;
const OPEN_EVERY_MS = 300;
/** Marks are kept for this long. */
const KEEP_MS = 300_000;
const OPTIONS = { nightMs: 500, turnMs: 5_000, voteMs: 5_000 };

const COUNTED: ReadonlySet<string> = new Set(['answered', 'closed']);

interface SeenEvent extends Mark {
  readonly table: string;
  readonly at: number;
}

export async function startBusySystem(
  servers: KillableServers,
  { tables, replicas }: { readonly tables: number; readonly replicas: number },
): Promise<BusySystem> {
  const databaseUrl = proxiedUrl(servers.database);
  const system = await startSystem({
    amqpUrl: proxiedUrl(servers.broker),
    databaseUrl,
    port: 0,
    replicas: Object.fromEntries(SERVICES.map((name) => [name, replicas])),
    base: readCliConfig().all,
    env: {
      'all': { LOG_LEVEL: 'fatal' },
      'llm-gateway': { AGENT_RPM: '0', HEALTH_EVERY_MS: '1000' },
      'gamemaster': { OBEY_CAPACITY: 'no' },
      'ollama-sim': { SIM_LOAD_MS: '100', SIM_PREFILL_MS_PER_TOKEN: '0.02', SIM_DECODE_MS_PER_TOKEN: '2' },
    },
    graceMs: 3_000,
    say: () => {},
  });
  try {
    const store = await postgresStore({ url: databaseUrl, poolSize: 4, service: 'bench', statementMs: 5_000 });
    return new BusyTables(system, store, tables);
  } catch (error) {
    await system.close();
    throw error;
  }
}

class BusyTables implements BusySystem {
  readonly system: System;
  readonly #store: Store;
  readonly #target: number;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;
  /** The last sequence seen of each open table. */
  readonly #followed = new Map<string, number>();
  readonly #seen: SeenEvent[] = [];

  constructor(system: System, store: Store, target: number) {
    this.system = system;
    this.#store = store;
    this.#target = target;
    this.#running = Promise.all([this.#keepOpening(), this.#keepLooking()]);
  }

  marks(killedAt: number, gone: number): readonly Mark[] {
    return this.#seen.filter((mark) => mark.seen < killedAt || mark.at >= gone);
  }

  playing(): ReadonlySet<string> {
    return new Set([...this.#followed].filter(([, last]) => last > 0).map(([table]) => table));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#store.close();
    await this.system.close();
  }

  async #keepOpening(): Promise<void> {
    for (let n = 0; !this.#stop.signal.aborted; n++) {
      const { doors } = this.system;
      if (this.#followed.size < this.#target) await this.#open(doors[n % doors.length]!, n);
      await sleep(this.#followed.size < this.#target ? OPEN_EVERY_MS / this.#target : OPEN_EVERY_MS);
    }
  }

  async #open(url: string, n: number): Promise<void> {
    const seats = Array.from({ length: PLAYERS }, (_, seat) => ({ kind: 'mind' as const, recipe: seat ? 'rules' : 'algorithm-1' }));
    const terms = { rules: RULES, players: PLAYERS, seats, rounds: 1, options: OPTIONS, seed: `recovery ${n}`, lobbyMs: 30_000 };
    await createWebClient(url, this.system.adminToken)
      .open(terms)
      .then(({ table }) => this.#followed.set(table, 0))
      .catch(() => sleep(OPEN_EVERY_MS)); // unavailable: tried again later
  }

  async #keepLooking(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await Promise.all([...this.#followed].map(([table, last]) => this.#look(table, last).catch(() => {}))); // unavailable: later
      while (this.#seen[0] && this.#seen[0].seen < Date.now() - KEEP_MS) this.#seen.shift();
      await sleep(LOOK_MS);
    }
  }

  async #look(table: string, last: number): Promise<void> {
    const events = await this.#store.tapes.read(table, last);
    const now = Date.now();
    for (const { at, event } of events) if (COUNTED.has(event.type)) this.#seen.push({ seen: now, at, table });
    if (events.some(({ event }) => event.type === 'closed')) this.#followed.delete(table);
    else if (events.length) this.#followed.set(table, events.at(-1)!.sequence);
  }
}
