import type { Mishap, Process, Turn, TurnKind } from './simulated-process.ts';

/** A possible next step. */
export interface Choice {
  /** Its name in schedules, unique among the choices of a moment. */
  readonly label: string;
  /** Who continues with it: a thread of a process, or nobody. */
  readonly thread: string | undefined;
  /** The fault it needs. */
  readonly fault: 'death' | 'twice' | 'mishap' | undefined;
  /** The waiting call it concerns; undefined for a new start. */
  readonly kind: TurnKind | undefined;
  take(): Promise<void>;
}

/** Which calls may fail, and which may take effect and report a failure. */
const MISHAPS: { readonly [kind in TurnKind]?: readonly Mishap[] } = { append: ['lost', 'fails'], read: ['fails'] };
const SAYS: { readonly [mishap in Mishap]: string } = { lost: 'but seems to fail', fails: 'fails' };

/** The outcomes of a waiting call: it succeeds, it fails in some way, or its process dies first. */
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
