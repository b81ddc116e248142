import type { Bus, Delivery } from '@maw/bus/bus.ts';
import { type ReplyData, contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Recordings } from '@maw/store/ports/recordings.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { care } from './servers/warm-up.ts';
import { completions } from './scheduler/completions.ts';
import { type GatewayHttpServer, type HttpOptions, startHttpServer } from './http/http-server.ts';
import { forwarder } from './http/forward.ts';
import type { DebugCounters } from './debug-counters.ts';
import { showPool } from './scheduler/telemetry/queue-metrics.ts';
import { keyOf } from './model-name.ts';
import { type GatewayOptions, defaultOptions } from './options.ts';
import { pool as poolOf } from './server-config/server-admin.ts';
import { followPool } from './server-config/config-reload.ts';
import { mirrorPool } from './server-config/replica-sync.ts';
import { recordingOf } from './recording/recording.ts';
import { servers as serversOf } from './servers/registry.ts';
import { statusOf } from './status.ts';
import { leaderLocator } from './leader.ts';

const TYPES = ['llm.complete', 'llm.embed', 'llm.cancel', 'llm.models', 'llm.status', 'llm.servers'] as const;
/** Who has heard nothing for so long asks who schedules: it may be another by now, or there is nothing to schedule. */
const SILENT_MS = 10_000;

type Heard = Message<(typeof TYPES)[number]>;

