import type { Log } from '@maw/telemetry/log.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import { networkError, ServerSaid } from '../providers/fault.ts';
import { modelsOf } from './model-list.ts';
import { keyOf } from '../model-name.ts';
import type { GatewayOptions, ServerOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { breaker, type Breaker, type BreakerState } from './circuit-breaker.ts';
import type { Place } from '../scheduler/server-selection.ts';
import { ollama } from '../providers/ollama.ts';
import { openai } from '../providers/openai.ts';
import type { Provider } from '../providers/provider.ts';
import { isOld } from '../providers/ollama-responses.ts';

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
  readonly provider: Provider;
  readonly version: string | undefined;
  readonly models: ReadonlyMap<string, Model>;
  readonly isUp: boolean;
  /** It finishes what it has, and gets no more. */
  isDraining: boolean;
  /** It goes away as soon as it has finished. */
  isLeaving: boolean;
  /** A model is being loaded for those to come: it gets work that needs no load, and no other. */
  isWarming: boolean;
  /** Slots in use. */
  busy: number;
  /** Why it is down, in words; while it is up what is amiss with it, or nothing. */
  readonly why: string;
  /** What it was said to be, its slots included. */
  readonly options: ServerOptions;
  /** So many slots from now on, as far as anybody says. */
  setSlots(count: number): void;
  /** So many of its slots were found to be real; undefined: all of them, as far as anybody knows. */
  found(count: number | undefined): void;
  /** Aborted when work is sent to it the next time. */
  quiet(): AbortSignal;
  /** Whether it has the model, or, never having been up, might. */
  mayHave(model: string): boolean;
  /** Asks it how it is. Never rejects; one asking at a time. */
  check(): Promise<void>;
  /** It could not be reached. */
  isGone(why: string): void;
  /** It says it does not have this model after all. */
  lacks(model: string): void;
  /** Whether Ollama gives this model one slot, however many the server has. */
  isSingle(model: string): boolean;
  /** It has just worked with this model. */
  hasUsed(model: string): void;
  /** An attempt goes there, of a job that is known by `who`. */
  tried(model: string, who: object): void;
  /** What came of it: an answer, nothing that says anything, or a failure of it or of the model on it. @param openMs as for a breaker */
  passed(model: string, who: object): void;
  nothing(model: string, who: object): void;
  failed(of: 'server' | 'model', model: string, who: object, openMs?: number): void;
  /** Of the server, or of a model on it. */
  breakerOf(model?: string): BreakerState;
  /** When it, or the model on it, may be tried again; undefined while nothing stands in the way. */
  restsUntil(model: string): number | undefined;
  /** Cuts the connections. */
  close(): Promise<void>;
}

type Options = Pick<GatewayOptions, 'probeMs' | 'stallMs'>;

/** Ollama gives models of these families one slot whatever it is told (server/sched.go). */
const ONE_AT_ONCE = /^(mllama|qwen3vl(moe)?|qwen35(moe)?|qwen3next|lfm2(moe)?|nemotron_h(_moe|_omni)?)$/;

/**
 * A server, which is down until it has said otherwise.
 * @param came is told each time it has come up, before anything can be sent to it
 */
