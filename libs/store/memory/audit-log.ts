import { type AuditEntry, type AuditLog, OUTCOME_PENDING, type AuditOutcome } from '../ports/audit-log.ts';
import { toJson } from './json.ts';

/** The audit log in memory. */
export function memoryAuditLog(): AuditLog {
  const kept = new Map<string, string>();
  const finished = new Map<string, string>();
  const whole = (act: AuditEntry & { readonly n: number }): AuditEntry & { readonly n: number } => {
    const end = finished.get(act.id);
    if (act.outcome !== OUTCOME_PENDING || end === undefined) return act;
    const { about, outcome } = JSON.parse(end) as AuditOutcome;
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
    async lastOutcomes(what) {
      const ended = [...kept.values()]
        .map((text): AuditEntry => JSON.parse(text))
        .filter((entry) => entry.what === what && entry.outcome !== OUTCOME_PENDING);
      const last = (isDone: boolean): number | undefined =>
        ended.reduce<number | undefined>((at, one) => ((one.outcome === 'done') === isDone ? Math.max(at ?? 0, one.at) : at), undefined);
      return { done: last(true), failed: last(false) };
    },
    async list({ limit, before }) {
      return [...kept.values()]
        .map((text) => whole(JSON.parse(text)))
        .filter(({ n }) => before === undefined || n < before)
        .toReversed()
        .slice(0, limit);
    },
  };
}
