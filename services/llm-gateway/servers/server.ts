import type { EventEmitter } from 'node:events';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';
import { describeNetworkError, ServerError } from '../providers/errors.ts';
import { isOutdated } from '../providers/ollama-responses.ts';
import type { Provider } from '../providers/provider.ts';
import { DEFAULT_KIND, PROVIDERS } from '../providers/providers.ts';
import type { ServerIdentity } from '../request.ts';
import { type BreakerState, type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';
import { type ServerHealth, serverHealth } from './server-health.ts';
import { type ServerModels, serverModels } from './server-models.ts';
import { type ServerSlots, serverSlots } from './server-slots.ts';

/** A model server and what is known of it. Models go by `keyOf` their name. */
export interface Server extends ServerIdentity {
  readonly provider: Provider;
  readonly health: ServerHealth;
  readonly models: ServerModels;
  readonly capacity: ServerSlots;
  readonly breakers: ServerBreakers;
  /** As configured, the slots included. */
  readonly options: ServerOptions;
  /** draining: it finishes its requests and gets no more; leaving: it is removed after that. Set by the registry. */
  phase: 'active' | 'draining' | 'leaving';
  readonly isDraining: boolean;
  /**
   * The key of the model that is being loaded, or used to check the slots; empty while it is not known which. Requests for it wait, and so do those
   * whose model is not in memory. Set by the warm-up.
   */
  preparing: string | undefined;
  /** Why it is down, or what is wrong although it is up; empty: nothing. */
  readonly problem: string;
  /** Usable slots: requests it runs at once, of all models together. */
  readonly slots: number;
  /** Whether it may be given new work for this model: it is healthy, not draining, and no circuit breaker is open. */
  canRun(model: string): boolean;
  /** Requests of this model it runs at once; 0 when it does not have it. */
  maxConcurrent(model: string): number;
  /** Whether the model is in its memory, as far as is known. */
  isResident(model: string): boolean;
  /** An attempt starts. */
  startAttempt(model: string, attempt: object): void;
  /** Aborted when the next attempt starts. */
  untilNextAttempt(): AbortSignal;
  /** Checks its health, models and memory, and emits `checked`. Never rejects; one check runs at a time. */
  check(): Promise<void>;
  /** Cuts the connections. */
  close(): Promise<void>;
}

export interface ServerEvents {
  /** A server has come up; nothing was sent to it yet, and it is not known yet what is in its memory. */
  up: [server: Server];
  /** A server was removed for good. */
  removed: [name: string];
  /** A health check of a server has ended. */
  checked: [server: Server];
  /** Servers, slots, models or limits have changed: waiting requests may be able to run, or may have to be refused. */
  changed: [];
}

interface Parts {
  readonly options: Pick<GatewayOptions, 'probeMs' | 'stallMs'>;
  readonly log: Log;
  readonly events: EventEmitter<ServerEvents>;
  now(): number;
  /** Whether another server is up. */
  isAnotherUp(name: string): boolean;
}

/** A server, which is down until a check has succeeded. */
export function modelServer(given: ServerOptions, { options, log, now, events, isAnotherUp }: Parts): Server {
  const { name, kind = DEFAULT_KIND, url } = given;
  const provider = PROVIDERS[kind](given, options.stallMs, now);
  const models = serverModels(provider, now);
  const capacity = serverSlots(name, given.slots, given.isGuess);
  const breakers = serverBreakers(now);
  const health = serverHealth(name, log, (isUp) => {
    if (isUp) events.emit('up', server);
    else models.clearResident();
  });
  const labels = new Set<string>(); // models with metrics of this server
  let idle = new AbortController();
  let checking: Promise<void> | undefined;
  let isClosed = false;
  const server: Server = {
    name,
    kind,
    url,
    provider,
    health,
    models,
    capacity,
    breakers,
    phase: 'active',
    preparing: undefined,
    get options() {
      return { ...given, slots: capacity.configured };
    },
    get isDraining() {
      return server.phase !== 'active';
    },
    get problem() {
      return health.isUp ? capacity.problem : health.reason;
    },
    get slots() {
      return capacity.usable;
    },
    canRun: (model) => canRun(server, model),
    maxConcurrent: (model) => (models.has(model) ? (models.isSingleSlot(model) ? 1 : capacity.usable) : 0),
    isResident: models.isResident,
    startAttempt(model, attempt) {
      if (!idle.signal.aborted) idle.abort(new Error('a request has started on the server'));
      labels.add(models.get(model)?.name ?? model);
      breakers.attempted(model, attempt);
    },
    untilNextAttempt: () => (idle.signal.aborted ? (idle = new AbortController()) : idle).signal,
    check: () =>
      (checking ??= checkServer(server, { log, probeMs: options.probeMs, isAnotherUp }).finally(() => {
        checking = undefined;
        if (!isClosed) events.emit('checked', server);
      })),
    close() {
      isClosed = true;
      for (const part of [health, capacity]) part.close();
      for (const model of labels) metrics.completionSeconds.remove({ server: name, model });
      return provider.close();
    },
  };
  return server;
}

function canRun({ health, isDraining, preparing, models, breakers }: Server, model: string): boolean {
  if (!health.isUp || isDraining || !models.has(model)) return false;
  return (preparing === undefined || (preparing !== model && models.isResident(model))) && breakers.allows(model);
}

async function checkServer(
  { name, provider, health, models, capacity }: Server,
  { log, probeMs, isAnotherUp }: Pick<Parts, 'log' | 'isAnotherUp'> & { readonly probeMs: number },
): Promise<void> {
  const timeout = (): AbortSignal => AbortSignal.timeout(probeMs);
  try {
    const version = await provider.version(timeout());
    await models.refresh(timeout);
    if (!health.isUp && provider.kind === 'ollama' && isOutdated(version))
      log.warn({ server: name, version }, 'Ollama before 0.33 may lose slots: update it');
    health.markUp(version, { models: models.size, slots: capacity.usable });
  } catch (error) {
    if (error instanceof ServerError) return health.markDown(`it answered with ${error.status}: ${error.message}`);
    const { said, code } = describeNetworkError(error);
    return health.markDown(said, code === 'ENOTFOUND' && isAnotherUp(name));
  }
  // This waits while a model is loading or unloading, so it says nothing about health.
  await models.refreshResident(timeout());
}

type ServerBreakers = ReturnType<typeof serverBreakers>;

/** The circuit breakers of a server: one for the server, one for each model on it. `attempt` identifies an attempt in both. */
function serverBreakers(now: () => number) {
  const ofServer = circuitBreaker();
  let lastFailure = '';
  const byModel = new Map<string, CircuitBreaker>();
  const of = (model: string): CircuitBreaker => byModel.get(model) ?? byModel.set(model, circuitBreaker()).get(model)!;
  const both = (model: string): readonly CircuitBreaker[] => [ofServer, of(model)];

  return {
    allows(model: string): boolean {
      const at = now();
      return ofServer.allows(at) && of(model).allows(at);
    },
    attempted: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.attempted(now(), attempt)),
    succeeded: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.succeeded(now(), attempt)),
    inconclusive: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.inconclusive(attempt)),
    /** @param openMs opens the breaker at once for this time; said: what went wrong, for operators */
    failed(blamed: 'server' | 'model', model: string, attempt: object, said: string, openMs?: number): void {
      lastFailure = said;
      (blamed === 'server' ? ofServer : of(model)).failed(now(), openMs, attempt);
      (blamed === 'server' ? of(model) : ofServer).inconclusive(attempt);
    },
    /** The last failure while the server, or a model on it, is left alone or tried again; empty while all is well. */
    get why(): string {
      const isWell = [ofServer, ...byModel.values()].every((one) => one.state(now()) === 'closed');
      return isWell ? '' : `left alone after a failure: ${lastFailure}`;
    },
    /** Of the server, or of one model on it. */
    stateOf: (model?: string): BreakerState => (model === undefined ? ofServer : of(model)).state(now()),
    /** When the model on this server may be tried again; undefined: now. */
    openUntil(model: string): number | undefined {
      const until = Math.max(...both(model).map((breaker) => breaker.openUntil(now()) ?? 0));
      return until || undefined;
    },
  };
}
