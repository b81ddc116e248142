import { withTimeout } from '@maw/async/timeout.ts';
import { addUsage, sumUsage } from '@maw/store/memory/llm-usage.ts';
import type { LlmUsage, UsageCounts, UsageEntry, UsageQuery, UsageSum } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type EndReason, type LlmRequest, slotMs, usedTokens } from '../request.ts';

export type UsageCounter = ReturnType<typeof usageCounter>;

interface Parts {
  /** Undefined: what is counted stays in memory. */
  readonly store: LlmUsage | undefined;
  /** Unique for each gateway: it numbers its batches by itself. */
  readonly writer: string;
  readonly log: Log;
  now(): number;
}

const HOUR_MS = 3_600_000;
/** How often counts are written: what a killed process loses. */
const WRITE_EVERY_MS = 5_000;
const CLOSE_MS = 3_000;
const WRITE_BATCH = 2_000;
/** Beyond it the oldest are forgotten. */
const MAX_ENTRIES = 100_000;
/** How long after an hour other gateways may still write what it used. */
const SETTLED_MS = 60_000;
/** Names in the metric, of keys and of recipes each. */
const MAX_NAMES = 100;

/** Counts what requests use, and writes it every few seconds. */
export function usageCounter(parts: Parts) {
  const { store, log, now } = parts;
  /** What no batch has yet. */
  const pending = new Map<string, UsageEntry>();
  const writing = store && batchWriter(store, pending, parts);
  let shownUntil = 0;

  /** Sums what was used, after writing what is counted. @throws what the database throws */
  async function list(query: UsageQuery, limit: number): Promise<readonly UsageSum[]> {
    await writing?.write();
    if (store) return store.list(query, limit);
    if ('table' in query) return []; // nobody here knows whether it is over
    const end = Math.min(query.to, Math.floor(now() / HOUR_MS));
    const entries = [...pending.values()].filter(({ hour }) => hour >= query.from && hour < end);
    return sumUsage(entries, query.by).slice(0, limit);
  }

  async function everyFewSeconds(): Promise<void> {
    await writing?.write();
    const to = Math.floor((now() - SETTLED_MS) / HOUR_MS);
    if (to !== shownUntil) await showTokens(list, to);
    shownUntil = to;
  }
  const onError = (err: unknown): void => log.debug({ err }, 'the use of models cannot be read');
  const timer = setInterval(() => void everyFewSeconds().catch(onError), WRITE_EVERY_MS);
  timer.unref();

  return {
    /** Counts a request that has ended. @param reason undefined: another gateway goes on with it, and counts it */
    count(request: LlmRequest, reason: EndReason | undefined, model: string, at: number): void {
      if (!request.grant) return; // it was refused, or answered from a recording
      const entry = { ...nameOf(request), ...countsOf(request, reason, at), hour: Math.floor(at / HOUR_MS), model };
      addUsage(pending, `${entry.hour}\n${entry.key}\n${model}\n${entry.recipe}\n${entry.table}\n${entry.seat}`, entry);
      if (pending.size > MAX_ENTRIES) pending.delete(pending.keys().next().value!);
    },
    list,
    /** Writes what is left, for at most three seconds. */
    async close(): Promise<void> {
      clearInterval(timer);
      await writing?.close();
    },
  };
}

/** Writes what is pending in batches. A batch stays as it is until it is known to be written, so that it counts once. */
function batchWriter(store: LlmUsage, pending: Map<string, UsageEntry>, { writer, log }: Pick<Parts, 'writer' | 'log'>) {
  let batch: readonly UsageEntry[] = [];
  let number = 0;
  let isReachable = true;
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    try {
      while (batch.length + pending.size > 0) {
        if (batch.length === 0) {
          const taken = [...pending].slice(0, WRITE_BATCH);
          for (const [id] of taken) pending.delete(id);
          batch = taken.map(([, entry]) => entry);
          number++;
        }
        await store.add(writer, number, batch);
        batch = [];
        if (!isReachable) log.info('the use of models is written again');
        isReachable = true;
      }
    } catch (error) {
      if (isReachable) log.warn({ err: error }, 'the use of models cannot be written; it is kept in memory and tried again');
      isReachable = false;
    }
  }
  const write = (): Promise<void> => (writing ??= writeAll().finally(() => (writing = undefined)));
  return {
    write,
    async close(): Promise<void> {
      await withTimeout(CLOSE_MS, Promise.resolve(writing).then(write), { onTimeout: () => undefined });
      const entries = batch.length + pending.size;
      if (entries > 0) log.warn({ entries }, 'what was last used of models is not in the database');
    },
  };
}

/** Exports the tokens of the 24 hours before one: what a counter gains at once tells when seats of tables that run are asked. */
async function showTokens(list: LlmUsage['list'], to: number): Promise<void> {
  const of = (by: 'key' | 'recipe') => list({ from: to - 24, to, by: [by] }, MAX_ENTRIES);
  const found = { key: await of('key'), recipe: await of('recipe') };
  metrics.usedTokens.reset();
  for (const [by, sums] of Object.entries(found)) {
    const tokens = sums.map(({ key, recipe, prompt, completion }) => ({ name: (key ?? recipe) || 'none', used: prompt + completion }));
    for (const [n, { name, used }] of tokens.toSorted((a, b) => b.used - a.used).entries())
      metrics.usedTokens.inc({ by, of: n < MAX_NAMES ? name : 'other' }, used);
  }
}

function countsOf(request: LlmRequest, reason: EndReason | undefined, at: number): UsageCounts {
  const used = usedTokens(request);
  const completion = request.attempts.reduce((sum, attempt) => sum + attempt.generatedTokens, 0);
  const [requests, failures] = [reason ? 1 : 0, reason && reason !== 'done' ? 1 : 0];
  return { requests, failures, prompt: used - completion, completion, ms: Math.round(slotMs(request, at)) };
}

/** Who is charged. A seat of a table has a recipe, which is the first part of the kind. */
function nameOf({ payer: key, message: { source, subject, data } }: LlmRequest): Pick<UsageEntry, 'key' | 'recipe' | 'table' | 'seat'> {
  if (source !== 'player') return { key, recipe: '', table: '', seat: '' };
  const seat = data.agent.startsWith(`${subject}:`) ? data.agent.slice(subject.length + 1) : data.agent;
  return { key, recipe: 'kind' in data ? data.kind.split('/', 1)[0]! : '', table: subject, seat };
}
