import { LRUCache } from 'lru-cache';
import type { AccountUsage } from '@maw/store/ports/budget-usage.ts';

export type Budget = ReturnType<typeof budget>;

/** The tokens used of an account in a period, the debt of earlier periods included, and the budget of the period. */
type Usage = Omit<AccountUsage, 'kind' | 'who'>;

const DAY = 86_400_000;
export const MAX_ACCOUNTS = 20_000;

interface Account {
  period: number;
  /** With the debt at the beginning of the period. */
  used: number;
  /** The part of `used` that no write has contained yet. */
  unwritten: number;
  reserved: number;
}

/**
 * Token budgets of accounts: reserved before a request, settled after it. Times are passed in, in milliseconds.
 * @param limit tokens of every account without one of its own; 0: unlimited
 * @param isDaily whether it starts anew each day (UTC); a debt is carried over
 * @param onUsage called whenever an account has used something while there is a limit
 */
export function budget(limit: number, isDaily: boolean, onUsage?: (who: string) => void) {
  const book = accountBook(limit, isDaily);
  return {
    /** Reserves tokens. Returns how to settle with the tokens used (0 returns all), once; undefined when not enough is left. */
    reserve(who: string, at: number, tokens: number): ((used: number) => void) | undefined {
      if (book.left(who, at) < tokens) return undefined;
      const account = book.account(who, at);
      account.reserved += tokens;
      let isSettled = false;
      return (used) => {
        if (isSettled) return;
        isSettled = true;
        account.reserved -= tokens;
        account.used += used;
        account.unwritten += used;
        if (used > 0 && book.limitOf(who) > 0) onUsage?.(who);
      };
    },
    /** Tokens left; negative when overspent, Infinity when unlimited. */
    left: book.left,
    /** When `tokens` would be admitted, in milliseconds from now; undefined: never by waiting. */
    retryAfterMs(who: string, at: number, tokens: number): number | undefined {
      if (book.left(who, at) >= tokens) return 0;
      const most = book.limitOf(who);
      if (!isDaily || tokens > most) return undefined;
      const { used, reserved } = book.account(who, at);
      const days = Math.max(1, Math.ceil((used + reserved + tokens) / most) - 1);
      return days * DAY - (at % DAY);
    },
    /** Changes the limit, or that of one account. 0: unlimited. */
    setLimit: book.setLimit,
    /** Tokens overspent by all accounts together; what others have left does not count against it. */
    debt: book.debt,
    /** Adds what is stored of an account to what is not stored yet. Idempotent; never lowers anything. */
    learn(who: string, at: number, { period, used, most }: Usage): void {
      if (isDaily && period * DAY > at + DAY) return; // a wrong clock must not end all days
      // Another machine may be in the next day already.
      mergeStored(book.account(who, isDaily ? Math.max(at, period * DAY) : at), { period, used, most }, book.limitOf(who));
    },
    /** What is to be written of an account; undefined when it has been evicted. From now on it counts as written. */
    startWrite(who: string): Usage | undefined {
      const account = book.accounts.get(who);
      if (!account) return undefined;
      account.unwritten = 0;
      return { period: account.period, used: Math.ceil(account.used), most: book.limitOf(who) };
    },
    /** Accounts that have used or reserved something, the one with the least left first; none when unlimited. */
    accounts: (at: number, count: number) => book.inUse(at).slice(0, count),
    /** Tokens; 0: unlimited. */
    limitOf: book.limitOf,
    /** Whether any account has a limit. */
    get isLimited() {
      return book.limit > 0 || book.ownLimits.size > 0;
    },
    /** Tokens reserved by all accounts. */
    get reserved() {
      return [...book.accounts.values()].reduce((sum, { reserved }) => sum + reserved, 0);
    },
  };
}

/** Usage that no write has contained is not part of what is stored. */
function mergeStored(account: Account, { period, used, most }: Usage, limit: number): void {
  const days = account.period - period;
  const stored = days === 0 ? used : limit === 0 ? 0 : used - most - limit * (days - 1);
  account.used = Math.max(account.used - account.unwritten, stored) + account.unwritten;
}

function accountBook(limit: number, isDaily: boolean) {
  const accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });
  const ownLimits = new Map<string, number>();
  const book = { limit, ownLimits, limitOf, accounts, account, usedIn, left, inUse, setLimit, debt };

  function setLimit(next: number, who?: string): void {
    if (who === undefined) book.limit = next;
    else if (next > 0) ownLimits.set(who, next);
    else ownLimits.delete(who);
  }

  function debt(at: number): number {
    const period = isDaily ? Math.floor(at / DAY) : 0;
    let sum = 0;
    for (const [who, found] of accounts.entries()) {
      const most = limitOf(who);
      if (most > 0) sum += Math.max(0, usedIn(period, found, most) - most);
    }
    return sum;
  }

  function limitOf(who: string): number {
    return ownLimits.get(who) ?? book.limit;
  }

  function account(who: string, at: number): Account {
    const period = isDaily ? Math.floor(at / DAY) : 0;
    const found = accounts.get(who) ?? { period, used: 0, unwritten: 0, reserved: 0 };
    if (found.period < period) {
      found.used = usedIn(period, found, limitOf(who));
      found.unwritten = Math.min(found.unwritten, found.used);
      found.period = period;
    }
    accounts.set(who, found);
    return found;
  }

  /** What counts in `period` of an account that may be of an earlier one. */
  function usedIn(period: number, found: Account, most: number): number {
    if (found.period >= period) return found.used;
    return most > 0 ? Math.max(0, found.used - most * (period - found.period)) : 0;
  }

  function left(who: string, at: number): number {
    if (limitOf(who) === 0) return Infinity;
    const found = account(who, at);
    return limitOf(who) - found.used - found.reserved;
  }

  function inUse(at: number) {
    const all = [...accounts.keys()].map((who) => ({ who, left: left(who, at), used: account(who, at).used }));
    return all.filter((one) => one.left < limitOf(one.who)).toSorted((a, b) => a.left - b.left);
  }

  return book;
}