export interface LlmGateway {
  /** Where its HTTP door is, when it has one. */
  readonly httpUrl: string | undefined;
  /** @throws Error that says what is missing, when no server is up that can do what is asked without a model’s name */
  ready(): Promise<void>;
  debugCounters(): DebugCounters;
  /** Takes no more, finishes what is in hand within the grace time of the bus, which gives back the rest; disconnects. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * The queue in front of the model servers. Asks the servers how they are once, then listens, whether or not one is up.
 * All messages come by one queue with one active consumer, so that a cancellation reaches the process that has the completion; those that
 * wait for a slot are in hand, so there must be room for many.
 */
export async function llmGateway(ports: {
  bus: Bus;
  now(): number;
  log: Log;
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'>;
  /** The HTTP door; without it there is none. */
  http?: HttpOptions | undefined;
  /** Where recordings lie; needed when the options say that there is one. */
  recordings?: Recordings | undefined;
  /** Where it lies what was used of budgets, for the next gateway; without it that is forgotten with this one. */
  ledger?: BudgetUsage | undefined;
}): Promise<LlmGateway> {
  const { bus, now, log } = ports;
  const given = { ...defaultOptions, ...ports.options };
  const recorded = recordingOf(given, ports.recordings, log);
  const options = recorded.replay ? { ...given, servers: [], file: undefined } : given;
  const servers = serversOf(options, log, now);
  const desk = completions({ servers, now, log, options, ledger: ports.ledger, ...recorded });
  const pool = poolOf({ servers, options, log, now, look: desk.look });
  const nursing = care({ servers, options, log, now, isActive, warm: desk.turns.warm, look: desk.look });

  const instance = crypto.randomUUID();
  let heardAt = -Infinity;
  let asking = { at: -Infinity, isThis: Promise.resolve(false) };
  /** Aborted when another one schedules: what came by messages was given to that one as well. */
  let ousted = new AbortController();
  let httpServer: GatewayHttpServer | undefined;
  const who = leaderLocator({ bus, me: () => ({ instance, door: httpServer?.known }), now });
  const forwarding = forwarder({ who, instance, now });

  async function hear(message: Heard, delivery: Delivery): Promise<Reply | void> {
    heardAt = now();
    who.hears();
    const until = () => AbortSignal.any([delivery.signal, ousted.signal]);
    switch (message.type) {
      case 'llm.complete':
        return { performative: 'agree', data: await desk.complete(message, until()) };
      case 'llm.embed':
        return { performative: 'agree', data: await desk.embed(message, until()) };
      case 'llm.cancel':
        return desk.cancel(message.data.request, message.data.why ?? 'no longer wanted');
      case 'llm.status':
        return { performative: 'inform', data: await status() };
      case 'llm.models':
        return { performative: 'inform', data: models() };
      case 'llm.servers':
        return { performative: 'agree', data: await changed(message.data, pool.hear(message)) };
    }
  }

  function models(): ReplyData<'llm.models'> {
    const usual = servers.usual();
    const name = usual === undefined ? undefined : servers.all.find((one) => one.isUp && one.models.has(usual))?.models.get(usual)?.name;
    return {
      ...(name === undefined ? {} : { default: name }),
      servers: servers.all.map(({ name: server, isUp, version, slots, models: has }) => ({
        server,
        isUp,
        ...(version === undefined ? {} : { version }),
        slots,
        busy: desk.busy(server),
        models: [...has.values()].map((model) => model.name),
      })),
      waiting: desk.waiting,
    };
  }

  const statusNow = () => statusOf(servers, desk, { instance, door: httpServer?.known, at: now() });
  /** For whoever asks, what others have used of budgets is read first: one that has just begun knows nothing of it. */
  const status = async () => (await desk.books?.known(), statusNow());

  /** The other gateways are told as well. */
  async function changed<T>({ act }: Data<'llm.servers'>, done: Promise<T>): Promise<T> {
    const there = await done;
    if (act !== 'list') await mirror.changed();
    return there;
  }

  /**
   * Whether it is this one that schedules. One that stands by asks again only after a while, and knows at once when it hears something.
   */
  async function isActive(): Promise<boolean> {
    const at = now();
    if (Math.abs(at - heardAt) <= SILENT_MS) return true;
    if (Math.abs(at - asking.at) > SILENT_MS) asking = { at, isThis: isThisOne() };
    return asking.isThis;
  }

  async function isThisOne(): Promise<boolean> {
    try {
      const isThis = (await who.ask()).instance === instance;
      if (!isThis) leaveToOther();
      return isThis;
    } catch {
      asking.at = -Infinity; // nobody knows yet
      return false;
    }
  }

  /**
   * The broker has given its messages to another one, as after a lost connection: whatever of them is begun here now would be done twice, on
   * slots that the other one counts as its own. What came by the door stays.
   */
  function leaveToOther(): void {
    const { completions: left } = desk.inside().inHand;
    if (left > 0) log.warn({ left }, 'another gateway schedules now: what came here by messages is left to it');
    ousted.abort(new Error('another gateway schedules now'));
    ousted = new AbortController();
  }

  /**
   * Said by whoever schedules, also when nobody asks for anything: as many games would be let in at once as there are tables to be opened. A
   * gateway that stands by has no line and knows nothing, and so says nothing.
   */
  async function tellCapacity(): Promise<void> {
    mirror.repeat();
    const capacity = !recorded.replay && (await isActive()) ? statusNow().capacity : undefined; // what is played again takes no room
    showPool(capacity);
    if (!capacity) return;
    const at = now();
    const about = { id: `${instance}/capacity/${at}`, source: 'llm-gateway', subject: 'pool', at };
    bus
      .publish(contracts.write('llm.capacity', capacity, about))
      .catch((error: unknown) => log.warn({ err: error }, 'the capacity could not be said'));
  }

  const openOwnDoor = (how: HttpOptions) =>
    startHttpServer(
      {
        models: {
          complete: desk.complete,
          embed: desk.embed,
          forget: desk.forget,
          names: () => [...new Set(servers.all.flatMap((one) => [...one.models.values()].map(({ name }) => name)))],
          mayHave: (model) => servers.all.some((one) => one.mayHave(keyOf(model))),
        },
        admin: {
          status,
          servers: (change) => changed(change, pool.change(change)),
          limits: () => desk.admission.limits,
          async setLimits(limits) {
            desk.admission.set(limits);
            await mirror.changed();
          },
        },
        forwarder: forwarding,
        log,
        now,
        options,
      },
      how,
    );

  const mirror = await mirrorPool({ bus, instance, servers, admission: desk.admission, options, log, now, look: desk.look });
  await servers.check();
  try {
    httpServer = ports.http && (await openOwnDoor(ports.http));
  } catch (error) {
    await Promise.all([mirror.close(), forwarding.close(), servers.close()]);
    throw error;
  }
  const listening = await bus.consume('llm-gateway', TYPES, { concurrency: options.maxInFlight, isSingle: true }, hear);
  nursing.begin();
  servers.watch((server) => {
    nursing.seen(server);
    desk.look();
  });
  const file = options.file && followPool({ file: options.file, servers, admission: desk.admission, log, look: desk.look });
  const telling = setInterval(() => void tellCapacity(), options.capacityEveryMs);
  let closing: Promise<void> | undefined;
  return {
    httpUrl: httpServer?.url,
    async ready() {
      if (recorded.replay) return;
      const usual = servers.usual();
      if (usual !== undefined && servers.all.some(({ isUp, isDraining, models: has }) => isUp && !isDraining && has.has(usual))) return;
      const what = options.model ?? 'a model that can chat';
      throw new Error(`no model server is up that has ${what}: ${servers.report()}. Start Ollama, or pull a model: ollama pull llama3.1`);
    },
    debugCounters: desk.inside,
    close: () =>
      (closing ??= (async () => {
        clearInterval(telling);
        showPool(undefined);
        file?.close();
        who.leave();
        await nursing.close();
        await Promise.all([listening.stop(), httpServer?.leave()]);
        desk.close();
        await desk.books?.close();
        await forwarding.close();
        await httpServer?.close();
        await mirror.close();
        await servers.close();
      })()),
  };
}
