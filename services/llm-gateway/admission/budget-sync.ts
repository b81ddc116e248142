import { withTimeout } from '@maw/async/timeout.ts';
import type { BudgetUsage, UsageTotal } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Budget, MAX_ACCOUNTS, type OwnUsage } from './token-account.ts';

const KINDS = ['game', 'tenant'] as const;
type Kind = (typeof KINDS)[number];

/** Called with what this process has used of an account. */
export type UsageListeners = { readonly [kind in Kind]: (who: string, usage: OwnUsage) => void };

export type BudgetSync = ReturnType<typeof budgetSync>;

interface Parts {
  readonly ledger: BudgetUsage;
  budgets(): { readonly [kind in Kind]: Budget };
  readonly log: Log;
  now(): number;
}

const SYNC_EVERY_MS = 1_000;
/** Usage of others may be so old; on standby it gets older, and is read before the first request is admitted. */
const FRESH_MS = 10_000;
const READ_EVERY_MS = 5_000;
/** How long a request waits for the ledger, and how long all requests do without it after a failure. */
const WAIT_MS = 2_000;
const BLIND_MS = 15_000;
const CLOSE_MS = 3_000;
/** Without a request for this long, nothing is read. */
const IDLE_MS = 60_000;
/** How far clocks may differ, the time of a write included. */
const CLOCK_MARGIN_MS = 600_000;
/** Accounts without writes for this long are deleted, debts too. */
const RETENTION_MS = 31 * 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_BATCH = 10_000;
const WRITE_BATCH = 500;
const MAX_PENDING = 2 * MAX_ACCOUNTS;

interface State extends Parts {
  readonly writer: string;
  /** Unwritten totals; the oldest are dropped above the bound. */
  readonly pending: Map<string, UsageTotal>;
  readAt: number;
  failedAt: number;
  /** When a request last gave up waiting for the ledger. */
  blindAt: number;
  requestedAt: number;
  sweptAt: number;
  isReachable: boolean;
  reading: Promise<void> | undefined;
}

/** Synchronises the budgets of one process with a ledger that outlives it. */
export function budgetSync(parts: Parts) {
  const state: State = {
    ...parts,
    writer: crypto.randomUUID(),
    pending: new Map(),
    readAt: -Infinity,
    failedAt: -Infinity,
    blindAt: -Infinity,
    requestedAt: -Infinity,
    sweptAt: -Infinity,
    isReachable: true,
    reading: undefined,
  };
  let syncing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const sync = (): Promise<void> => (syncing ??= syncOnce(state).finally(() => (syncing = undefined)));
  const timer = setInterval(() => void sync(), SYNC_EVERY_MS);
  timer.unref();
  return {
    usage: {
      game: (who, usage) => addPending(state, 'game', who, usage),
      tenant: (who, usage) => addPending(state, 'tenant', who, usage),
    } satisfies UsageListeners,
    /** What a request has to wait for before budgets are applied; undefined: they are fresh enough. Takes at most two seconds; never rejects. */
    ensureFresh(): Promise<void> | undefined {
      if (!hasLimits(state)) return undefined;
      state.requestedAt = state.now();
      if (!isOlder(state, FRESH_MS, state.readAt) || !isOlder(state, BLIND_MS, state.blindAt)) return undefined;
      return withTimeout(WAIT_MS, read(state), { onTimeout: () => void (state.blindAt = state.now()) });
    },
    /** Writes changes and reads those of others when it is time. Called once a second; never rejects. */
    sync,
    /** Whether the last access succeeded. */
    get isLedgerReachable() {
      return state.isReachable;
    },
    /** Accounts that have changed since the last write. */
    get pendingWrites() {
      return state.pending.size;
    },
    /** Writes what is left, for at most three seconds. Idempotent. */
    close: (): Promise<void> =>
      (closing ??= (async () => {
        clearInterval(timer);
        await withTimeout(
          CLOSE_MS,
          Promise.resolve(syncing).then(() => write(state)),
          { onTimeout: () => undefined },
        );
        if (state.pending.size > 0) state.log.warn({ accounts: state.pending.size }, 'the last use of budgets could not be written');
      })()),
  };
}

const hasLimits = ({ budgets }: State): boolean => KINDS.some((kind) => budgets()[kind].limit > 0);
/** The distance counts both ways: a clock may be set back. */
const isOlder = ({ now }: State, ms: number, at: number): boolean => Math.abs(now() - at) > ms;

function addPending({ pending }: State, kind: Kind, who: string, { period, used, carried, most }: OwnUsage): void {
  if (who.includes('\0') || !who.isWellFormed()) return; // databases refuse such names
  const key = `${kind} ${period} ${who}`;
  pending.delete(key);
  pending.set(key, { kind, who, period, used: Math.ceil(used), carried: Math.ceil(carried), most });
  if (pending.size > MAX_PENDING) pending.delete(pending.keys().next().value!);
}

/** Accesses the ledger. Resolves to whether that succeeded. */
async function access(state: State, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    if (!state.isReachable) state.log.info({ unwritten: state.pending.size }, 'the budget database is reachable again');
    state.isReachable = true;
  } catch (error) {
    state.failedAt = state.now();
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
  const { ledger, budgets, now, writer } = state;
  const at = now();
  const since = Math.floor(Math.max(at - RETENTION_MS, state.readAt - CLOCK_MARGIN_MS));
  const isRead = await access(state, async () => {
    for (const kind of KINDS) {
      const usage = await ledger.list(kind, { since, limit: MAX_ACCOUNTS, except: writer });
      for (const one of usage.toReversed()) budgets()[kind].learn(one.who, now(), one);
    }
  });
  if (isRead) state.readAt = at;
  state.blindAt = isRead ? -Infinity : now();
}

async function write(state: State): Promise<void> {
  const { ledger, pending, writer, now } = state;
  for (let left = pending.size; left > 0; left -= WRITE_BATCH) {
    const batch = [...pending].slice(0, Math.min(left, WRITE_BATCH));
    const totals = batch.map(([, total]) => total);
    if (!(await access(state, () => ledger.record(writer, now(), totals)))) return;
    // A total that has grown meanwhile is another object under the same key.
    for (const [key, total] of batch) if (pending.get(key) === total) pending.delete(key);
  }
}

async function sweep(state: State): Promise<void> {
  if (!isOlder(state, SWEEP_EVERY_MS, state.sweptAt)) return;
  state.sweptAt = state.now();
  await access(state, async () => void (await state.ledger.prune(state.now() - RETENTION_MS, SWEEP_BATCH)));
}

async function syncOnce(state: State): Promise<void> {
  const mayAccess = (): boolean => isOlder(state, READ_EVERY_MS, state.failedAt);
  if (!mayAccess()) return;
  if (state.pending.size > 0) await write(state);
  if (!mayAccess() || !hasLimits(state) || isOlder(state, IDLE_MS, state.requestedAt)) return;
  if (isOlder(state, READ_EVERY_MS, state.readAt)) await read(state);
  if (state.isReachable) await sweep(state);
}
