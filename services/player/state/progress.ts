import type { Data, Message } from '@maw/contracts/contracts.ts';
import type { Asking, CompletionReply } from '@maw/minds/mind.ts';
import { newReading, type Reading } from './reading.ts';

/** An answer that is to be sent; sending it again has no effect. */
export interface OutgoingAnswer {
  readonly id: string;
  readonly question: string;
  readonly says: readonly string[];
}

/** What came of an answer. */
export type AnswerOutcome =
  | { readonly is: 'taken' }
  /** The question is closed for this seat. */
  | { readonly is: 'closed'; readonly reason: string }
  /** Another answer may be taken. */
  | { readonly is: 'refused'; readonly reason: string; readonly detail: string }
  /** The same answer is taken after some milliseconds. */
  | { readonly is: 'early'; readonly waitMs: number }
  /** The table is paused: the answer is sent again when it goes on. */
  | { readonly is: 'paused' }
  /** Nobody replied in time. */
  | { readonly is: 'unanswered' };

/** How far one decision has come. */
export interface Progress {
  /** The message that asked for it. */
  readonly id: string;
  /** Its position on the tape. */
  readonly sequence: number;
  readonly phase: string;
  /** How often the seat has thought about it. */
  readonly iteration: number;
  /** How many steps of thought are stored. */
  readonly steps: number;
  /** How many answers were made. */
  readonly answers: number;
  /** The answers of the last iteration. */
  readonly outbox: readonly OutgoingAnswer[];
  /** The answer to each question that was taken. */
  readonly standing: { readonly [question: string]: readonly string[] };
  /** Questions that are closed for this seat. */
  readonly closed: readonly string[];
  /** Why the last answers were refused, for the mind to read. */
  readonly refused: readonly string[];
  /** At a table with the pace of people: what was said, and until when it is read. */
  readonly reading: Reading;
  /** How many tokens the model counts for each estimated one: of one thought, so that repeating it after a crash gives the same prompts. */
  readonly tokenRatio: number;
  /** The model's replies in a thought that is not finished, by step and number. */
  readonly calls: { readonly [call: string]: CompletionReply };
}

/**
 * Where a decision begins: where it was left when it is resumed. When the deadline was extended, the seat is asked again for the same phase:
 * its choices stand, what it has read is read, and the gamemaster says which questions are open. After a pause its last answers are sent again:
 * one of them may have been refused.
 * @param stored the last decision in the memory of the seat
 */
export function startProgress({ id, sequence = 0, data }: Message<'seat.decide'>, stored: Progress | undefined): Progress {
  if (stored?.id === id) return stored;
  const fresh = newProgress(id, sequence, data.phase);
  if (stored?.phase !== data.phase || !isExtended(data)) return fresh;
  const { iteration, standing, reading, outbox } = stored;
  return { ...fresh, iteration, standing, reading, ...(hasNews(data, 'resumed') && { outbox }) };
}

/** Whether the seat is asked again because time was given back, or a pause is over; a new holder of the seat has chosen nothing yet. */
const isExtended = (data: Data<'seat.decide'>): boolean =>
  (hasNews(data, 'delayed') || hasNews(data, 'resumed')) && !hasNews(data, 'handed');

const hasNews = ({ news }: Data<'seat.decide'>, type: string): boolean => news.some(({ event }) => event.type === type);

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
  reading: newReading,
  tokenRatio: 1,
  calls: {},
});

/** The progress after an answer to a question had its outcome. */
export function progressAfter(
  progress: Progress,
  { id, final, last }: Pick<Asking, 'id' | 'final' | 'last'>,
  says: readonly string[],
  outcome: AnswerOutcome,
): Progress {
  switch (outcome.is) {
    case 'taken':
      return {
        ...progress,
        standing: { ...progress.standing, [id]: says },
        closed: final || (last !== undefined && says[0] === last) ? [...progress.closed, id] : progress.closed,
      };
    case 'closed':
      return { ...progress, closed: [...progress.closed, id] };
    case 'refused':
      return { ...progress, refused: [...progress.refused, `${outcome.reason}${outcome.detail ? ` (${outcome.detail})` : ''}`] };
    case 'early':
    case 'paused':
    case 'unanswered':
      return progress;
  }
}
