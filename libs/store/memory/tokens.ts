import type { StoredToken, IssuedToken, Tokens, Revocation } from '../ports/tokens.ts';

/** Permits in memory. */
export function memoryTokens(): Tokens {
  const kept = new Map<string, IssuedToken & { readonly n: number }>();
  let revoked: (Revocation & { readonly until: number })[] = [];
  let last = 0;

  const isRevoked = ({ id, table, seat, n }: IssuedToken & { readonly n: number }): boolean =>
    revoked.some((one) =>
      'id' in one ? one.id === id : one.table === table && one.n > n && (one.seat === undefined || one.seat === seat),
    );
  const shown = (one: IssuedToken & { readonly n: number }): StoredToken => ({ ...one, isRevoked: isRevoked(one) });

  return {
    async issue(permit) {
      const { id, role, table, seat, view, name, by, issued, until } = permit;
      const known = kept.get(id);
      if (known) return shown(known);
      const made = {
        n: ++last,
        id,
        role,
        name,
        by,
        issued,
        until,
        ...(table === undefined ? {} : { table }),
        ...(seat === undefined ? {} : { seat }),
        ...(view === undefined ? {} : { view }),
      };
      kept.set(id, made);
      return shown(made);
    },
    async renew(id, until, at) {
      const known = kept.get(id);
      if (!known || known.until <= at || isRevoked(known)) return undefined;
      const longer = { ...known, until: Math.max(known.until, until) };
      kept.set(id, longer);
      return shown(longer);
    },
    async find(id) {
      const known = kept.get(id);
      return known && shown(known);
    },
    async list({ at, limit, before, table }) {
      return [...kept.values()]
        .filter((one) => one.until > at && (before === undefined || one.n < before) && (table === undefined || one.table === table))
        .toSorted((a, b) => b.n - a.n)
        .slice(0, limit)
        .map(shown);
    },
    async revoke(what, until) {
      const made: Revocation = { n: ++last, ...what };
      revoked.push({ ...made, until });
      return made;
    },
    async revocations(after) {
      return revoked.filter(({ n }) => n > after).map(({ until: _, ...one }) => one);
    },
    async prune(at) {
      const before = kept.size + revoked.length;
      for (const [id, { until }] of kept) if (until <= at) kept.delete(id);
      revoked = revoked.filter(({ until }) => until > at);
      return before - kept.size - revoked.length;
    },
  };
}
