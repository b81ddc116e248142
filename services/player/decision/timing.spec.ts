import { describe, expect, it } from '@jest/globals';
import { dayFor } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { defaultOptions } from '../defaults.ts';
import { timingOf, waitFor } from './timing.ts';

const options = { ...defaultOptions, shortShare: 0.2, marginMs: 300 };
const [vote, talk] = dayFor(0).questions.map((q) => ({ ...q, until: 100_000 })) as [never, never];
const at = (now: number, given: object = {}) => timingOf([vote, talk], { asked: 0, now, standing: {}, lastMs: 0, ...given }, options);
const voted = { standing: { [dayFor(0).questions[0]!.id]: ['seat:1'] } };

describe('timingOf', () => {
  it('is short in the last share of the question', () => {
    expect(at(79_999).isShort).toBe(false);
    expect(at(80_000).isShort).toBe(true);
  });

  it('is short earlier for a slow mind, never in the first half', () => {
    expect(at(70_000, { lastMs: 10_000 }).isShort).toBe(true);
    expect(at(29_000, { lastMs: 1_000_000 }).isShort).toBe(false);
  });

  it('sets the deadline to shortAt while an answer is owed', () => {
    expect(at(10_000).deadline).toBe(80_000);
    expect(at(10_000, voted).deadline).toBe(99_700);
    expect(at(85_000).deadline).toBe(99_700);
  });

  it('owes an answer to a question asked once', () => {
    const once = timingOf([{ ...(talk as object), final: true } as never], { asked: 0, now: 0, standing: {}, lastMs: 0 }, options);
    expect(once.isOwed).toBe(true);
    expect(timingOf([talk], { asked: 0, now: 0, standing: {}, lastMs: 0 }, options).isOwed).toBe(false);
  });

  it('shrinks the margin for short questions', () => {
    const short = timingOf([{ ...(vote as object), until: 400 } as never], { asked: 0, now: 390, standing: {}, lastMs: 0 }, options);
    expect(short.deadline).toBe(300);
  });
});

describe('waitFor', () => {
  const wait = (rolled: number, now: number, given: object = {}) => waitFor(rolled, at(now, given), { now, lastMs: 0, ...given });

  it('is the rolled time', () => {
    expect(wait(7_000, 0)).toBe(7_000);
    expect(wait(0, 0)).toBe(0);
  });

  it('ends in time for an owed vote', () => {
    expect(wait(10_000, 75_000)).toBe(5_000);
    expect(wait(10_000, 75_000, { lastMs: 3_000 })).toBe(2_000);
    expect(wait(10_000, 75_000, voted)).toBe(10_000);
  });

  it('leaves time for several tries when time is short', () => {
    expect(wait(10_000, 94_000)).toBe(2_000);
  });

  it('never exceeds the question', () => {
    expect(wait(10_000, 95_000, voted)).toBe(5_000);
    expect(wait(10_000, 120_000, voted)).toBe(0);
    expect(wait(10_000, 120_000)).toBe(0);
  });
});
