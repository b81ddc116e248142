import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { type RestartableServer, startBroker, startDatabase } from '../../servers/restartable-server.ts';
import { startFaultProxy, type FaultProxy } from '../../chaos/network/fault-proxy.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { PLAYERS, RULES } from '../scale/load-level.ts';
import type { Mark } from './recovery-times.ts';

/** A broker and a database of our own that can be ended at will, each behind a way, so that it has the same address after it was started again. */
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
  const behindWay = async (starting: Promise<RestartableServer>): Promise<RestartableServer & { readonly way: FaultProxy }> => {
    const server = await starting;
    closing.push(() => server.close());
    const way = await startFaultProxy(server.url());
    closing.push(() => way.close());
    return { ...server, way };
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'maw-recovery-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o755); // the servers run as users of their own
    const both = [behindWay(startBroker(folder)), behindWay(startDatabase(folder))] as const;
    await Promise.allSettled(both); // what has started is closed also when the other has not
    const [broker, database] = await Promise.all(both);
    return { broker, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address of a server by its way. */
function byWay({ url, way }: KillableServers['broker']): string {
  const at = new URL(url());
  at.host = `127.0.0.1:${way.port}`;
  return at.href;
}

/** All services, and so many tables that are always being played on them. */
export interface BusySystem {
  readonly system: System;
  /**
   * The acts that were taken, and the ends of tables, as they were seen on tapes: what the clock brings about needs no player and no broker. Of what
   * was seen after a blow, only what its writer dates after the struck one was gone.
   */
  marks(blow: number, gone: number): readonly Mark[];
  playing(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** How often tapes are looked at: a time is as exact as that. */
const LOOK_MS = 200;
const OPEN_EVERY_MS = 300;
/** What was seen is forgotten after so long. */
const KEEP_MS = 300_000;
const OPTIONS = { nightMs: 500, turnMs: 5_000, voteMs: 5_000 };

const DONE: ReadonlySet<string> = new Set(['answered', 'closed']);

interface Seen extends Mark {
  readonly table: string;
  readonly at: number;
}

export async function startBusySystem(
  ground: KillableServers,
  { tables, replicas }: { readonly tables: number; readonly replicas: number },
): Promise<BusySystem> {
  const [amqpUrl, databaseUrl] = [byWay(ground.broker), byWay(ground.database)];
  const names = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'];
  const system = await startSystem({
    amqpUrl,
    databaseUrl,
    port: 0,
    replicas: Object.fromEntries(names.map((name) => [name, replicas])),
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
  const over = new AbortController();
  const followed = new Map<string, number>();
  const seen: Seen[] = [];
  let store: Store | undefined;
  let living: Promise<unknown> = Promise.resolve();

  async function close(): Promise<void> {
    over.abort();
    await living;
    await store?.close();
    await system.close();
  }

  /** Opens tables while there are fewer than there should be, at whichever door answers. */
  async function open(): Promise<void> {
    for (let n = 0; !over.signal.aborted; n++) {
      const url = system.doors[n % system.doors.length]!;
      if (followed.size < tables) {
        const seats = Array.from({ length: PLAYERS }, (_, seat) => ({ kind: 'mind' as const, recipe: seat ? 'rules' : 'algorithm-1' }));
        await createWebClient(url, system.adminToken)
          .open({ rules: RULES, players: PLAYERS, seats, rounds: 1, options: OPTIONS, seed: `recovery ${n}`, lobbyMs: 30_000 })
          .then(({ table }) => followed.set(table, 0))
          .catch(() => after(OPEN_EVERY_MS)); // nobody opens any just now: later
      }
      if (followed.size < tables) await after(OPEN_EVERY_MS / tables);
      else await after(OPEN_EVERY_MS);
    }
  }

  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      await Promise.all([...followed].map(([table, last]) => lookAt(table, last).catch(() => {}))); // the database is gone: later
      while (seen[0] && seen[0].seen < Date.now() - KEEP_MS) seen.shift();
      await after(LOOK_MS);
    }
  }

  async function lookAt(table: string, last: number): Promise<void> {
    const events = await store!.tapes.read(table, last);
    const now = Date.now();
    for (const { at, event } of events) if (DONE.has(event.type)) seen.push({ seen: now, at, table });
    if (events.some(({ event }) => event.type === 'closed')) followed.delete(table);
    else if (events.length) followed.set(table, events.at(-1)!.sequence);
  }

  try {
    store = await postgresStore({ url: databaseUrl, poolSize: 4, service: 'bench', statementMs: 5_000 });
    living = Promise.all([open(), look()]);
    return {
      system,
      marks: (blow, gone) => seen.filter((mark) => mark.seen < blow || mark.at >= gone),
      playing: () => new Set([...followed].filter(([, last]) => last > 0).map(([table]) => table)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
