import type { EventEmitter } from 'node:events';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { Attempt, LlmRequest, RetryState } from '../request.ts';
import type { Model } from '../servers/server-models.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import type { Server, ServerEvents } from '../servers/server.ts';
import { classifyFailure, type Failure, type RetryMode } from './classify-failure.ts';
import { modelKeyFor } from './model-choice.ts';
import type { Feasibility } from './estimation/feasibility.ts';
import { isOfNoTable } from './unfit-replies.ts';

type FailureDecision =
  | { readonly action: 'retry'; readonly mode: Exclude<RetryMode, 'never'>; readonly retry: RetryState }
  | { readonly action: 'refuse'; readonly refusal: Refusal; readonly reason: 'late' | 'invalid' | 'failed' };

export type FailurePolicy = ReturnType<typeof failurePolicy>;

interface Parts {
  readonly registry: ServerRegistry;
  readonly events: EventEmitter<ServerEvents>;
  readonly feasibility: Feasibility;
  now(): number;
  readonly log: Log;
}

type Blame = Pick<Failure, 'blames' | 'openMs' | 'said'>;
const STUCK: Blame = { blames: 'model', said: 'it sent no token for too long' };

const MAX_FAILOVERS = 1;
const MAX_REPAIRS = 1;
/** A retry is worth it only when the time left exceeds the expected time by this factor. */
const TIME_MARGIN = 1.2;

/** What follows from a failed attempt, for the request and for the server. */
export function failurePolicy(parts: Parts) {
  const { registry, now, log } = parts;
  const retries = retryBudget();
  const rests = restTimers(parts);

  function blame(attempt: Attempt, server: Server, key: string, { blames, openMs, said }: Blame): void {
    if (blames === 'nobody' && openMs === undefined) return server.breakers.inconclusive(key, attempt);
    server.breakers.failed(blames === 'model' ? 'model' : 'server', key, attempt, said, openMs);
    if (server.breakers.openUntil(key) !== undefined) rests.announce(server, key);
  }

  function updateHealth(server: Server, key: string, { shows, said }: Failure): void {
    if (shows === 'down') server.health.markDown(said);
    if (shows === 'doubtful') void server.check();
    if (shows === 'model-absent') server.models.remove(key);
  }

  /** Whether there is a server, time and budget for a retry. What a caller has heard cannot be taken back. */
  function mayRetry(request: LlmRequest, server: Server, key: string, mode: RetryMode): boolean {
    if (mode === 'never' || request.attempts.some(({ isHeard }) => isHeard)) return false;
    const expectedMs = expectedRetryMs(parts, request, server, key, mode);
    if (expectedMs === undefined || request.deadline - now() <= TIME_MARGIN * expectedMs) return false;
    return mode === 'later' || retries.spend(); // a server that asks to come again is not broken
  }

  return {
    /** A new request adds to the retry budget. */
    onRequest: retries.deposit,

    onFailure(request: LlmRequest, attempt: Attempt, error: unknown, server: Server, model: Model): FailureDecision {
      const key = keyOf(model.name);
      if (error instanceof Refusal) {
        server.breakers.inconclusive(key, attempt);
        return { action: 'refuse', refusal: error, reason: 'late' };
      }
      const failure = classifyFailure(error, server.name);
      const again = retryModeFor(request, failure);
      log.warn({ ...logged(request, failure, server, model), again }, 'attempt failed');
      blame(attempt, server, key, failure);
      updateHealth(server, key, failure);
      if (again !== 'never' && mayRetry(request, server, key, again)) {
        metrics.retries.inc({ model: model.name, why: again });
        return { action: 'retry', mode: again, retry: nextTry(request.retry, failure, server.name) };
      }
      return { action: 'refuse', refusal: refusalOf(failure, registry), reason: failure.outcome };
    },

    /** An aborted call showed that the server is stuck. */
    onStuck: (attempt: Attempt, server: Server, model: Model): void => blame(attempt, server, keyOf(model.name), STUCK),
    /** Timers that announce the end of a server's rest. */
    get timers() {
      return rests.size;
    },
    close: rests.close,
  };
}

