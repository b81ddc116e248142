import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { InvalidAnswer, type TokenCounts } from '../../providers/errors.ts';
import { type Attempt, type LlmRequest, operationOf, type QueuedRequest } from '../../request.ts';
import type { BreakerState } from '../../servers/circuit-breaker.ts';
import type { ServerRegistry } from '../../servers/registry.ts';
import { ANSWER_KEPT } from '../partial-answers.ts';
import type { Model } from '../../servers/server-models.ts';
import type { FairQueue } from '../fair-queue.ts';
import { showQueue } from './queue-metrics.ts';

/** The `why` label of wasted slot time. */
export const WASTES = ['cut', 'cancelled', 'failed', 'invalid'] as const;
type Waste = (typeof WASTES)[number];

/** A successful call. Times in milliseconds. */
interface Measured {
  readonly tokens: TokenCounts;
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
  /** What it was expected to take. */
  readonly expectedMs: number;
}

export type AttemptMetrics = ReturnType<typeof attemptMetrics>;

const OPEN: Readonly<Record<BreakerState, number>> = { 'closed': 0, 'half-open': 0.5, 'open': 1 };
/** A longer load time means that the model was loaded; below it was only looked up. */
const LOAD_MS = 500;

interface Parts {
  readonly registry: ServerRegistry;
  readonly queue: FairQueue<QueuedRequest>;
  now(): number;
}

/** The metrics of attempts. */
export function attemptMetrics({ registry, queue, now }: Parts) {
  const hideQueue = showQueue(queue);
  const prefixCache = prefixCacheDetector();
  const labels = serverLabels(registry);
  registry.events.on('up', ({ name }) => prefixCache.forgetServer(name));
  registry.events.on('removed', forgetServer);

  function forgetServer(server: string): void {
    prefixCache.forgetServer(server);
    labels.forgetServer(server);
  }

  return {
    /** @param lastServer where the game ran last */
    started(request: LlmRequest, attempt: Attempt, model: Model, lastServer: string | undefined): void {
      labels.add(attempt.server.name, model.name);
      if (attempt.number === 1) recordStart(request, attempt, model, lastServer); // where a retry goes says nothing of affinity
    },

    answered: (request: LlmRequest, attempt: Attempt, model: Model, measured: Measured): void =>
      recordAnswer(prefixCache, now(), request, attempt, model, measured),

    /**
     * The attempt gives its slot back.
     * @param failure undefined when it was answered or aborted
     * @returns why its slot time was wasted; undefined when somebody got the answer
     */
    ended(request: LlmRequest, attempt: Attempt, { name: model }: Model, failure: unknown): Waste | undefined {
      const at = (attempt.endedAt = now());
      const seconds = Math.max(0, at - attempt.startedAt) / 1000;
      metrics.completionSeconds.observe({ model, server: attempt.server.name }, seconds);
      const operation = operationOf(request.message);
      if (attempt.sentAt !== undefined) metrics.serverSeconds.observe({ model, operation }, Math.max(0, at - attempt.sentAt) / 1000);
      const why = wasteOf(request.abort.signal, failure);
      if (why) metrics.wastedSlots.inc({ why }, seconds);
      return why;
    },

    /** Counts the time until `release` is called as wasted. */
    countGrace(why: Waste | undefined, release: () => void): () => void {
      const since = now();
      return () => {
        if (why) metrics.wastedSlots.inc({ why }, Math.max(0, now() - since) / 1000);
        release();
      };
    },

    close(): void {
      hideQueue();
      labels.hide();
      for (const { name } of registry.all) forgetServer(name);
    },
  };
}

function recordStart(
  { message, urgency, arrivedAt }: LlmRequest,
  { startedAt, isWarm }: Attempt,
  { name: model }: Model,
  lastServer: string | undefined,
): void {
  metrics.completionWait.observe({ model, urgency }, (startedAt - arrivedAt) / 1000);
  if (operationOf(message) === 'chat')
    metrics.affinity.inc({ model, outcome: lastServer === undefined ? 'first' : isWarm ? 'hit' : 'miss' });
}

