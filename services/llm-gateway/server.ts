import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { networkError, ServerSaid } from './fault.ts';
import { isCloud, isModelName, keyOf } from './model-name.ts';
import type { GatewayOptions, ServerOptions } from './options.ts';
import { plain } from './plain.ts';
import type { Place } from './slots.ts';
import { type Listed, listing, resident, shown, versionOf } from './told.ts';
import { type Wire, wire } from './wire.ts';

/** A model on a server. */
export interface Model {
  readonly name: string;
  readonly digest: string;
  /** Undefined when the server did not say. */
  readonly capabilities: readonly string[] | undefined;
  readonly family: string;
}

/** A model server and what is known of it. Models go by `keyOf` their name. */
export interface Server extends Place {
  readonly wire: Wire;
  readonly version: string | undefined;
  readonly models: ReadonlyMap<string, Model>;
  /** Why it is down, in words. */
  readonly why: string;
  /** Whether it has the model, or, never having been up, might. */
  mayHave(model: string): boolean;
  /** Asks it how it is. Never rejects; one asking at a time. */
  check(): Promise<void>;
  /** It could not be reached. */
  isGone(why: string): void;
  /** It says it does not have this model after all. */
  lacks(model: string): void;
  /** It has just worked with this model. */
  hasUsed(model: string): void;
  /** Cuts the connections. */
  close(): Promise<void>;
}

type Options = Pick<GatewayOptions, 'probeMs' | 'stallMs'>;

/** Ollama gives models of these families one slot whatever it is told (server/sched.go). */
const ONE_AT_ONCE = /^(mllama|qwen3vl(moe)?|qwen35(moe)?|qwen3next|lfm2(moe)?|nemotron_h(_moe|_omni)?)$/;

/** Begins to watch a server, which is down until it has said otherwise. */
export function server(address: ServerOptions, { probeMs, stallMs }: Options, log: Log): Server {
  const { name, slots } = address;
  const connections = wire(address, stallMs);
  let isUp = false;
  let why = 'it was not asked yet';
  let version: string | undefined;
  let isKnown = false;
  let models: ReadonlyMap<string, Model> = new Map();
  let loaded = new Set<string>();
  /** Used while it was asked what is loaded. */
  let usedMeanwhile = new Set<string>();
  let checking: Promise<void> | undefined;
  let isClosed = false;

  const ask = () => connections.client(AbortSignal.timeout(probeMs));

  async function check(): Promise<void> {
    try {
      const said = versionOf(await ask().version());
      models = await modelsNow();
      [version, isKnown] = [said, true];
      be(true, '');
    } catch (error) {
      be(false, error instanceof ServerSaid ? `it answered with ${error.status}: ${error.message}` : networkError(error).said);
      return;
    }
    // This waits while a model is loading or unloading, so it says nothing about health.
    usedMeanwhile = new Set();
    const said: unknown = await ask()
      .ps()
      .catch(() => undefined);
    if (said !== undefined) loaded = new Set([...resident(said).map(keyOf), ...usedMeanwhile]);
  }

  async function modelsNow(): Promise<ReadonlyMap<string, Model>> {
    const now = new Map<string, Model>();
    for (const one of listing(await ask().list())) {
      if (!isModelName(one.name) || isCloud(one.name) || one.isRemote) continue;
      const key = keyOf(one.name);
      const before = models.get(key);
      now.set(key, before?.digest === one.digest && before.capabilities ? before : await look(one));
    }
    return now;
  }

  async function look({ name: model, digest, family, capabilities }: Listed): Promise<Model> {
    if (capabilities) return { name: model, digest, family, capabilities };
    const more = await ask()
      .show({ model })
      .then(shown)
      .catch(() => undefined);
    return { name: model, digest, family: more?.family ?? family, capabilities: more?.capabilities };
  }

  function be(now: boolean, reason: string): void {
    if (isClosed) return;
    metrics.serverUp.set({ server: name }, now ? 1 : 0);
    if (isUp !== now || why !== reason) {
      if (now) log.info({ server: name, version, models: models.size, slots }, 'model server is up');
      else log.warn({ server: name, why: reason }, 'model server is down');
      if (now && isOld(version)) log.warn({ server: name, version }, 'Ollama before 0.33 may lose slots: update it');
    }
    if (!now) loaded = new Set();
    isUp = now;
    why = reason;
  }

  metrics.slots.set({ server: name }, slots);
  metrics.serverUp.set({ server: name }, 0);
  return {
    name,
    slots,
    wire: connections,
    get isUp() {
      return isUp;
    },
    get why() {
      return why;
    },
    get version() {
      return version;
    },
    get models() {
      return models;
    },
    atOnce(model) {
      const known = models.get(model);
      if (!known) return 0;
      return ONE_AT_ONCE.test(known.family) ? 1 : slots;
    },
    isResident: (model) => loaded.has(model),
    mayHave: (model) => models.has(model) || !isKnown,
    check: () => (checking ??= check().finally(() => (checking = undefined))),
    isGone: (reason) => be(false, plain(reason, 200)),
    lacks(model) {
      models = new Map([...models].filter(([key]) => key !== model));
      loaded.delete(model);
      usedMeanwhile.delete(model);
    },
    hasUsed(model) {
      loaded.add(model);
      usedMeanwhile.add(model);
    },
    close() {
      isClosed = true;
      for (const gauge of [metrics.serverUp, metrics.slots, metrics.slotsBusy]) gauge.remove({ server: name });
      return connections.close();
    },
  };
}

const isOld = (version = ''): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < 33;
};
