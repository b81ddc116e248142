import type { Mishap, Process, Turn, TurnKind } from './simulated-process.ts';

/** Something that may happen next. */
export interface Choice {
  /** As schedules name it; of all choices of a moment there is one of a name. */
  readonly label: string;
  /** Whose going on it is: a thread of a process, or nobody’s. */
  readonly thread: string | undefined;
  /** What has to go wrong for it. */
  readonly fault: 'death' | 'twice' | 'mishap' | undefined;
  /** A call that something begun waits for; undefined for a beginning. */
  readonly kind: TurnKind | undefined;
  take(): Promise<void>;
}

/** Which calls may fail, and which may be done and seem to have failed. */
const MISHAPS: { readonly [kind in TurnKind]?: readonly Mishap[] } = { append: ['lost', 'fails'], read: ['fails'] };
const SAYS: { readonly [mishap in Mishap]: string } = { lost: 'but seems to fail', fails: 'fails' };

/** What may become of a call that waits: it is done, it fails in some way, or its process dies before. */
export function going({ name }: Process, turn: Turn, die: () => Promise<void>): readonly Choice[] {
  const { thread, kind, label } = turn;
  const mishaps = (MISHAPS[kind] ?? []).map((mishap): Choice => ({
    label: `${label} ${SAYS[mishap]}`,
    thread,
    fault: 'mishap',
    kind,
    take: () => turn.take(mishap),
  }));
  return [
    { label, thread, fault: undefined, kind, take: () => turn.take() },
    ...mishaps,
    { label: `${name} dies`, thread, fault: 'death', kind, take: die },
  ];
}