/** Who takes what does not fit asks again by itself; an answer that broke off is the server's fault. */
const retryModeFor = ({ takesUnfit }: LlmRequest, { again, answer }: Failure): RetryMode =>
  takesUnfit && answer !== undefined ? 'never' : again;

/** The refusal; where the model is not there, with those that are. */
const refusalOf = ({ refusal, shows }: Failure, registry: ServerRegistry): Refusal =>
  shows === 'model-absent' ? new Refusal(refusal.reason, `${refusal.detail}; available: ${registry.describe()}`) : refusal;

/** Neither a table nor the model that it asks is named: by night that would name a seat. */
const logged = (request: LlmRequest, { refusal, said }: Failure, server: Server, model: Model): object => ({
  ...(isOfNoTable(request) ? { request: request.id, model: model.name } : {}),
  server: server.name,
  why: refusal.detail,
  said,
});

/** The expected time of another attempt in milliseconds; undefined when there is none to make. */
function expectedRetryMs(
  { registry, feasibility, now }: Parts,
  request: LlmRequest,
  server: Server,
  key: string,
  mode: RetryMode,
): number | undefined {
  if (mode === 'repaired') return request.retry.repairs >= MAX_REPAIRS ? undefined : feasibility.minMs(request, key);
  if (mode === 'elsewhere' && request.retry.failedOn.size >= MAX_FAILOVERS) return undefined;
  const others = feasibility.eligible(key).filter((one) => one !== server && one.canRun(key));
  if (others.length > 0) return feasibility.minMs(request, key, others);
  if (mode === 'elsewhere') {
    const fallback = modelKeyFor(registry, { ...request, retry: { ...request.retry, failedOn: new Set([server.name]) } });
    return fallback === undefined || fallback === key ? undefined : feasibility.minMs(request, fallback);
  }
  return Math.max(0, (server.breakers.openUntil(key) ?? 0) - now()) + feasibility.minMs(request, key, [server]);
}

function nextTry({ failedOn, repairs, repairHint }: RetryState, { again, refusal, said, answer }: Failure, server: string): RetryState {
  const failure = refusal.detail;
  if (again === 'later') return { failedOn, repairs, repairHint, failure };
  if (again !== 'repaired') return { failedOn: new Set([...failedOn, server]), repairs, repairHint, failure };
  return { failedOn, repairs: repairs + 1, repairHint: { answer: answer ?? '', problem: answer === undefined ? '' : said }, failure };
}

/** Emits `changed` once a server, or a model on it, has rested. Timers may be early, and a rest may be prolonged. */
function restTimers({ events, now }: Pick<Parts, 'events' | 'now'>) {
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  function announce(server: Server, model: string): void {
    if (isClosed) return;
    const key = `${server.name} ${model}`;
    const until = server.breakers.openUntil(model);
    clearTimeout(timers.get(key));
    timers.delete(key);
    if (until === undefined) return void events.emit('changed');
    timers.set(
      key,
      setTimeout(() => announce(server, model), Math.max(1, until - now())),
    );
  }

  return {
    announce,
    get size() {
      return timers.size;
    },
    close(): void {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Retries per request in the long run. */
const RETRY_SHARE = 0.1;
/** The most retries that are saved up. */
const MAX_SAVED_RETRIES = 20;

/** A token bucket over all requests that bounds retries, so that an outage is not doubled by them. */
export function retryBudget() {
  let balance = MAX_SAVED_RETRIES / 2;
  return {
    /** Called for each new request, which pays its share in. */
    deposit: (): void => void (balance = Math.min(MAX_SAVED_RETRIES, balance + RETRY_SHARE)),
    /** Takes one retry. Returns whether there was one. */
    spend(): boolean {
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
  };
}
