import type { BudgetUsage, UsageTotal } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Budget, MOST_KNOWN } from './budget.ts';

const KINDS = ['game', 'tenant'] as const;
type Kind = (typeof KINDS)[number];
type Spent = Omit<UsageTotal, 'kind' | 'who'>;

/** Who hears of what was used of the accounts of a kind: totals of this process. */
export type Spend = (kind: Kind) => (who: string, spent: Spent) => void;

/** Keeps the budgets of one process in step with a ledger that outlives it. */
export interface Books {
  readonly spend: Spend;
  /** What a request waits for before a budget is asked; undefined when enough is known. It ends within two seconds and never rejects. */
  known(): Promise<void> | undefined;
  /** Writes what has changed and reads what others have written, as far as it is time for it. Done once a second; never rejects. */
  beat(): Promise<void>;
  /** Whether the ledger could be reached when it was last tried. */
  readonly isReached: boolean;
  /** Accounts that have changed since they were last written. */
  readonly unwritten: number;
  /** Writes what is left, for as long as three seconds. Twice does no harm. */
  close(): Promise<void>;
}

interface Parts {
  readonly ledger: BudgetUsage;
  budgets(): { readonly [kind in Kind]: Budget };
  readonly log: Log;
  now(): number;
}

const BEAT_MS = 1_000;
/** How old it may be what is known of others: older for one that has stood by, which reads it anew before it lets anything in. */
const FRESH_MS = 10_000;
const READ_EVERY_MS = 5_000;
/** How long a request waits for the ledger, and how long all of them do without it after that. */
const WAIT_MS = 2_000;
const BLIND_MS = 15_000;
const CLOSE_MS = 3_000;
/** Who asked nothing for so long needs to know nothing. */
const IDLE_MS = 60_000;
/** How far clocks of gateways may lie apart, and how long a writing may take. */
const MARGIN_MS = 600_000;
/** What nobody has written to for so long is forgotten, debts too. */
const KEPT_MS = 31 * 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
const MOST_SWEPT = 10_000;
const MOST_AT_ONCE = 500;
const MOST_UNWRITTEN = 2 * MOST_KNOWN;

export function booksOf({ ledger, budgets, log, now }: Parts): Books {
  const writer = crypto.randomUUID();
  const changed = new Map<string, UsageTotal>();
  let [readAt, failedAt, blindAt, askedAt, sweptAt] = [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity];
  let reading: Promise<void> | undefined;
  let beating: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isReached = true;

  const isBounded = (): boolean => KINDS.some((kind) => budgets()[kind].most > 0);
  const isOlder = (than: number, at: number): boolean => Math.abs(now() - at) > than; // a clock may be set back

  /** Resolves to whether it was done. */
  async function tried(does: () => Promise<void>): Promise<boolean> {
    try {
      await does();
      if (!isReached) log.info({ unwritten: changed.size }, 'the ledger of budgets is there again');
      isReached = true;
    } catch (error) {
      failedAt = now();
      if (isReached) log.warn({ err: error }, 'the ledger of budgets cannot be reached: until it can, budgets go by what is known here');
      isReached = false;
    }
    return isReached;
  }

  async function readAll(): Promise<void> {
    const at = now();
    const since = Math.max(at - KEPT_MS, readAt - MARGIN_MS);
    const isRead = await tried(async () => {
      for (const kind of KINDS) {
        const found = await ledger.list(kind, { since: Math.floor(since), limit: MOST_KNOWN, except: writer });
        for (const one of found.toReversed()) budgets()[kind].learn(one.who, now(), one);
      }
    });
    if (isRead) readAt = at;
    blindAt = isRead ? -Infinity : now();
  }

  const read = (): Promise<void> => (reading ??= readAll().finally(() => (reading = undefined)));

  async function write(): Promise<void> {
    for (let left = changed.size; left > 0; left -= MOST_AT_ONCE) {
      const some = [...changed].slice(0, Math.min(left, MOST_AT_ONCE));
      const tallies = some.map(([, tally]) => tally);
      if (!(await tried(() => ledger.record(writer, now(), tallies)))) return;
      // What has grown meanwhile is another one under the same key.
      for (const [key, tally] of some) if (changed.get(key) === tally) changed.delete(key);
    }
  }

  async function sweep(): Promise<void> {
    if (!isOlder(SWEEP_EVERY_MS, sweptAt)) return;
    sweptAt = now();
    await tried(async () => void (await ledger.prune(now() - KEPT_MS, MOST_SWEPT)));
  }

  async function beatOnce(): Promise<void> {
    if (!isOlder(READ_EVERY_MS, failedAt)) return;
    if (changed.size > 0) await write();
    if (!isOlder(READ_EVERY_MS, failedAt) || !isBounded() || isOlder(IDLE_MS, askedAt)) return;
    if (isOlder(READ_EVERY_MS, readAt)) await read();
    if (isReached) await sweep();
  }

  const beat = (): Promise<void> => (beating ??= beatOnce().finally(() => (beating = undefined)));
  const timer = setInterval(() => void beat(), BEAT_MS);
  timer.unref();

  return {
    spend:
      (kind) =>
      (who, { period, used, carried, most }) => {
        if (who.includes('\0') || !who.isWellFormed()) return; // no database keeps such a name
        const key = `${kind} ${period} ${who}`;
        changed.delete(key);
        changed.set(key, { kind, who, period, used: Math.ceil(used), carried: Math.ceil(carried), most });
        if (changed.size > MOST_UNWRITTEN) changed.delete(changed.keys().next().value!);
      },
    known() {
      if (!isBounded()) return undefined;
      askedAt = now();
      if (!isOlder(FRESH_MS, readAt) || !isOlder(BLIND_MS, blindAt)) return undefined;
      return within(WAIT_MS, read(), () => (blindAt = now()));
    },
    beat,
    get isReached() {
      return isReached;
    },
    get unwritten() {
      return changed.size;
    },
    close: () => (closing ??= end()),
  };

  async function end(): Promise<void> {
    clearInterval(timer);
    await within(CLOSE_MS, Promise.resolve(beating).then(write));
    if (changed.size > 0) log.warn({ accounts: changed.size }, 'what was used of budgets at last could not be written');
  }
}

/** Resolves when `what` does, at the latest after so many milliseconds, and says that it was too late. */
async function within(ms: number, what: Promise<void>, late?: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => (late?.(), resolve()), ms);
  await Promise.race([what, promise]);
  clearTimeout(timer);
}
