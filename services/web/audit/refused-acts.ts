import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@maw/store/ports/audit-log.ts';

/** What came of an act that was refused because the log cannot be written: nothing, for certain. Nothing else has this outcome. */
export const NOT_BEGUN = 'not-begun';

/** Acts of one administrator that were not done. */
export interface RefusedActs {
  /** The first of them. */
  readonly first: Omit<AuditEntry, 'id' | 'outcome'>;
  /** When the last was asked for, milliseconds since the epoch. */
  readonly last: number;
  readonly times: number;
}

/** So many administrators are told apart; the acts of all others are counted together. */
const MOST = 20;
/** Whose acts those are that are counted together. */
const OTHERS = { who: 'others', token: 'others', from: 'several' } as const;

/** Counts what was not done, by the token it was asked with: so much, however often and by however many it is asked. */
export function refusedActCounter() {
  const kept = new Map<string, RefusedActs>();
  return {
    add(act: RefusedActs['first'], at: number): void {
      const mine = kept.has(act.token) || kept.size < MOST;
      const key = mine ? act.token : '';
      const had = kept.get(key);
      kept.set(key, { first: had?.first ?? (mine ? act : { ...act, ...OTHERS }), last: at, times: (had?.times ?? 0) + 1 });
    },
    /** What was counted, the first first; from then on it is counted anew. */
    take(): readonly RefusedActs[] {
      const all = [...kept.values()];
      kept.clear();
      return all;
    },
  };
}

/** The entry for the acts of one administrator that were refused. */
export const entryOf = ({ first, last, times }: RefusedActs): AuditEntry => ({
  id: randomUUID(),
  ...first,
  what: times === 1 ? first.what : `${first.what} and ${times - 1} more`,
  about: { refused: times, until: last },
  outcome: NOT_BEGUN,
});
