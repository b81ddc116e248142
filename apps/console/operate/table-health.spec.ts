import { describe, expect, it } from '@jest/globals';
import { chat, round, vote } from '@maw/games/kernel/question.ts';
import { awaitedOf, healthOf } from './table-health.ts';

describe('healthOf', () => {
  it('calls a table stuck when what was due is 30 seconds late, and never while it is paused', () => {
    const running = { stage: 'round' } as const;
    expect(healthOf(running, { now: 130_000, until: 100_000 }, true)).toBe('running');
    expect(healthOf(running, { now: 130_001, until: 100_000 }, true)).toBe('stuck');
    expect(healthOf(running, { now: 999_999, until: 100_000, pausedSince: 90_000 }, true)).toBe('paused');
    expect(healthOf({ stage: 'lobby' }, undefined, true)).toBe('lobby');
    expect(healthOf({ stage: 'over' }, { now: 999_999, until: 0 }, true)).toBe('over');
  });

  it('says nothing of a table that is not followed but that it is over', () => {
    expect(healthOf({ stage: 'round' }, undefined, false)).toBe('unfollowed');
    expect(healthOf({ stage: 'lobby' }, { now: 999_999, until: 0 }, false)).toBe('unfollowed');
    expect(healthOf({ stage: 'over' }, undefined, false)).toBe('over');
  });
});

describe('awaitedOf', () => {
  const open = (question: ReturnType<typeof vote>, ...by: number[]) => ({
    ...question,
    answers: by.map((seat) => ({ by: seat, says: ['seat:0'] })),
    passed: [],
  });
  const asked = (at: number, question: ReturnType<typeof vote>) => ({ at, event: { type: 'asked', question } });

  it('names the seats without a vote, since the vote was asked', () => {
    const q = vote('round-1/day-1/vote', [0, 1, 2], ['seat:0'], 900);
    expect(awaitedOf([open(q, 1)], [asked(100, q)])).toEqual([{ question: q.id, seats: [0, 2], since: 100, until: 900 }]);
    expect(awaitedOf([open(q, 0, 1, 2)], [asked(100, q)])).toEqual([]);
  });

  it('names the seat whose turn it is, since the last turn', () => {
    const q = round('round-1/day-1/talk', [2, 0, 1], 100, 60);
    const answered = { at: 130, event: { type: 'answered', question: q.id } };
    expect(awaitedOf([open(q, 2)], [asked(100, q), answered])).toMatchObject([{ seats: [0], since: 130 }]);
  });

  it('waits for nobody who may talk until the time is over', () => {
    const q = chat('round-1/day-1/talk', [0, 1], 900);
    expect(awaitedOf([open(q)], [asked(100, q)])).toEqual([]);
  });
});
