import type { RecordedEvent } from '@maw/store/ports/tapes.ts';

/** Events of small tapes made by hand. */
export const event = (at: number, content: RecordedEvent['event']): Pick<RecordedEvent, 'at' | 'event'> => ({ at, event: content });

/** Opens a table whose seats are held by minds, but for those of people. */
export const opened = (seats: number, ...people: readonly number[]) =>
  event(0, {
    type: 'opened',
    opening: { seats: Array.from({ length: seats }, (_, n) => ({ kind: people.includes(n) ? 'person' : 'mind' })) },
  });

interface Asked {
  readonly of: readonly number[];
  readonly until: number;
  readonly verb?: string;
  readonly final?: boolean;
  readonly inTurn?: boolean;
  readonly turnMs?: number;
}

export const asked = (at: number, id: string, question: Asked) =>
  event(at, { type: 'asked', question: { verb: 'choose', final: true, inTurn: false, ...question, id } });
export const answered = (at: number, question: string, by: number) =>
  event(at, { type: 'answered', question, answer: { by, says: ['x'] } });
export const passed = (at: number, question: string, seat: number) => event(at, { type: 'passed', question, seat });
export const settled = (at: number, question: string) => event(at, { type: 'settled', question });
export const delayed = (at: number, ms: number) => event(at, { type: 'delayed', ms, at });
