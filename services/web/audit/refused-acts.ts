import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@maw/store/ports/audit-log.ts';

/** The outcome of an act that was refused because the audit log cannot be written. Only such acts have it. */
export const NOT_BEGUN = 'not-begun';

/** Refused acts of one administrator. */
interface RefusedActs {
  /** The first of them. */
  readonly first: Omit<AuditEntry, 'id' | 'outcome'>;
  /** When the last one was requested, milliseconds since the epoch. */
  readonly last: number;
  readonly times: number;
}

/** How many administrators are counted one by one; the acts of all others are counted together. */
const MAX_ADMINISTRATORS = 20;
const OTHERS = { who: 'others', token: 'others', from: 'several' } as const;

export type RefusedActCounter = ReturnType<typeof refusedActCounter>;

/** Counts refused acts by the token of the administrator, in bounded memory. */
export function refusedActCounter() {
  const counts = new Map<string, RefusedActs>();
  return {
    add(act: RefusedActs['first'], at: number): void {
      const isOwn = counts.has(act.token) || counts.size < MAX_ADMINISTRATORS;
      const key = isOwn ? act.token : '';
      const before = counts.get(key);
      counts.set(key, { first: before?.first ?? (isOwn ? act : { ...act, ...OTHERS }), last: at, times: (before?.times ?? 0) + 1 });
    },
    /** Returns the counts, the oldest first, and resets them. */
    take(): readonly RefusedActs[] {
      const all = [...counts.values()];
      counts.clear();
      return all;
    },
  };
}

/** The audit entry of the refused acts of one administrator. */
export const entryOf = ({ first, last, times }: RefusedActs): AuditEntry => ({
  id: randomUUID(),
  ...first,
  what: times === 1 ? first.what : `${first.what} and ${times - 1} more`,
  about: { refused: times, until: last },
  outcome: NOT_BEGUN,
});
