/** Tokens that somebody may use: reserved before, settled after. It knows no clock but what it is told, in milliseconds. */
export interface Budget {
  /** Sets `tokens` aside for `who`. Returns how the account is settled, with what was used in truth (0 gives all back), once; undefined when there is not enough left. */
  reserve(who: string, at: number, tokens: number): ((used: number) => void) | undefined;
  /** What `who` may still use; negative when more was used than there was. Infinity without a limit. */
  left(who: string, at: number): number;
  used(who: string, at: number): number;
  /** After how many milliseconds `tokens` would be let in, debts and all; undefined: never, as far as time goes. */
  restMs(who: string, at: number, tokens: number): number | undefined;
  /** Another amount from now on. 0 means without limit. */
  set(most: number): void;
  /** What all who have used more than they may have used too much, together; nobody's rest makes up for another's debt. */
  debt(at: number): number;
  /** What is known of an account from elsewhere; saying it again, or less, changes nothing. */
  learn(who: string, at: number, known: Known): void;
  /** Those who have used or set aside something, whoever has least left first; none without a limit. */
  accounts(at: number, limit: number): readonly { readonly who: string; readonly used: number; readonly left: number }[];
  /** How much there is; 0 is without limit. */
  readonly most: number;
  /** Tokens set aside by all together. */
  readonly reserved: number;
  /** How many are remembered. */
  readonly size: number;
}

/** What was used of an account in a period, as it stands in a ledger. */
export interface Known {
  /** Days since the epoch; 0 for what is counted once and for all. */
  readonly period: number;
  /** In all, and by others than this budget. */
  readonly used: number;
  readonly others: number;
  /** What was owed when the period began. */
  readonly carried: number;
  /** How much there was in that period. */
  readonly most: number;
}

const DAY = 86_400_000;
export const MOST_KNOWN = 20_000;

interface Account {
  /** Which period it counts. */
  period: number;
  /** What was owed when it began. */
  carried: number;
  /** What was settled here, and what is known of others. */
  own: number;
  others: number;
  reserved: number;
}

const usedOf = ({ carried, own, others }: Account): number => carried + own + others;

/**
 * @param most how many tokens; 0 means without limit
 * @param perDay whether the account begins anew with each day (UTC); what was overspent is carried over as a debt
 * @param changed told what was used here of an account, each time it has grown while there is a limit
 */
export function budget(
  most: number,
  perDay: boolean,
  changed?: (
    who: string,
    spent: { readonly period: number; readonly used: number; readonly carried: number; readonly most: number },
  ) => void,
): Budget {
  const accounts = new Map<string, Account>();
  let limit = most;

  function accountOf(who: string, at: number): Account {
    const period = perDay ? Math.floor(at / DAY) : 0;
    let account = accounts.get(who);
    if (!account) {
      if (accounts.size >= MOST_KNOWN) forgetOne();
      account = { period, carried: 0, own: 0, others: 0, reserved: 0 };
    }
    accounts.delete(who); // to the end: the one asked for longest ago is forgotten first, and nobody by the names of others who come once
    accounts.set(who, account);
    if (account.period < period) Object.assign(account, { period, carried: usedIn(period, account), own: 0, others: 0 });
    return account;
  }

  /** What of its account counts in a period: its own, or a later one. */
  function usedIn(period: number, account: Account): number {
    if (account.period >= period) return usedOf(account);
    return limit > 0 ? Math.max(0, usedOf(account) - limit * (period - account.period)) : 0;
  }

  function forgetOne(): void {
    for (const [who, { reserved }] of accounts) {
      if (reserved > 0) continue;
      accounts.delete(who);
      return;
    }
  }

  const left = (who: string, at: number): number => {
    if (limit === 0) return Infinity;
    const account = accountOf(who, at);
    return limit - usedOf(account) - account.reserved;
  };

  return {
    reserve(who, at, tokens) {
      if (left(who, at) < tokens) return undefined;
      const account = accountOf(who, at);
      account.reserved += tokens;
      let isSettled = false;
      return (used) => {
        if (isSettled) return;
        isSettled = true;
        account.reserved -= tokens;
        account.own += used;
        const { period, carried } = account;
        if (used > 0 && limit > 0) changed?.(who, { period, used: account.own, carried, most: limit });
      };
    },
    left,
    used: (who, at) => usedOf(accountOf(who, at)),
    restMs(who, at, tokens) {
      if (left(who, at) >= tokens) return 0;
      if (!perDay || tokens > limit) return undefined;
      const account = accountOf(who, at);
      const days = Math.max(1, Math.ceil((usedOf(account) + account.reserved + tokens) / limit) - 1);
      return days * DAY - (at % DAY);
    },
    set: (next) => void (limit = next),
    debt(at) {
      const period = perDay ? Math.floor(at / DAY) : 0;
      let sum = 0;
      if (limit > 0) for (const account of accounts.values()) sum += Math.max(0, usedIn(period, account) - limit);
      return sum;
    },
    learn(who, at, { period, used, others, carried, most: then }) {
      if (perDay && period * DAY > at + DAY) return; // a clock that is wrong must not end all days
      const account = accountOf(who, perDay ? Math.max(at, period * DAY) : at); // another machine may be in the next day already
      const days = account.period - period;
      if (days === 0) account.others = Math.max(account.others, others);
      const owed = days === 0 ? carried : limit === 0 ? 0 : carried + used - then - limit * (days - 1);
      account.carried = Math.max(account.carried, owed);
    },
    accounts(at, count) {
      if (limit === 0) return [];
      return [...accounts.keys()]
        .map((who) => ({ who, left: left(who, at), used: usedOf(accounts.get(who)!) }))
        .filter((one) => one.left < limit)
        .toSorted((a, b) => a.left - b.left)
        .slice(0, count);
    },
    get most() {
      return limit;
    },
    get reserved() {
      return [...accounts.values()].reduce((sum, { reserved }) => sum + reserved, 0);
    },
    get size() {
      return accounts.size;
    },
  };
}
