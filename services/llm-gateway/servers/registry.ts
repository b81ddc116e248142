import { EventEmitter } from 'node:events';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { parseAddress } from '../address.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';
import { DEFAULT_KIND } from '../providers/providers.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { modelServer, type Server, type ServerEvents } from './server.ts';

/** The model servers. */
export interface ServerRegistry {
  readonly all: readonly Server[];
  readonly events: EventEmitter<ServerEvents>;
  /**
   * Adds a server, which gets work once a check has found it up. One that drains is taken back instead, with the given slots.
   * @throws Refusal failed when it is there already, or is there with another kind or key
   */
  add(options: ServerOptions): Server;
  /** Gives a server no more work; it finishes what it has. @throws Refusal no-server that lists the servers */
  drain(name: string): Server;
  /** Drains a server and removes it once its last slot is free. @throws Refusal no-server that lists the servers */
  remove(name: string): void;
  /** Changes the slots; requests above them run on. @throws Refusal no-server that lists the servers */
  setSlots(name: string, slots: number): void;
  /** Called by the scheduler whenever the slots in use change. */
  setBusy(name: string, busy: number): void;
  /** The key of the model for requests that name none; undefined while no server is up that can chat. */
  defaultModel(): string | undefined;
  /** A model and those that may answer for it, by their keys. @param allowed those that may be asked at all; undefined: all */
  withFallbacks(model: string, allowed?: readonly string[]): readonly string[];
  /** For people: `qwen3:8b on 127.0.0.1:11434; 10.0.0.2:11434 is down: ...` */
  describe(): string;
  /** Checks all servers. Never rejects. */
  checkAll(): Promise<void>;
  /** Checks every server periodically, each on its own: one that hangs must not delay the others. */
  startHealthChecks(): void;
  close(): Promise<void>;
}

type Options = Pick<GatewayOptions, 'servers' | 'model' | 'fallbacks' | 'record' | 'healthEveryMs' | 'probeMs' | 'stallMs'>;

/** Models of one server that are named in a description. */
const MAX_NAMED = 12;

/** Nothing is known of the servers before the first check. */
export function serverRegistry(options: Options, log: Log, now: () => number): ServerRegistry {
  const events = new EventEmitter<ServerEvents>();
  const closing = new Set<Promise<void>>();
  let all: readonly Server[] = [];
  let timer: NodeJS.Timeout | undefined;

  const find = (name: string): Server => findServer(all, name);
  function add(given: ServerOptions): Server {
    if (options.record === 'replay') throw new Refusal('failed', 'a recording is being replayed: no servers are used or added');
    const existing = all.find(({ name }) => name === given.name);
    if (existing) return takeBack(existing, given);
    const server = modelServer(given, { options, log, now, events, isAnotherUp: (name) => isAnotherUp(all, name) });
    all = [...all, server];
    return server;
  }

  function removeIfIdle(server: Server): void {
    if (server.phase !== 'leaving' || server.capacity.busy > 0 || !all.includes(server)) return;
    all = all.filter((other) => other !== server);
    log.info({ server: server.name }, 'model server was removed');
    const closed = server.close().finally(() => closing.delete(closed));
    closing.add(closed);
    events.emit('removed', server.name);
  }

  for (const server of options.servers) add(server);
  return {
    get all() {
      return all;
    },
    events,
    add,
    drain(name) {
      const server = find(name);
      if (server.phase === 'active') server.phase = 'draining';
      return server;
    },
    remove(name) {
      const server = find(name);
      server.phase = 'leaving';
      removeIfIdle(server);
    },
    setSlots: (name, slots) => find(name).capacity.configure(slots),
    setBusy(name, busy) {
      const server = all.find((one) => one.name === name);
      if (!server) return;
      Object.assign(server.capacity, { busy, usedAt: now() });
      removeIfIdle(server);
    },
    defaultModel: () => (options.model === undefined ? firstChatModel(all) : keyOf(options.model)),
    withFallbacks: (model, allowed) => chainOf(options.fallbacks, model).filter(mayFollow(allowed)),
    describe: () => all.map(describeServer).join('; ') || 'no server',
    checkAll: async () => void (await Promise.all(all.map((one) => one.check()))),
    startHealthChecks: () => void (timer = setInterval(() => all.forEach((one) => void one.check()), options.healthEveryMs)),
    async close() {
      clearInterval(timer);
      await Promise.all([...all.map((one) => one.close()), ...closing]);
    },
  };
}

/** The model itself is always a part of its chain. */
const mayFollow =
  (allowed: readonly string[] | undefined) =>
  (key: string, n: number): boolean =>
    n === 0 || (allowed?.includes(key) ?? true);

function chainOf(fallbacks: ReadonlyMap<string, string>, model: string): readonly string[] {
  const next = fallbacks.get(model);
  return next === undefined ? [model] : [model, ...chainOf(fallbacks, next)];
}

/** @throws Refusal no-server that lists the servers */
function findServer(all: readonly Server[], name: string): Server {
  const known = all.find((one) => one.name === name) ?? all.find((one) => one.name === nameIn(name));
  if (known) return known;
  const names = all.map((one) => one.name).join(', ') || 'none';
  throw new Refusal('no-server', `there is no server ${logText(name, 100)}; available: ${names}`);
}

/** Gives a draining server work again. @throws Refusal failed */
function takeBack(server: Server, given: ServerOptions): Server {
  if (!server.isDraining) throw new Refusal('failed', `${given.name} already exists; one server is one pool of slots`);
  if (!isSameServer(server.options, given))
    throw new Refusal('failed', `${given.name} exists with another kind or key and is draining; add it once it is gone`);
  server.phase = 'active';
  server.capacity.configure(given.slots);
  return server;
}

const isAnotherUp = (servers: readonly Server[], than: string): boolean => servers.some(({ name, health }) => name !== than && health.isUp);

/** The first model that can chat; that of a draining server only when there is no other, so that waiting requests keep their model. */
function firstChatModel(servers: readonly Server[]): string | undefined {
  let ofDraining: string | undefined;
  for (const { health, isDraining, models } of servers) {
    const key = health.isUp ? models.firstChat() : undefined;
    if (key !== undefined && !isDraining) return key;
    ofDraining ??= key;
  }
  return ofDraining;
}

/** Whether two descriptions are of the same server, slots aside. */
export const isSameServer = (a: ServerOptions, b: ServerOptions): boolean =>
  (a.kind ?? DEFAULT_KIND) === (b.kind ?? DEFAULT_KIND) &&
  a.keyFile === b.keyFile &&
  a.key === b.key &&
  a.url === b.url &&
  a.authorization === b.authorization;

function nameIn(text: string): string | undefined {
  try {
    return parseAddress(text).name.replace(/\/v1$/, '');
  } catch {
    return undefined;
  }
}

function describeServer({ name, health, problem, isDraining, models }: Server): string {
  if (!health.isUp) return `${name} is down: ${problem}`;
  const names = [...models.values()].map((model) => model.name);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ') || 'no model'}${more} on ${name}${isDraining ? ', which is draining' : ''}`;
}
