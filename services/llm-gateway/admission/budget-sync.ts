import { LRUCache } from 'lru-cache';
import { withTimeout } from '@maw/async/timeout.ts';
import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Budget, MAX_ACCOUNTS } from './token-account.ts';

const KINDS = ['game', 'tenant', 'key'] as const;
type Kind = (typeof KINDS)[number];

/** Called with an account that has used something. */
export type UsageListener = (kind: Kind, who: string) => void;

export type BudgetSync = ReturnType<typeof budgetSync>;

interface Parts {
  readonly ledger: BudgetUsage;
  budgets(): { readonly [kind in Kind]: Budget };
  readonly log: Log;
  now(): number;
}

/** After this long without a request another gateway may have been the leader, so what is stored is read again. */
const SILENCE_MS = 10_000;
/** How long a request waits for that. */
const WAIT_MS = 2_000;
/** How often failed reads and writes are repeated. */
const RETRY_EVERY_MS = 5_000;
const CLOSE_MS = 3_000;
/** How far clocks may differ, the time of a write included. */
const CLOCK_MARGIN_MS = 600_000;
/** Accounts without writes for this long are deleted, debts too. */
const RETENTION_MS = 31 * 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;
const WRITE_BATCH = 500;

interface State extends Parts {
  /** Accounts with unwritten usage. */
  readonly pending: LRUCache<string, { readonly kind: Kind; readonly who: string }>;
  /** `stale`: read before the next request. `unread`: that failed, so requests go on without, and it is repeated in the background. */
  freshness: 'stale' | 'fresh' | 'unread';
  reading: Promise<void> | undefined;
  readAt: number;
  prunedAt: number;
  isReachable: boolean;
}

/** Stores what the leader knows of budgets after each request, and reads it when it starts or takes over. */
export function budgetSync(parts: Parts) {
  const state: State = {
    ...parts,
    pending: new LRUCache({ max: 2 * MAX_ACCOUNTS }),
    freshness: 'stale',
    reading: undefined,
    readAt: -Infinity,
    prunedAt: -Infinity,
    isReachable: true,
  };
  let requestedAt = -Infinity;
  let writing: Promise<void> | undefined;
  let retrying: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const write = (): Promise<void> => (writing ??= writePending(state).finally(() => (writing = undefined)));
  const markUsed = (kind: Kind, who: string): void => {
    if (who.includes('\0') || !who.isWellFormed()) return; // databases refuse such names
    state.pending.set(`${kind} ${who}`, { kind, who });
    if (state.isReachable) void write();
  };
  const retryOnce = async (): Promise<void> => {
    if (state.freshness === 'unread') await read(state);
    await write();
    await prune(state);
  };
  const retry = (): Promise<void> => (retrying ??= retryOnce().finally(() => (retrying = undefined)));
  const timer = setInterval(() => void retry(), RETRY_EVERY_MS);
  timer.unref();
  return {
    usage: markUsed satisfies UsageListener,
    /** What a request has to wait for before budgets are applied; undefined: nothing. Takes at most two seconds; never rejects. */
    ensureFresh(): Promise<void> | undefined {
      if (!KINDS.some((kind) => state.budgets()[kind].isLimited)) return undefined;
      const at = state.now();
      if (Math.abs(at - requestedAt) > SILENCE_MS) state.freshness = 'stale'; // a clock may be set back
      requestedAt = at;
      if (state.freshness !== 'stale') return undefined;
      const reading = read(state);
      void reading.then(write);
      return withTimeout(WAIT_MS, reading, { onTimeout: () => void (state.freshness = 'unread') });
    },
    /** Repeats what has failed, and deletes what is old. Called every five seconds; never rejects. */
    retry,
    /** Whether the last access succeeded. */
    get isLedgerReachable() {
      return state.isReachable;
    },
    /** Accounts that have changed since they were written. */
    get pendingWrites() {
      return state.pending.size;
    },
    /** Writes what is left, for at most three seconds. Idempotent. */
    close(): Promise<void> {
      clearInterval(timer);
      return (closing ??= writeLast(state, Promise.resolve(writing).then(retry)));
    },
  };
}

async function writeLast({ pending, log }: State, writing: Promise<void>): Promise<void> {
  await withTimeout(CLOSE_MS, writing, { onTimeout: () => undefined });
  if (pending.size > 0) log.warn({ accounts: pending.size }, 'the tokens last used by some accounts are not in the budget database');
}

/** Accesses the ledger. Resolves to whether that succeeded. */
async function access(state: State, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    if (!state.isReachable) state.log.info({ unwritten: state.pending.size }, 'the budget database is reachable again');
    state.isReachable = true;
  } catch (error) {
    if (state.isReachable)
      state.log.warn({ err: error }, 'the budget database is unreachable; budgets count only this process until it is back');
    state.isReachable = false;
  }
  return state.isReachable;
}

function read(state: State): Promise<void> {
  return (state.reading ??= readUsage(state).finally(() => (state.reading = undefined)));
}

async function readUsage(state: State): Promise<void> {
  const { ledger, budgets, now } = state;
  const at = now();
  const since = Math.floor(Math.max(at - RETENTION_MS, state.readAt - CLOCK_MARGIN_MS));
  const isRead = await access(state, async () => {
    for (const kind of KINDS) {
      const accounts = await ledger.list(kind, { since, limit: MAX_ACCOUNTS });
      for (const { who, ...usage } of accounts.toReversed()) budgets()[kind].learn(who, now(), usage);
    }
  });
  if (isRead) state.readAt = at;
  state.freshness = isRead ? 'fresh' : 'unread';
}

/** Writes nothing unless it has read what is stored: a total without that would be too low. */
async function writePending(state: State): Promise<void> {
  const { ledger, budgets, pending, now } = state;
  while (pending.size > 0 && state.freshness === 'fresh') {
    const batch = [...pending.entries()].slice(0, WRITE_BATCH);
    const totals = batch.flatMap(([, { kind, who }]) => {
      const usage = budgets()[kind].startWrite(who);
      return usage ? [{ kind, who, ...usage }] : [];
    });
    if (!(await access(state, () => ledger.record(now(), totals)))) return;
    // An account that has used more meanwhile is another object under the same key.
    for (const [key, account] of batch) if (pending.peek(key) === account) pending.delete(key);
  }
}

async function prune(state: State): Promise<void> {
  const { ledger, freshness, isReachable, now } = state;
  if (freshness !== 'fresh' || !isReachable || Math.abs(now() - state.prunedAt) < PRUNE_EVERY_MS) return;
  state.prunedAt = now();
  await access(state, () => ledger.prune(now() - RETENTION_MS));
}
