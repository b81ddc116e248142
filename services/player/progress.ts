import type { Asking } from '@maw/minds/mind.ts';
import type { Fate } from './answering.ts';

/** An answer on its way, or sent: the same again does no harm. */
export interface Outgoing {
  readonly id: string;
  readonly question: string;
  readonly says: readonly string[];
}

/** How far one decision has come. */
export interface Progress {
  /** The message that asked for it. */
  readonly id: string;
  /** The place on the tape it was asked at. */
  readonly sequence: number;
  /** How often it has been thought about. */
  readonly iteration: number;
  /** How many steps of thought are on the record. */
  readonly steps: number;
  /** How many answers were made. */
  readonly answers: number;
  /** The answers of the last iteration. */
  readonly outbox: readonly Outgoing[];
  readonly standing: { readonly [question: string]: readonly string[] };
  /** Questions that are closed for this seat. */
  readonly closed: readonly string[];
  /** Why the last answers were refused, for the mind to know. */
  readonly refused: readonly string[];
}

export const newProgress = (id: string, sequence: number): Progress => ({
  id,
  sequence,
  iteration: 0,
  steps: 0,
  answers: 0,
  outbox: [],
  standing: {},
  closed: [],
  refused: [],
});

/** What a decision has come to after one of its answers has met its fate. */
export function progressAfter(
  progress: Progress,
  { id, final }: Pick<Asking, 'id' | 'final'>,
  says: readonly string[],
  fate: Fate,
): Progress {
  switch (fate.is) {
    case 'taken':
      return {
        ...progress,
        standing: { ...progress.standing, [id]: says },
        closed: final ? [...progress.closed, id] : progress.closed,
      };
    case 'closed':
      return { ...progress, closed: [...progress.closed, id] };
    case 'refused':
      return { ...progress, refused: [...progress.refused, `${fate.reason}${fate.detail ? ` (${fate.detail})` : ''}`] };
    case 'unanswered':
      return progress;
  }
}
