import { toJson } from './memory-json.ts';
import { type Act, type Audit, BEGUN, type Finish, type KeptPermit, type Permit, type Permits, type Revocation } from './permits.ts';

/** Permits in memory. */
export function memoryPermits(): Permits {
  const kept = new Map<string, Permit & { readonly n: number }>();
  let revoked: (Revocation & { readonly until: number })[] = [];
  let last = 0;

  const isRevoked = ({ id, table, seat, n }: Permit & { readonly n: number }): boolean =>
    revoked.some((one) =>
      'id' in one ? one.id === id : one.table === table && one.n > n && (one.seat === undefined || one.seat === seat),
    );
  const shown = (one: Permit & { readonly n: number }): KeptPermit => ({ ...one, isRevoked: isRevoked(one) });

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
    async permit(id) {
      const known = kept.get(id);
      return known && shown(known);
    },
    async permits({ at, limit, before, table }) {
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
    async forget(at) {
      const before = kept.size + revoked.length;
      for (const [id, { until }] of kept) if (until <= at) kept.delete(id);
      revoked = revoked.filter(({ until }) => until > at);
      return before - kept.size - revoked.length;
    },
  };
}

/** The audit log in memory. */
export function memoryAudit(): Audit {
  const kept = new Map<string, string>();
  const finished = new Map<string, string>();
  const whole = (act: Act & { readonly n: number }): Act & { readonly n: number } => {
    const end = finished.get(act.id);
    if (act.outcome !== BEGUN || end === undefined) return act;
    const { about, outcome } = JSON.parse(end) as Finish;
    return { ...act, about, outcome };
  };
  return {
    async finish({ id, at, about, outcome }) {
      if (!finished.has(id)) finished.set(id, JSON.stringify({ id, at, about: JSON.parse(toJson(about)), outcome }));
    },
    async write(act) {
      const { id, at, who, token, from, what, about, outcome } = act;
      if (kept.has(id)) return;
      const n = kept.size + 1;
      kept.set(id, JSON.stringify({ n, id, at, who, token, from, what, about: JSON.parse(toJson(about)), outcome }));
    },
    async acts({ limit, before }) {
      return [...kept.values()]
        .map((text) => whole(JSON.parse(text)))
        .filter(({ n }) => before === undefined || n < before)
        .toReversed()
        .slice(0, limit);
    },
  };
}
