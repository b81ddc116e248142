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
  /** Tokens set aside by all together. */
  readonly reserved: number;
  /** How many are remembered. */
  readonly size: number;
}

const DAY = 86_400_000;
const MOST_KNOWN = 20_000;

interface Account {
  /** Which period it counts. */
  period: number;
  used: number;
  reserved: number;
}

/**
 * @param most how many tokens; 0 means without limit
 * @param perDay whether the account begins anew with each day (UTC); what was overspent is carried over as a debt
 */
export function budget(most: number, perDay: boolean): Budget {
  const accounts = new Map<string, Account>();
  let limit = most;

  function accountOf(who: string, at: number): Account {
    const period = perDay ? Math.floor(at / DAY) : 0;
    let account = accounts.get(who);
    if (!account) {
      if (accounts.size >= MOST_KNOWN) forgetOne();
      account = { period, used: 0, reserved: 0 };
    }
    accounts.delete(who); // to the end: the one asked for longest ago is forgotten first, and nobody by the names of others who come once
    accounts.set(who, account);
    if (account.period < period) Object.assign(account, { period, used: usedIn(period, account) });
    return account;
  }

  /** What of its account counts in a period: its own, or a later one. */
  function usedIn(period: number, account: Account): number {
    if (account.period >= period) return account.used;
    return limit > 0 ? Math.max(0, account.used - limit * (period - account.period)) : 0;
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
    const { used, reserved } = accountOf(who, at);
    return limit - used - reserved;
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
        account.used += used;
      };
    },
    left,
    used: (who, at) => accountOf(who, at).used,
    restMs(who, at, tokens) {
      if (left(who, at) >= tokens) return 0;
      if (!perDay || tokens > limit) return undefined;
      const { used, reserved } = accountOf(who, at);
      const days = Math.max(1, Math.ceil((used + reserved + tokens) / limit) - 1);
      return days * DAY - (at % DAY);
    },
    set: (next) => void (limit = next),
    debt(at) {
      const period = perDay ? Math.floor(at / DAY) : 0;
      let sum = 0;
      if (limit > 0) for (const account of accounts.values()) sum += Math.max(0, usedIn(period, account) - limit);
      return sum;
    },
    get reserved() {
      return [...accounts.values()].reduce((sum, { reserved }) => sum + reserved, 0);
    },
    get size() {
      return accounts.size;
    },
  };
}
