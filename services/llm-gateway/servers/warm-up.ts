import { unlessAborted } from '@maw/async/abort.ts';
import { withTimeout } from '@maw/async/timeout.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { GatewayOptions } from '../defaults.ts';
import { describeNetworkError } from '../providers/errors.ts';
import type { ModelLoads } from './model-loads.ts';
import type { ServerRegistry } from './registry.ts';
import { canChat, type Model } from './server-models.ts';
import type { Server } from './server.ts';
import { probeSlots } from './slot-probe.ts';

interface Parts {
  readonly registry: ServerRegistry;
  readonly options: Pick<GatewayOptions, 'warmUp' | 'checkSlots' | 'numCtx' | 'keepAlive'>;
  readonly loads: Pick<ModelLoads, 'ensureLoaded'>;
  readonly log: Log;
  now(): number;
  /** Whether this gateway schedules: one on standby does not know how busy the servers are. */
  isLeader(): Promise<boolean>;
}

/** After this, a failed step is repeated, and so is a load: another model may need the memory. */
const RETRY_MS = 60_000;
/** A server that has had no request for this long is in no game. */
const QUIET_MS = 600_000;
/** Requests wait while the slots are checked. */
const MAX_PROBE_MS = 20_000;

/** What the warm-up knows of a server since it came up. */
interface Progress {
  running: Promise<void> | undefined;
  nextLoadAt: number;
  nextProbeAt: number;
  /** The models, as they were, and the slots of the probes that have ended. */
  probed: Set<string>;
}

const newProgress = (): Progress => ({ running: undefined, nextLoadAt: -Infinity, nextProbeAt: -Infinity, probed: new Set() });

/**
 * Prepares idle Ollama servers: loads the default model and probes the slots. Its requests have no deadline. Requests for that model wait; a slot
 * probe gives way to the first request for another one.
 */
export function warmUp(parts: Parts) {
  const { registry, options, log } = parts;
  const progress = new WeakMap<Server, Progress>();
  const closed = new AbortController();
  const running = new Set<Promise<void>>();
  let hasStarted = false;

  const progressOf = (server: Server): Progress => progress.get(server) ?? progress.set(server, newProgress()).get(server)!;
  const isUnavailable = (server: Server): boolean => closed.signal.aborted || !server.health.isUp || server.isDraining;
  const context: Context = { ...parts, closed: closed.signal, isUnavailable };

  async function prepare(server: Server, after: Promise<void>): Promise<void> {
    try {
      await unlessAborted(after, closed.signal);
      if (isUnavailable(server) || !(await unlessAborted(parts.isLeader(), closed.signal))) return;
      await loadDefaultModel(context, server, progressOf(server));
      await probe(context, server, progressOf(server));
    } catch (error) {
      if (!closed.signal.aborted) log.warn({ err: error, server: server.name }, 'warm-up of a model server failed');
    } finally {
      server.preparing = undefined;
      registry.events.emit('changed');
    }
  }

  /** @param after resolves once the loaded models are known */
  function begin(server: Server, after = Promise.resolve()): void {
    const state = progressOf(server);
    if (!hasStarted || state.running || isUnavailable(server) || server.kind !== 'ollama') return;
    const task = prepare(server, after).finally(() => {
      state.running = undefined;
      running.delete(task);
    });
    state.running = task;
    running.add(task);
  }

  registry.events.on('up', (server) => {
    Object.assign(progressOf(server), { ...newProgress(), running: progressOf(server).running });
    server.capacity.setProbed(undefined);
    if (server.kind !== 'ollama') return;
    if (options.warmUp) server.preparing = registry.defaultModel() ?? '';
    begin(server, server.check());
  });
  registry.events.on('checked', (server) => begin(server));

  return {
    /** Begins with the servers that are up; others follow when they come up. */
    start(): void {
      hasStarted = true;
      for (const server of registry.all) begin(server);
    },
    async close(): Promise<void> {
      closed.abort(new Error('the gateway has closed'));
      await Promise.allSettled(running);
    },
  };
}

interface Context extends Parts {
  readonly closed: AbortSignal;
  isUnavailable(server: Server): boolean;
}

async function loadDefaultModel(context: Context, server: Server, progress: Progress): Promise<void> {
  const { registry, options, loads, log, now, closed, isUnavailable } = context;
  const key = registry.defaultModel();
  const model = key === undefined || server.isResident(key) ? undefined : server.models.get(key);
  if (!options.warmUp || !model || server.capacity.busy > 0 || now() < progress.nextLoadAt) return;
  const about = { server: server.name, model: model.name };
  server.preparing = model && key;
  try {
    await loads.ensureLoaded(server, model, closed);
    log.info(about, 'model is in memory');
  } catch (error) {
    if (!isUnavailable(server)) log.warn({ ...about, why: describeNetworkError(error).said }, 'loading a model failed');
  } finally {
    progress.nextLoadAt = now() + RETRY_MS;
  }
}

/** A model in memory that can chat and is not limited to one slot. */
function modelToProbe({ registry }: Context, server: Server): Model | undefined {
  const keys = [registry.defaultModel(), ...server.models.keys()];
  return keys
    .flatMap((key) =>
      key !== undefined && server.isResident(key) && !server.models.isSingleSlot(key) ? (server.models.get(key) ?? []) : [],
    )
    .find(canChat);
}

/** Before a game, and never while one runs: the tiny requests push the prompts of the game out of the server's cache. */
async function probe(context: Context, server: Server, progress: Progress): Promise<void> {
  const { options, log, now, closed, isUnavailable } = context;
  const { slots } = server.options;
  const model = modelToProbe(context, server);
  if (!options.checkSlots || !server.provider.timeSlot || slots < 2 || !model) return;
  const about = `${model.name} ${model.digest} ${slots}`;
  const isInGame = server.capacity.busy > 0 || (server.capacity.usedAt !== undefined && now() - server.capacity.usedAt < QUIET_MS);
  if (progress.probed.has(about) || isInGame || isUnavailable(server) || now() < progress.nextProbeAt) return;
  const { numCtx, keepAlive } = options;
  const untilUsed = server.untilNextAttempt();
  server.preparing = keyOf(model.name);
  try {
    const result = await withTimeout(
      MAX_PROBE_MS,
      (late) => probeSlots(server.provider, model.name, { slots, numCtx, keepAlive }, AbortSignal.any([closed, untilUsed, late])),
      { what: 'checking the slots' },
    );
    if (untilUsed.aborted || slots !== server.options.slots) return;
    if (result === 'in-use') return void (progress.nextProbeAt = now() + RETRY_MS); // by somebody else, for a while
    progress.probed.add(about);
    if (result === 'too-fast') return;
    server.capacity.setProbed(result);
    if (result < slots && !server.options.isGuess)
      log.warn({ server: server.name, slots, found: result, why: server.problem }, 'model server has fewer slots than configured');
    else log.info({ server: server.name, slots: result }, 'all configured slots work');
  } catch (error) {
    if (untilUsed.aborted || isUnavailable(server)) return;
    progress.nextProbeAt = now() + RETRY_MS;
    log.warn({ server: server.name, why: describeNetworkError(error).said }, 'probing the slots failed');
  }
}