export function server(
  given: ServerOptions,
  { probeMs, stallMs }: Options,
  log: Log,
  now: () => number,
  came: (one: Server) => void = () => undefined,
): Server {
  const { name } = given;
  const provider = (given.kind === 'openai' ? openai : ollama)(given, stallMs, now);
  let told = given.slots;
  let real: number | undefined;
  let quiet = new AbortController();
  const labels = new Set<string>();
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
  const whole = breaker();
  const each = new Map<string, Breaker>();
  const breakerFor = (model: string): Breaker => each.get(model) ?? each.set(model, breaker()).get(model)!;

  const ask = (): AbortSignal => AbortSignal.timeout(probeMs);

  async function check(): Promise<void> {
    try {
      const said = await provider.version(ask());
      models = await modelsOf(provider, models, ask);
      [version, isKnown] = [said, true];
      be(true, '');
    } catch (error) {
      be(false, error instanceof ServerSaid ? `it answered with ${error.status}: ${error.message}` : networkError(error).said);
      return;
    }
    // This waits while a model is loading or unloading, so it says nothing about health.
    usedMeanwhile = new Set();
    const said = await provider.resident(ask()).catch(() => undefined);
    if (said === 'all') loaded = new Set(models.keys());
    else if (said !== undefined) loaded = new Set([...said.map(keyOf), ...usedMeanwhile]);
  }

  function be(isNow: boolean, reason: string): void {
    if (isClosed) return;
    metrics.serverUp.set({ server: name }, isNow ? 1 : 0);
    const isNew = isNow && !isUp;
    if (isUp !== isNow || why !== reason) {
      if (isNow) log.info({ server: name, version, models: models.size, slots: slots() }, 'model server is up');
      else log.warn({ server: name, why: reason }, 'model server is down');
      if (isNow && provider.kind === 'ollama' && isOld(version))
        log.warn({ server: name, version }, 'Ollama before 0.33 may lose slots: update it');
    }
    if (!isNow) loaded = new Set();
    isUp = isNow;
    why = reason;
    if (isNew) came(self);
  }

  const slots = (): number => Math.min(told, real ?? told);
  const measure = (): void => void (isClosed || metrics.slots.set({ server: name }, slots()));
  /** What is amiss although it is up. */
  const amiss = (): string =>
    slots() < told
      ? `of the ${told} slots it was said to have ${slots()} work at once: set its OLLAMA_NUM_PARALLEL, or fewer slots here`
      : '';

  measure();
  const forgetBusy = onCollect(metrics.slotsBusy, () => metrics.slotsBusy.set({ server: name }, self.busy));
  metrics.serverUp.set({ server: name }, 0);
  const self: Server = {
    name,
    get options() {
      return { ...given, slots: told };
    },
    get slots() {
      return slots();
    },
    setSlots(count) {
      if (count === told) return;
      told = count;
      real = undefined;
      measure();
    },
    found(count) {
      real = count;
      measure();
    },
    quiet: () => (quiet.signal.aborted ? (quiet = new AbortController()) : quiet).signal,
    isLeaving: false,
    isWarming: false,
    busy: 0,
    provider,
    get isUp() {
      return isUp;
    },
    get why() {
      return isUp ? amiss() : why;
    },
    get version() {
      return version;
    },
    get models() {
      return models;
    },
    isSingle: (model) => ONE_AT_ONCE.test(models.get(model)?.family ?? ''),
    atOnce: (model) => (!models.has(model) ? 0 : self.isSingle(model) ? 1 : slots()),
    isResident: (model) => loaded.has(model),
    mayHave: (model) => models.has(model) || !isKnown,
    check: () => (checking ??= check().finally(() => (checking = undefined))),
    isGone: (reason) => be(false, sanitizeText(reason, 200)),
    lacks(model) {
      models = new Map([...models].filter(([key]) => key !== model));
      loaded.delete(model);
      usedMeanwhile.delete(model);
    },
    isDraining: false,
    mayRun(model) {
      if (!isUp || self.isDraining || !models.has(model) || (self.isWarming && !loaded.has(model))) return false;
      return whole.mayTry(now()) && breakerFor(model).mayTry(now());
    },
    tried(model, who) {
      if (!quiet.signal.aborted) quiet.abort(new Error('there is work for it'));
      labels.add(models.get(model)?.name ?? model);
      whole.tried(now(), who);
      breakerFor(model).tried(now(), who);
    },
    passed(model, who) {
      whole.passed(now(), who);
      breakerFor(model).passed(now(), who);
    },
    nothing(model, who) {
      whole.nothing(who);
      breakerFor(model).nothing(who);
    },
    failed(of, model, who, openMs) {
      (of === 'server' ? whole : breakerFor(model)).failed(now(), openMs, who);
      (of === 'server' ? breakerFor(model) : whole).nothing(who);
    },
    restsUntil(model) {
      const until = Math.max(whole.until(now()) ?? 0, breakerFor(model).until(now()) ?? 0);
      return until || undefined;
    },
    breakerOf: (model) => (model === undefined ? whole : breakerFor(model)).state(now()),
    hasUsed(model) {
      loaded.add(model);
      usedMeanwhile.add(model);
    },
    close() {
      isClosed = true;
      isUp = false;
      forgetBusy();
      for (const gauge of [metrics.serverUp, metrics.slots, metrics.slotsBusy]) gauge.remove({ server: name });
      for (const model of labels) metrics.completionSeconds.remove({ server: name, model });
      return provider.close();
    },
  };
  return self;
}
