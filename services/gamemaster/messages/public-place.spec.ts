import { describe, expect, it } from '@jest/globals';
import { ballot, chat, type Open, type Question, round, vote } from '@maw/games/kernel/question.ts';
import { publicTalk } from './derive-messages.ts';
import type { Standing } from '../state/game.ts';
import { publicPlaceOf } from './public-place.ts';

const open = (question: Question, by: readonly number[] = [], passed: readonly number[] = []): Open => ({
  ...question,
  answers: by.map((seat) => ({ by: seat, says: ['x'] })),
  passed,
});
const at = (...questions: readonly Open[]) => publicPlaceOf({ open: questions, game: { stage: 'round' } } as unknown as Standing);
const seats = [0, 1, 2, 3];

describe('where a table stands', () => {
  it('names by day the seats that are to answer, and what', () => {
    expect(at(open(vote('round-1/day-1/vote', seats, ['a'], 9), [1, 3]))).toEqual({ phase: 'round-1/day-1', awaited: '0, 2: choose' });
    expect(at(open(round('round-1/day-1/talk', seats, 0, 5), [0], [1]))).toEqual({ phase: 'round-1/day-1', awaited: '2: say' });
    expect(at(open(chat('round-1/day-1/chat', seats, 9)))).toEqual({ phase: 'round-1/day-1', awaited: 'the clock: say' });
  });

  it('does not tell who has voted while votes are hidden', () => {
    expect(at(open(ballot('round-1/day-1/vote', seats, ['a'], 9), [1, 3])).awaited).toBe('0, 1, 2, 3: choose');
  });

  it('tells nothing by seat of questions that not everybody may know of, as by night', () => {
    const night = vote('round-1/night-1/kill', [1, 2], ['a'], 9, { among: [1, 2] });
    expect(at(open(night))).toEqual({ phase: 'round' });
    expect(at(open(night), open(vote('round-1/day-1/vote', [0], ['a'], 9, { heard: 'never' })))).toEqual({ phase: 'round-1/day-1' });
  });
});

describe('public talk', () => {
  const day = [open(chat('round-1/day-1/chat', seats, 9))];
  const said = (line: object, asked: readonly Open[] = day) =>
    publicTalk(
      {
        standing: { open: asked, game: { names: ['Ann', 'Bo', 'Bob', undefined] } },
        lines: new Map([[1, [{ isPublic: true, by: 0, text: '', ...line }]]]),
      } as never,
      [{ sequence: 1 }] as never,
    );

  it('is to the first other player whom it names as a whole word, or to everybody', () => {
    expect(said({ text: 'Ann is me. BOB, did you see Bo?' })).toEqual([{ seat: 0, to: 2 }]);
    expect(said({ text: 'Boring, Annette.' })).toEqual([{ seat: 0 }]);
  });

  it('is not told once it is night', () => {
    expect(said({ text: 'Bo?' }, [open(vote('round-1/night-1/kill', [1], ['a'], 9, { among: [1] }))])).toEqual([]);
  });

  it('is neither an announcement, nor a choice, nor what is said in private', () => {
    expect([said({ by: undefined }), said({ says: ['seat:1'], text: 'I vote for Bo' }), said({ isPublic: false, text: 'Bo?' })]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
