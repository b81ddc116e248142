import type { UsageTotal } from '@maw/store/ports/budget-usage.ts';

export type Budget = ReturnType<typeof budget>;

/** What a ledger knows of an account in one period: the tokens used in all, and by other processes. */
type LedgerUsage = Omit<UsageTotal, 'kind' | 'who'> & { readonly others: number };

/** What this process has used of an account in a period. */
export type OwnUsage = Omit<UsageTotal, 'kind' | 'who'>;

const DAY = 86_400_000;
export const MAX_ACCOUNTS = 20_000;

interface Account {
  period: number;
  /** The debt at the beginning of the period. */
  carried: number;
  /** Used by this process, and by others. */
  own: number;
  others: number;
  reserved: number;
}

const usedOf = ({ carried, own, others }: Account): number => carried + own + others;

/**
 * Token budgets of accounts: reserved before a request, settled after it. Times are passed in, in milliseconds.
 * @param limit tokens; 0: unlimited
 * @param isDaily whether it starts anew each day (UTC); a debt is carried over
 * @param onUsage called with what this process has used of an account, whenever that grows while there is a limit
 */
export function budget(limit: number, isDaily: boolean, onUsage?: (who: string, usage: OwnUsage) => void) {
  const ledger = accountBook(limit, isDaily);
  return {
    /** Reserves tokens. Returns how to settle with the tokens used (0 returns all), once; undefined when not enough is left. */
    reserve(who: string, at: number, tokens: number): ((used: number) => void) | undefined {
      if (ledger.left(who, at) < tokens) return undefined;
      const account = ledger.account(who, at);
      account.reserved += tokens;
      let isSettled = false;
      return (used) => {
        if (isSettled) return;
        isSettled = true;
        account.reserved -= tokens;
        account.own += used;
        const { period, carried, own } = account;
        if (used > 0 && ledger.limit > 0) onUsage?.(who, { period, used: own, carried, most: ledger.limit });
      };
    },
    /** Tokens left; negative when overspent, Infinity when unlimited. */
    left: ledger.left,
    /** When `tokens` would be admitted, in milliseconds from now; undefined: never by waiting. */
    retryAfterMs(who: string, at: number, tokens: number): number | undefined {
      if (ledger.left(who, at) >= tokens) return 0;
      if (!isDaily || tokens > ledger.limit) return undefined;
      const account = ledger.account(who, at);
      const days = Math.max(1, Math.ceil((usedOf(account) + account.reserved + tokens) / ledger.limit) - 1);
      return days * DAY - (at % DAY);
    },
    /** Changes the limit. 0: unlimited. */
    setLimit: (next: number): void => void (ledger.limit = next),
    /** Tokens overspent by all accounts together; what others have left does not count against it. */
    debt(at: number): number {
      const period = isDaily ? Math.floor(at / DAY) : 0;
      let sum = 0;
      if (ledger.limit > 0) for (const account of ledger.values()) sum += Math.max(0, ledger.usedIn(period, account) - ledger.limit);
      return sum;
    },
    /** Merges what a ledger knows of an account. Idempotent; never lowers anything. */
    learn(who: string, at: number, usage: LedgerUsage): void {
      if (isDaily && usage.period * DAY > at + DAY) return; // a wrong clock must not end all days
      const account = ledger.account(who, isDaily ? Math.max(at, usage.period * DAY) : at); // another machine may be in the next day already
      mergeUsage(account, usage, ledger.limit);
    },
    /** Accounts that have used or reserved something, the one with the least left first; none when unlimited. */
    accounts(at: number, count: number) {
      const all = ledger.names().map((who) => ({ who, left: ledger.left(who, at), used: usedOf(ledger.account(who, at)) }));
      const used = all.filter(({ left }) => left < ledger.limit && ledger.limit > 0);
      return used.toSorted((a, b) => a.left - b.left).slice(0, count);
    },
    get limit() {
      return ledger.limit;
    },
    /** Tokens reserved by all accounts. */
    get reserved() {
      return ledger.values().reduce((sum, { reserved }) => sum + reserved, 0);
    },
  };
}

function mergeUsage(account: Account, { period, used, others, carried, most }: LedgerUsage, limit: number): void {
  const days = account.period - period;
  if (days === 0) account.others = Math.max(account.others, others);
  const owed = days === 0 ? carried : limit === 0 ? 0 : carried + used - most - limit * (days - 1);
  account.carried = Math.max(account.carried, owed);
}

/** The accounts, the least recently used first. */
function accountBook(limit: number, isDaily: boolean) {
  const accounts = new Map<string, Account>();
  let newest: string | undefined;
  const book = { limit, account, usedIn, left, names: () => [...accounts.keys()], values: () => [...accounts.values()] };

  function account(who: string, at: number): Account {
    const period = isDaily ? Math.floor(at / DAY) : 0;
    const known = accounts.get(who);
    if (!known && accounts.size >= MAX_ACCOUNTS) evict();
    const found = known ?? { period, carried: 0, own: 0, others: 0, reserved: 0 };
    if (!known || who !== newest) {
      accounts.delete(who);
      accounts.set(who, found);
      newest = who;
    }
    if (found.period < period) Object.assign(found, { period, carried: usedIn(period, found), own: 0, others: 0 });
    return found;
  }

  /** What counts in `period` of an account that may be of an earlier one. */
  function usedIn(period: number, found: Account): number {
    if (found.period >= period) return usedOf(found);
    return book.limit > 0 ? Math.max(0, usedOf(found) - book.limit * (period - found.period)) : 0;
  }

  /** Forgets the least recently used account without a reservation. */
  function evict(): void {
    for (const [who, { reserved }] of accounts) if (reserved === 0) return void accounts.delete(who);
  }

  function left(who: string, at: number): number {
    if (book.limit === 0) return Infinity;
    const found = account(who, at);
    return book.limit - usedOf(found) - found.reserved;
  }

  return book;
}
