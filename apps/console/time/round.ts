import type { Answer, Question } from '@maw/games/kernel/question.ts';
import type { Moment } from './tape.ts';

/** Something that was said or chosen in the current round. */
export interface Spoken {
  readonly question: Question;
  readonly answer: Answer;
}

/** The moments of the round that is played at position `n`. */
export function roundMoments(moments: readonly Moment[], n: number): readonly Moment[] {
  const upTo = moments.slice(0, n);
  const began = upTo.findLastIndex(({ seen }) => seen.event.type === 'began');
  return began < 0 ? [] : upTo.slice(began + 1);
}

/** Everything that was answered in these moments, with its question. */
export const spokenIn = (moments: readonly Moment[]): readonly Spoken[] =>
  moments.flatMap(({ seen: { event }, before }) => {
    if (event.type !== 'answered') return [];
    const question = before.open.find(({ id }) => id === event['question']);
    return question ? [{ question, answer: event['answer'] as Answer }] : [];
  });