function recordAnswer(
  prefixCache: PrefixCacheDetector,
  at: number,
  request: LlmRequest,
  { server, sentAt = 0, firstPieceAt }: Attempt,
  { name: model }: Model,
  { tokens, times, expectedMs }: Measured,
): void {
  const operation = operationOf(request.message);
  const by = { model, operation };
  if (times.load > LOAD_MS) metrics.reloads.inc({ server: server.name, model });
  if (operation === 'embeddings') return;
  metrics.expectedSeconds.inc({ model }, expectedMs / 1000);
  metrics.trueSeconds.inc({ model }, Math.max(0, at - sentAt) / 1000);
  if (firstPieceAt !== undefined) {
    metrics.firstTokenSeconds.observe(by, Math.max(0, firstPieceAt - sentAt) / 1000);
    metrics.firstChunkSeconds.observe(by, Math.max(0, firstPieceAt - request.arrivedAt) / 1000);
  }
  if (tokens.completion > 1 && times.decode > 0) metrics.outputTokenSeconds.observe(by, times.decode / 1000 / (tokens.completion - 1));
  // Other kinds of servers report no times: what was measured there is the wait for the first piece.
  if (server.kind !== 'ollama') return;
  const outcome = prefixCache.observe(model, server.name, { promptTokens: tokens.prompt, prefillMs: times.prefill });
  if (outcome) metrics.prefixes.inc({ model, outcome });
}

/** The models that each server was given work for: only those have labels. */
function serverLabels(registry: ServerRegistry) {
  const used = new Map<string, Set<string>>();
  const hide = onCollect(metrics.breakers, () => {
    for (const { name: server, breakers } of registry.all) {
      metrics.breakers.set({ server }, OPEN[breakers.stateOf()]);
      for (const model of used.get(server) ?? []) metrics.breakers.set({ server, model }, OPEN[breakers.stateOf(keyOf(model))]);
    }
  });
  return {
    hide,
    add(server: string, model: string): void {
      const models = used.get(server);
      if (models) models.add(model);
      else used.set(server, new Set([model]));
    },
    forgetServer(server: string): void {
      metrics.breakers.remove({ server });
      for (const model of used.get(server) ?? []) {
        metrics.breakers.remove({ server, model });
        metrics.reloads.remove({ server, model });
      }
      used.delete(server);
    },
  };
}

function wasteOf(signal: AbortSignal, failure: unknown): Waste | undefined {
  // A request that has failed is aborted as well.
  const end: unknown = failure ?? (signal.aborted ? signal.reason : undefined);
  if (end === undefined || end === ANSWER_KEPT) return undefined;
  if (end instanceof Refusal && end.reason === 'late') return 'cut';
  if (failure === undefined) return 'cancelled';
  return failure instanceof InvalidAnswer ? 'invalid' : 'failed';
}

/** A prompt was mostly cached when its time per token is below this share of an uncached one's. */
const HIT_SHARE = 0.5;
/** The weight of a new measurement, as in the estimates. */
const SMOOTHING = 0.2;
/** The time of a shorter prompt is mostly overhead. */
const MIN_TOKENS = 32;
const MAX_MODELS = 2_000;

type PrefixCacheDetector = ReturnType<typeof prefixCacheDetector>;

/**
 * Infers from the prefill time whether most of a prompt was cached, which Ollama does not report. It learns the time per uncached token of each
 * model and server, from misses only. The estimates cannot be used: they average over hits.
 */
export function prefixCacheDetector() {
  const coldMsPerToken = new Map<string, Map<string, number>>();
  return {
    /** A prompt was read in `prefillMs`. Undefined: not known yet. */
    observe(
      model: string,
      server: string,
      { promptTokens, prefillMs }: { readonly promptTokens: number; readonly prefillMs: number },
    ): 'hit' | 'miss' | undefined {
      if (promptTokens < MIN_TOKENS || prefillMs <= 0) return undefined;
      const msPerToken = prefillMs / promptTokens;
      const known = coldMsPerToken.get(server) ?? coldMsPerToken.set(server, new Map()).get(server)!;
      const cold = known.get(model);
      if (cold !== undefined && msPerToken < HIT_SHARE * cold) return 'hit';
      // A prompt that takes more than twice as long as a cold one shows that the cold one was a hit.
      const isFirstCold = cold === undefined || msPerToken * HIT_SHARE > cold;
      if (cold === undefined && known.size >= MAX_MODELS) known.clear();
      known.set(model, isFirstCold ? msPerToken : cold + SMOOTHING * (msPerToken - cold));
      return cold === undefined ? undefined : 'miss';
    },
    /** The server was removed, or has come up again, perhaps on another machine. */
    forgetServer: (server: string): void => void coldMsPerToken.delete(server),
  };
}
