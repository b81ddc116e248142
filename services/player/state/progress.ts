import type { Data, Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { AnswerOutcome } from '../decision/send-answer.ts';

/** An answer on its way, or sent: the same again does no harm. */
export interface OutgoingAnswer {
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
  /** The phase it is about. */
  readonly phase: string;
  /** How often it has been thought about. */
  readonly iteration: number;
  /** How many steps of thought are on the record. */
  readonly steps: number;
  /** How many answers were made. */
  readonly answers: number;
  /** The answers of the last iteration. */
  readonly outbox: readonly OutgoingAnswer[];
  readonly standing: { readonly [question: string]: readonly string[] };
  /** Questions that are closed for this seat. */
  readonly closed: readonly string[];
  /** Why the last answers were refused, for the mind to know. */
  readonly refused: readonly string[];
}

/**
 * Where a decision begins: where it was, when it is taken up again. When its time was put off, the seat is asked anew for the same phase: what
 * it has chosen stands, and what is still open for it the gamemaster says.
 * @param kept the last decision that the seat has in mind
 */
export function startProgress({ id, sequence = 0, data }: Message<'seat.decide'>, kept: Progress | undefined): Progress {
  if (kept?.id === id) return kept;
  const fresh = newProgress(id, sequence, data.phase);
  if (kept?.phase !== data.phase || !isPutOff(data)) return fresh;
  return { ...fresh, iteration: kept.iteration, standing: kept.standing };
}

/** Whether it is asked because time was given back; who holds the seat only since then has chosen nothing yet. */
function isPutOff({ news }: Data<'seat.decide'>): boolean {
  const types = new Set(news.map(({ event }) => event.type));
  return types.has('delayed') && !types.has('handed');
}

export const newProgress = (id: string, sequence: number, phase: string): Progress => ({
  id,
  sequence,
  phase,
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
  fate: AnswerOutcome,
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
