import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Admission } from '../admission/admission.ts';
import { LIMIT_NAMES, LIMITS, type LimitOptions } from '../agent-limits.ts';
import type { GatewayOptions } from '../defaults.ts';
import { DEFAULT_KIND } from '../providers/providers.ts';
import { isSameServer, type ServerRegistry } from '../servers/registry.ts';
import { withAllowedKey } from './key-folder.ts';
import { parseServer } from './parse-server.ts';

type PoolState = Data<'llm.pool'>;
type ServerState = PoolState['servers'][number];

/**
 * Clocks may differ. The time of a change only grows, and a change made here is newer than all that were received; a change from the far future
 * could never be followed by another one.
 */
const MAX_AHEAD_MS = 3_600_000;

export type ReplicaSync = Awaited<ReturnType<typeof replicaSync>>;

interface Parts {
  readonly bus: Bus;
  readonly instance: string;
  readonly registry: ServerRegistry;
  readonly admission: Pick<Admission, 'limits' | 'setLimits'>;
  readonly options: Pick<GatewayOptions, 'keyFolder' | 'servers'>;
  readonly log: Log;
  now(): number;
}

/**
 * Shares the changes of administrators among all gateways. Gateways on standby keep the servers and limits of the leader, so that the next leader continues with them. Each message has the whole state
 * and the time of its change; the newest wins. It has no keys and no passwords: a server with a password in its address is known only to the
 * gateways that have it in their configuration.
 */
export async function replicaSync(parts: Parts) {
  const { bus, instance, registry, admission, log, now } = parts;
  let changedAt = 0;

  async function publish(): Promise<void> {
    try {
      const state: PoolState = { changed: changedAt, servers: registry.all.map(stateOf), limits: { ...admission.limits } };
      await bus.publish(contracts.write('llm.pool', state, { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at: now() }));
    } catch (error) {
      log.warn({ err: error }, 'publishing a change to the other gateways failed');
    }
  }

  const subscription = await bus.subscribe(['llm.pool'], async ({ data }) => {
    if (data.changed <= changedAt) return;
    if (data.changed > Math.max(now(), changedAt) + MAX_AHEAD_MS) {
      log.warn({ changed: data.changed }, 'ignored a change of another gateway whose time is in the future: check the clocks');
      return;
    }
    changedAt = data.changed;
    applyState(parts, data);
    log.info({ instance, servers: data.servers.length }, 'applied servers and limits of another gateway');
  });

  return {
    /** Publishes the state after a change made here. Never rejects. */
    broadcast(): Promise<void> {
      changedAt = Math.max(now(), changedAt + 1);
      return publish();
    },
    /** Publishes it again for gateways that have started since; nothing before the first change. */
    rebroadcast(): void {
      if (changedAt > 0) void publish();
    },
    close: () => subscription.stop(),
  };
}

function applyState(parts: Parts, state: PoolState): void {
  const { registry, admission, log } = parts;
  const named = new Set(state.servers.map(({ server }) => server));
  for (const { name } of registry.all) if (!named.has(name)) registry.remove(name);
  for (const server of state.servers) {
    try {
      applyServer(parts, server);
    } catch (error) {
      log.warn({ server: server.server, why: (error as Error).message }, 'a server of another gateway cannot be used here');
    }
  }
  const limits = LIMIT_NAMES.flatMap((name) => {
    const [min, max] = LIMITS[name].range;
    const value = state.limits[name];
    return value !== undefined && value >= min && value <= max ? [[name, value] as const] : [];
  });
  admission.setLimits(Object.fromEntries(limits) as Partial<LimitOptions>);
  registry.events.emit('changed');
}

/** @throws Refusal, Error */
function applyServer({ registry, options }: Parts, { server: name, url, kind, slots, keyFile, state }: ServerState): void {
  const existing = registry.all.find((server) => server.name === name);
  const spec = parseServer({ url, kind, slots, keyFile });
  if (state === 'leaves') {
    if (existing) registry.remove(name);
    return;
  }
  const given = withAllowedKey(spec, options, [...options.servers, ...registry.all.map((server) => server.options)]);
  // A password or key, which the message does not have, is known here from the configuration.
  if (existing && isSameServer({ ...existing.options, authorization: undefined }, withKey(given, existing.options.key))) {
    if (state === 'drains') registry.drain(name);
    else if (existing.isDraining) registry.add({ ...existing.options, slots });
    registry.setSlots(name, slots);
    return;
  }
  if (existing) registry.remove(name);
  const added = registry.add(given);
  if (state === 'drains') registry.drain(name);
  void added.check();
}

const withKey = <Options extends object>(options: Options, key: string | undefined): Options => ({
  ...options,
  ...(key === undefined ? {} : { key }),
});

const WIRE_STATES = { active: 'stays', draining: 'drains', leaving: 'leaves' } as const;

const stateOf = ({ name, options, phase }: ServerRegistry['all'][number]): ServerState => ({
  server: name,
  url: options.url,
  kind: options.kind ?? DEFAULT_KIND,
  slots: options.slots,
  ...(options.keyFile === undefined ? {} : { keyFile: options.keyFile }),
  state: WIRE_STATES[phase],
});
