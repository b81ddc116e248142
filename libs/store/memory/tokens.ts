import type { IssuedToken, Revocation, StoredToken, Tokens } from '../ports/tokens.ts';

interface MemoryToken extends IssuedToken {
  readonly n: number;
}

/** Tokens in memory. */
export function memoryTokens(): Tokens {
  const tokens = new Map<string, MemoryToken>();
  let revoked: (Revocation & { readonly until: number })[] = [];
  let last = 0;

  const isRevoked = ({ id, table, seat, n }: MemoryToken): boolean =>
    revoked.some((one) =>
      'id' in one ? one.id === id : one.table === table && one.n > n && (one.seat === undefined || one.seat === seat),
    );
  const stored = (token: MemoryToken): StoredToken => ({ ...token, isRevoked: isRevoked(token) });

  return {
    async issue(permit) {
      const given = Object.fromEntries(Object.entries(permit).filter(([, value]) => value !== undefined)) as unknown as IssuedToken;
      const token = tokens.get(permit.id) ?? { n: ++last, ...given };
      tokens.set(permit.id, token);
      return stored(token);
    },
    async renew(id, until, at) {
      const token = tokens.get(id);
      if (!token || token.until <= at || isRevoked(token)) return undefined;
      const renewed = { ...token, until: Math.max(token.until, until) };
      tokens.set(id, renewed);
      return stored(renewed);
    },
    async find(id) {
      const token = tokens.get(id);
      return token && stored(token);
    },
    async findByDigest(digests) {
      const token = [...tokens.values()].find(({ digest }) => digest !== undefined && digests.includes(digest));
      return token && stored(token);
    },
    async list({ at, limit, before, table, by }) {
      return [...tokens.values()]
        .filter((one) => one.until > at && (before === undefined || one.n < before) && (table === undefined || one.table === table))
        .filter((one) => by === undefined || one.by === by)
        .toSorted((a, b) => b.n - a.n)
        .slice(0, limit)
        .map(stored);
    },
    async revoke(what, until) {
      const revocation: Revocation = { n: ++last, ...what };
      revoked.push({ ...revocation, until });
      return revocation;
    },
    async revocations(after) {
      return revoked.filter(({ n }) => n > after).map(({ until: _, ...one }) => one);
    },
    async prune(at) {
      const before = tokens.size + revoked.length;
      for (const [id, { until }] of tokens) if (until <= at) tokens.delete(id);
      revoked = revoked.filter(({ until }) => until > at);
      return before - tokens.size - revoked.length;
    },
  };
}
