import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { qualityIn, qualityOf } from './game-quality.ts';

const asked = (id: string, of: readonly number[], final = true) => ({ type: 'asked', question: { id, of, final } });
const answered = (question: string, by: number) => ({ type: 'answered', question, answer: { by, says: ['x'] }, at: 1 });
const settled = (question: string) => ({ type: 'settled', question, answers: [] });
const refused = (question: string, reason: string) => ({ type: 'refused', question, seat: 1, reason, detail: '' });
const tape = [
  { type: 'opened' },
  asked('night', [1, 2, 3]),
  answered('night', 1),
  { type: 'passed', question: 'night', seat: 2, at: 2 },
  settled('night'),
  refused('night', 'phase-over'),
  asked('talk', [1, 2], false),
  answered('talk', 1),
  refused('talk', 'too-long'),
  settled('talk'),
  { type: 'delayed', ms: 5, at: 3 },
  asked('vote', [1, 3]),
  answered('vote', 1),
  answered('vote', 3),
  settled('vote'),
  asked('nobody', []),
  settled('nobody'),
  asked('last', [1]), // it was still open when the game was over
];

describe('how a game went', () => {
  it('counts missing answers and late ones', () => {
    expect(qualityIn(tape.map((event) => ({ event })))).toEqual({ events: 18, asked: 5, missed: 2, late: 1, delayed: 1 });
    expect(qualityIn([])).toEqual({ events: 0, asked: 0, missed: 0, late: 0, delayed: 0 });
  });

  it('is read from the tapes of those tables, and of no others', async () => {
    const { tapes } = memoryStore();
    const about = { at: 1, cause: 'c', wake: undefined, summary: { stage: 'over' } };
    for (const table of ['a', 'b', 'c']) await tapes.append(table, 0, tape, about);
    expect(await qualityOf({ tapes }, ['a', 'c'])).toEqual({ events: 36, asked: 10, missed: 4, late: 2, delayed: 2 });
  });
});
