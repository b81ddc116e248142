import { unlessAborted } from '@maw/async/abort.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { GatewayOptions } from '../defaults.ts';
import { describeNetworkError } from '../providers/errors.ts';
import type { ModelLoads } from './model-loads.ts';
import type { ServerRegistry } from './registry.ts';
import { canChat, type Model } from './server-models.ts';
import type { Server } from './server.ts';
import { type ProbeResult, probeSlots } from './slot-probe.ts';

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
/** A low slot count may be transient. It is final when a second probe, this much later, agrees. */
const CONFIRM_MS = 5_000;

/** What the warm-up knows of a server since it came up. */
interface Progress {
  running: Promise<void> | undefined;
  nextLoadAt: number;
  nextProbeAt: number;
  /** The configured slots of the last final probe. */
  probedSlots: number | undefined;
  /** A low count that was found once. */
  suspected: number | undefined;
}

const UNKNOWN = { nextLoadAt: -Infinity, nextProbeAt: -Infinity, probedSlots: undefined, suspected: undefined };

/**
 * Prepares idle Ollama servers: loads the default model and probes the slots. Its requests have no deadline; a slot probe gives way to the first
 * request that starts on the server.
 */
export function warmUp(parts: Parts) {
  const { registry, options, log } = parts;
  const progress = new WeakMap<Server, Progress>();
  const closed = new AbortController();
  const running = new Set<Promise<void>>();
  let hasStarted = false;

  const progressOf = (server: Server): Progress =>
    progress.get(server) ?? progress.set(server, { running: undefined, ...UNKNOWN }).get(server)!;
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
      server.isWarming = false;
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
    Object.assign(progressOf(server), UNKNOWN);
    server.capacity.setProbed(undefined);
    if (server.kind !== 'ollama') return;
    server.isWarming = options.warmUp;
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
  server.isWarming = true;
  try {
    await loads.ensureLoaded(server, model, closed);
    log.info(about, 'model is in memory');
  } catch (error) {
    if (!isUnavailable(server)) log.warn({ ...about, why: describeNetworkError(error).said }, 'loading a model failed');
  } finally {
    progress.nextLoadAt = now() + RETRY_MS;
    server.isWarming = false;
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

async function probe(context: Context, server: Server, progress: Progress): Promise<void> {
  const { options, log, now, closed, isUnavailable } = context;
  const { slots } = server.options;
  const model = modelToProbe(context, server);
  if (!options.checkSlots || !server.provider.timeSlot || slots < 2 || progress.probedSlots === slots) return;
  if (!model || server.capacity.busy > 0 || isUnavailable(server) || now() < progress.nextProbeAt) return;
  const { numCtx, keepAlive } = options;
  const untilUsed = server.untilNextAttempt();
  try {
    const result = await probeSlots(server.provider, model.name, { slots, numCtx, keepAlive }, AbortSignal.any([closed, untilUsed]));
    if (!untilUsed.aborted && slots === server.options.slots) applyProbe(context, server, progress, slots, result);
  } catch (error) {
    if (untilUsed.aborted || isUnavailable(server)) return;
    progress.nextProbeAt = now() + RETRY_MS;
    log.warn({ server: server.name, why: describeNetworkError(error).said }, 'probing the slots failed');
  }
}

function applyProbe({ log, now }: Context, server: Server, progress: Progress, slots: number, result: ProbeResult): void {
  if (result === 'in-use') progress.nextProbeAt = now() + RETRY_MS;
  else if (result === 'too-fast') progress.probedSlots = slots;
  else {
    if (result === slots || result === progress.suspected) progress.probedSlots = slots;
    else progress.nextProbeAt = now() + CONFIRM_MS;
    progress.suspected = result < slots ? result : undefined;
    server.capacity.setProbed(progress.suspected);
    if (result < slots)
      log.warn({ server: server.name, slots, found: result, why: server.problem }, 'model server has fewer slots than configured');
    else log.info({ server: server.name, slots }, 'all configured slots work');
  }
}
