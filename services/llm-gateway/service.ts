import type { Bus, Delivery } from '@maw/bus/bus.ts';
import { contracts, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { BudgetUsage, LlmUsage } from '@maw/store/ports/budget-usage.ts';
import type { GatewayKeys } from '@maw/store/ports/gateway-keys.ts';
import type { Recordings } from '@maw/store/ports/recordings.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import { type UsageCounter, usageCounter } from './admission/usage-counter.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import { FAILURE_KINDS } from './admission/answer-schema.ts';
import { type Forwarder, forwarder } from './http/forward.ts';
import { type GatewayHttpServer, type HttpOptions, startGatewayHttp } from './http/http-server.ts';
import { type Leadership, leadership } from './leader.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { defaultOptions, type GatewayOptions } from './defaults.ts';
import { openRecording, requireRecording } from './recording/recording.ts';
import { type Completions, completions } from './scheduler/completions.ts';
import { type RequestKey, URGENCIES } from './request.ts';
import { WASTES } from './scheduler/telemetry/attempt-metrics.ts';
import { DEADLINE_OUTCOMES } from './scheduler/telemetry/request-metrics.ts';
import { showPool } from './scheduler/telemetry/queue-metrics.ts';
import { reloadConfigFile } from './server-config/config-reload.ts';
import { type ReplicaSync, replicaSync } from './server-config/replica-sync.ts';
import { type ServerAdmin, serverAdmin, type ServerChange } from './server-config/server-admin.ts';
import { modelLoads } from './servers/model-loads.ts';
import { type ServerRegistry, serverRegistry } from './servers/registry.ts';
import { canChat } from './servers/server-models.ts';
import { warmUp } from './servers/warm-up.ts';
import { roundedCapacity, type Status, statusOf } from './status.ts';

export interface LlmGateway {
  /** Where its HTTP API listens; undefined when it has none. */
  readonly httpUrl: string | undefined;
  /** @throws Error that says what is missing when no healthy server has the default model */
  ready(): Promise<void>;
  debugCounters: Completions['debugCounters'];
  /** Accepts no more requests, finishes those in flight within the grace time of the bus, which returns the rest, and disconnects. Idempotent. */
  close(): Promise<void>;
}

interface Ports {
  readonly bus: Bus;
  now(): number;
  readonly log: Log;
  readonly options: Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'>;
  /** The HTTP API; undefined: none. */
  readonly http?: HttpOptions | undefined;
  /** Needed when the options ask for a recording. */
  readonly recordings?: Recordings | undefined;
  /** Keeps the use of budgets for the next gateway; without it they are forgotten at the end. */
  readonly budgetUsage?: BudgetUsage | undefined;
  /** Keeps who has used what; without it that is in memory, and forgotten at the end. */
  readonly llmUsage?: LlmUsage | undefined;
  /** The keys that administrators create; without it they can create none. */
  readonly gatewayKeys?: GatewayKeys | undefined;
}

/** The parts of a gateway and what they share. */
interface Gateway extends Ports {
  readonly instance: string;
  readonly settings: GatewayOptions;
  readonly isReplay: boolean;
  readonly registry: ServerRegistry;
  readonly scheduler: Completions;
  readonly usage: UsageCounter;
  readonly leadership: Leadership;
  readonly admin: ServerAdmin;
  readonly replicas: ReplicaSync;
  httpServer: GatewayHttpServer | undefined;
}

/**
 * The queue in front of the model servers. It checks the servers once, then consumes requests, whether or not a server is up. All messages come
 * through one queue with one active consumer, so that a cancellation reaches the gateway that has the request. Waiting messages are in flight,
 * so the consumer takes many.
 */
export async function llmGateway(ports: Ports): Promise<LlmGateway> {
  const { bus, now, log } = ports;
  const { settings, recording, isReplay } = settingsOf(ports);
  if (isReplay) await requireRecording(settings, ports.recordings!);
  startCounters();
  const instance = crypto.randomUUID();

  const registry = serverRegistry(settings, log, now);
  const loads = modelLoads(settings, registry.events);
  const usage = usageCounter({ store: ports.llmUsage, writer: instance, log, now });
  const scheduler = completions({ registry, loads, now, log, options: settings, budgetUsage: ports.budgetUsage, usage, ...recording });
  const self = () => ({ instance, httpUrl: gateway.httpServer?.publicUrl });
  const leader = leadership({ bus, self, now, onLost: () => logLost(scheduler, log) });
  const warming = warmUp({ registry, options: settings, loads, log, now, isLeader: leader.isLeader });
  const forwarding = forwarder({ leader, instance, now });
  const replicas = await replicaSync({ bus, instance, registry, admission: scheduler.admission, options: settings, log, now });
  const admin = serverAdmin({ registry, options: settings, log });
  const gateway: Gateway = {
    ...ports,
    instance,
    settings,
    isReplay,
    registry,
    scheduler,
    usage,
    leadership: leader,
    admin,
    replicas,
    httpServer: undefined,
  };

  await startHttp(gateway, forwarding);
  const consumer = await consumeMessages(gateway);
  warming.start();
  registry.startHealthChecks();
  const file = settings.file && reloadConfigFile({ file: settings.file, registry, admission: scheduler.admission, log });
  // Also while nobody asks for anything: otherwise all new tables would start at once. The collector keeps no trace of it, so no metric may link to one.
  const publishing = setInterval(() => void untraced(() => publishCapacity(gateway)), settings.capacityEveryMs);

  const shutDown = async (): Promise<void> => {
    clearInterval(publishing);
    showPool(undefined);
    file?.close();
    leader.resign();
    await warming.close();
    await Promise.all([consumer.stop(), gateway.httpServer?.drain()]);
    await closeParts(gateway, forwarding);
  };
  let closing: Promise<void> | undefined;
  return {
    httpUrl: gateway.httpServer?.url,
    ready: async () => assertReady(gateway),
    debugCounters: scheduler.debugCounters,
    close: () => (closing ??= shutDown()),
  };
}

function startCounters(): void {
  startAtZero(metrics.deadlines, { urgency: URGENCIES, outcome: DEADLINE_OUTCOMES });
  startAtZero(metrics.wastedSlots, { why: WASTES });
  startAtZero(metrics.schemaFailures, { kind: FAILURE_KINDS });
}

function settingsOf({ options, recordings, log }: Ports) {
  const given = { ...defaultOptions, ...options };
  const recording = openRecording(given, recordings, log);
  const isReplay = recording.replay !== undefined;
  return { recording, isReplay, settings: isReplay ? { ...given, servers: [], file: undefined } : given };
}

const TYPES = ['llm.complete', 'llm.embed', 'llm.cancel', 'llm.models', 'llm.status'] as const;

/** Consumes the gateway's queue, as its single active consumer. */
const consumeMessages = (gateway: Gateway) =>
  gateway.bus.consume(
    'llm-gateway',
    TYPES,
    { concurrency: gateway.settings.maxInFlight, isSingle: true, takesLate: true },
    (message, delivery) => handle(gateway, message, delivery),
  );

async function handle(gateway: Gateway, message: Message<(typeof TYPES)[number]>, delivery: Delivery): Promise<Reply | void> {
  const { scheduler, leadership: leader, registry } = gateway;
  leader.confirm();
  const signal = (): AbortSignal => AbortSignal.any([delivery.signal, leader.lost]);
  switch (message.type) {
    case 'llm.complete':
      return { performative: 'agree', data: await scheduler.complete(message, signal(), { takesUnfit: true }) };
    case 'llm.embed':
      return { performative: 'agree', data: await scheduler.embed(message, signal()) };
    case 'llm.cancel':
      return scheduler.cancel(message.data.request, message.data.why ?? 'no longer wanted');
    case 'llm.status':
      return { performative: 'inform', data: await freshStatus(gateway) };
    case 'llm.models':
      return { performative: 'inform', data: modelsOf(registry, scheduler) };
  }
}

function modelsOf(registry: ServerRegistry, { queue, dispatcher }: Completions): ReplyData<'llm.models'> {
  const key = registry.defaultModel();
  const name =
    key === undefined ? undefined : registry.all.find(({ health, models }) => health.isUp && models.has(key))?.models.get(key)?.name;
  return {
    ...(name === undefined ? {} : { default: name }),
    servers: registry.all.map(({ name: server, health, slots, models }) => ({
      server,
      isUp: health.isUp,
      ...(health.version === undefined ? {} : { version: health.version }),
      slots,
      busy: dispatcher.busySlots(server),
      models: [...models.values()].map((model) => model.name),
      cannotChat: [...models.values()].flatMap((model) => (model.capabilities && !canChat(model) ? [model.name] : [])),
    })),
    waiting: queue.size,
  };
}

/** Checks the servers once, then starts the HTTP API. @throws Error when that cannot start; everything is closed then */
async function startHttp(gateway: Gateway, forwarding: Forwarder): Promise<void> {
  const { http, replicas, registry } = gateway;
  await registry.checkAll();
  try {
    gateway.httpServer = http && (await startGatewayHttp({ ...httpParts(gateway), forwarder: forwarding }, http));
  } catch (error) {
    await Promise.all([gateway.usage.close(), replicas.close(), forwarding.close(), registry.close()]);
    throw error;
  }
}

async function closeParts({ scheduler, usage, httpServer, replicas, registry }: Gateway, forwarding: Forwarder): Promise<void> {
  scheduler.close();
  await Promise.all([scheduler.budgetSync?.close(), usage.close()]);
  await forwarding.close();
  await httpServer?.close();
  await replicas.close();
  await registry.close();
}

/** The broker has given the messages to another gateway; requests over HTTP stay here. */
function logLost(scheduler: Completions, log: Log): void {
  const { requests } = scheduler.debugCounters();
  if (requests > 0) log.warn({ requests }, 'lost leadership; leaving the requests from the bus to the new leader');
}

const currentStatus = ({ registry, scheduler, instance, httpServer, now }: Gateway): Status =>
  statusOf(registry, scheduler, { instance, httpUrl: httpServer?.publicUrl, at: now() });

/** With the use of budgets by others, which a gateway that has just started does not know yet. */
async function freshStatus(gateway: Gateway): Promise<Status> {
  await gateway.scheduler.budgetSync?.ensureFresh();
  return currentStatus(gateway);
}

/** Publishes and exports how busy the pool is, unless on standby, where nothing is known of it, or replaying. Never rejects. */
async function publishCapacity({ bus, instance, log, now, replicas, isReplay, leadership: leader, scheduler }: Gateway): Promise<void> {
  try {
    replicas.rebroadcast();
    const capacity = !isReplay && (await leader.isLeader()) ? roundedCapacity(scheduler.dispatcher.capacity()) : undefined;
    showPool(capacity);
    if (!capacity) return;
    const at = now();
    const about = { id: `${instance}/capacity/${at}`, source: 'llm-gateway', subject: 'pool', at };
    await bus.publish(contracts.write('llm.capacity', capacity, about));
  } catch (error) {
    log.warn({ err: error }, 'publishing the capacity failed');
  }
}

async function changeServers({ admin, replicas }: Gateway, change: ServerChange) {
  const listing = await admin(change);
  if (change.act !== 'list') await replicas.broadcast();
  return listing;
}

async function tokensLeft({ scheduler: { admission, budgetSync }, now }: Gateway, keys: readonly RequestKey[]) {
  keys.forEach(admission.learnKey);
  await budgetSync?.ensureFresh();
  return keys.map(({ id }) => admission.budgets.key.left(id, now()));
}

function httpParts(gateway: Gateway) {
  const { registry, scheduler, usage, replicas, log, now, settings } = gateway;
  return {
    models: {
      complete: scheduler.complete,
      embed: scheduler.embed,
      evict: scheduler.evict,
      all: () => [...new Map(registry.all.flatMap(({ models }) => [...models.values()].map((model) => [model.name, model]))).values()],
      servers: () => registry.all.flatMap(({ name, options: { url } }) => [name, new URL(url).host, new URL(url).hostname]),
      mayHave: (model: string) => registry.all.some(({ models }) => models.mayHave(keyOf(model))),
    },
    admin: {
      status: () => freshStatus(gateway),
      servers: (change: ServerChange) => changeServers(gateway, change),
      usage: usage.list,
      limits: () => scheduler.admission.limits,
      async setLimits(limits: Parameters<typeof scheduler.admission.setLimits>[0]) {
        scheduler.admission.setLimits(limits);
        await replicas.broadcast();
      },
      tokensLeft: (keys: readonly RequestKey[]) => tokensLeft(gateway, keys),
    },
    gatewayKeys: gateway.gatewayKeys,
    log,
    now,
    options: settings,
  };
}

/** @throws Error */
function assertReady({ registry, isReplay, settings }: Gateway): void {
  if (isReplay) return;
  const model = registry.defaultModel();
  const isServed =
    model !== undefined && registry.all.some(({ health, isDraining, models }) => health.isUp && !isDraining && models.has(model));
  if (isServed) return;
  const what = settings.model ?? 'a model that can chat';
  throw new Error(`no model server is up that has ${what}: ${registry.describe()}. Start Ollama, or pull a model: ollama pull llama3.1`);
}
