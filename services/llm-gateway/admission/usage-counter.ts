import { withTimeout } from '@maw/async/timeout.ts';
import { addTo } from '@maw/store/memory/llm-usage.ts';
import type { LlmUsage, UsageEntry, UsageQuery, UsageSum } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type EndReason, type LlmRequest, slotMs } from '../request.ts';

export type UsageCounter = ReturnType<typeof usageCounter>;

interface Parts {
  readonly usage: LlmUsage;
  /** Unique for each gateway: another one counts its batches by itself. */
  readonly writer: string;
  readonly log: Log;
  now(): number;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** How often counts are written: what a killed process loses. */
const WRITE_EVERY_MS = 5_000;
const CLOSE_MS = 3_000;
const WRITE_BATCH = 2_000;
/** How long after an hour other gateways may still write what it used. */
const SETTLED_MS = 60_000;
/** Names in the metric, of keys and of recipes each. */
const MAX_NAMES = 100;

interface State extends Parts {
  /** What no batch has yet. */
  readonly pending: Map<string, UsageEntry>;
  /** What is being written, with its number. It stays the same until it is known to be written, so that it counts once. */
  batch: { readonly number: number; readonly entries: readonly UsageEntry[] };
  isReachable: boolean;
  /** The hour before which the metric shows a day. */
  shownUntil: number;
}

/** Counts what requests use, and writes it every few seconds. */
export function usageCounter(parts: Parts) {
  const state: State = { ...parts, pending: new Map(), batch: { number: 0, entries: [] }, isReachable: true, shownUntil: 0 };
  let writing: Promise<void> | undefined;
  const write = (): Promise<void> => (writing ??= writePending(state).finally(() => (writing = undefined)));
  const timer = setInterval(() => void write().then(() => show(state)), WRITE_EVERY_MS);
  timer.unref();
  let closing: Promise<void> | undefined;
  return {
    /** Counts a request that was admitted and has ended. @param reason undefined: another gateway goes on with it, and counts it */
    count(request: LlmRequest, reason: EndReason | undefined, model: string, at: number): void {
      if (!request.grant) return;
      const { attempts } = request;
      const entry = {
        ...nameOf(request),
        hour: Math.floor(at / HOUR_MS),
        model,
        requests: reason ? 1 : 0,
        failures: reason && reason !== 'done' ? 1 : 0,
        promptTokens: attempts.reduce((sum, attempt) => sum + attempt.usedTokens - attempt.generatedTokens, 0),
        generatedTokens: attempts.reduce((sum, attempt) => sum + attempt.generatedTokens, 0),
        slotMs: Math.round(slotMs(request, at)),
      };
      addTo(state.pending, `${entry.hour}\n${entry.key}\n${model}\n${entry.recipe}\n${entry.table}\n${entry.seat}`, entry);
    },
    /** Lists what was used, after writing what is counted. @throws what the database throws */
    async list(query: UsageQuery, limit: number): Promise<readonly UsageSum[]> {
      await write();
      return state.usage.list(query, limit);
    },
    /** Writes what is left, for at most three seconds. Idempotent. */
    close(): Promise<void> {
      clearInterval(timer);
      return (closing ??= writeLast(state, Promise.resolve(writing).then(write)));
    },
  };
}

/** Who is charged. A seat of a table has a recipe, which is the first part of the kind. */
function nameOf({ key, message }: LlmRequest): Pick<UsageEntry, 'key' | 'recipe' | 'table' | 'seat'> {
  const { source, subject: table, data } = message;
  if (source !== 'player') return { key, recipe: '', table: '', seat: '' };
  const { kind = '' } = data;
  const seat = data.agent.startsWith(`${table}:`) ? data.agent.slice(table.length + 1) : data.agent;
  return { key, recipe: kind.split('/', 1)[0]!, table, seat };
}

async function writePending(state: State): Promise<void> {
  const { usage, writer, pending, log } = state;
  try {
    while (state.batch.entries.length + pending.size > 0) {
      if (state.batch.entries.length === 0) {
        const taken = [...pending].slice(0, WRITE_BATCH);
        for (const [id] of taken) pending.delete(id);
        state.batch = { number: state.batch.number + 1, entries: taken.map(([, entry]) => storable(entry)) };
      }
      await usage.add(writer, state.batch.number, state.batch.entries);
      state.batch = { ...state.batch, entries: [] };
      if (!state.isReachable) log.info('the use of models is written again');
      state.isReachable = true;
    }
  } catch (error) {
    if (state.isReachable) log.warn({ err: error }, 'the use of models cannot be written; it is kept in memory and tried again');
    state.isReachable = false;
  }
}

/** Databases refuse U+0000 and lone surrogates. */
const storable = (entry: UsageEntry): UsageEntry => {
  const clean = Object.entries(entry).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  ]);
  return Object.fromEntries(clean) as UsageEntry;
};

async function writeLast(state: State, writing: Promise<void>): Promise<void> {
  await withTimeout(CLOSE_MS, writing, { onTimeout: () => undefined });
  const lost = state.batch.entries.length + state.pending.size;
  if (lost > 0) state.log.warn({ entries: lost }, 'what was last used of models is not in the database');
}

/** Exports the tokens of the last 24 hours that are over, once an hour: what an hour of a table that runs has used tells when its seats ask. */
async function show(state: State): Promise<void> {
  const { usage, log, now } = state;
  const to = Math.floor((now() - SETTLED_MS) / HOUR_MS);
  if (to === state.shownUntil) return;
  try {
    const found = await Promise.all(
      (['key', 'recipe'] as const).map(async (by) => ({ by, sums: await usage.list({ from: to - DAY_HOURS, to, by: [by] }, 10_000) })),
    );
    metrics.usedTokens.reset();
    for (const { by, sums } of found) {
      const tokens = sums.map((sum) => [sum[by]!, sum.promptTokens + sum.generatedTokens] as const).toSorted(([, a], [, b]) => b - a);
      for (const [n, [name, used]] of tokens.entries())
        metrics.usedTokens.inc({ by, name: n < MAX_NAMES ? name || 'none' : 'other' }, used);
    }
    state.shownUntil = to;
  } catch (error) {
    log.debug({ err: error }, 'the use of models cannot be read');
  }
}
