import { describe, expect, it } from '@jest/globals';
import { type Estimates, estimates, type Measured } from './estimates.ts';

const size = { kind: 'decide', promptTokens: 1000, maxTokens: 200 };
const took = { promptTokens: 1000, prefillMs: 500, outputTokens: 50, decodeMs: 1000 };
const learn = (guesses: Estimates, server = 's', seen: Measured = took, at = 0): void => guesses.learn('m', server, 'decide', seen, at);

describe('estimates', () => {
  it('uses defaults until it has learnt, and says so', () => {
    const guesses = estimates();
    expect(guesses.isKnown('m', 's', 0)).toBe(false);
    expect(guesses.estimate('m', size).slotMs).toBeGreaterThan(0);
    learn(guesses);
    expect([guesses.isKnown('m', 's', 0), guesses.isKnown('n', 's', 0), guesses.isKnown('m', 't', 0)]).toEqual([true, false, false]);
    expect([guesses.isKnown('m', 's', 0, 'decide'), guesses.isKnown('m', 's', 0, 'vote')]).toEqual([true, false]);
  });

  it('takes over the first measurement, prompt and answer separately', () => {
    const guesses = estimates();
    learn(guesses);
    expect(guesses.estimate('m', size, 's')).toEqual({ prefillMs: 500, decodeMs: 1000, slotMs: 1500, outputTokens: 50 });
    expect(guesses.estimate('m', { ...size, promptTokens: 2000 }, 's').prefillMs).toBe(1000);
  });

  it('moves by a fifth towards each measurement', () => {
    const guesses = estimates();
    learn(guesses);
    learn(guesses, 's', { ...took, decodeMs: 2000 });
    expect(guesses.msPerToken('m', 's')).toBeCloseTo(24, 10);
    for (let i = 0; i < 60; i++) learn(guesses, 's', { ...took, decodeMs: 2000 });
    expect(guesses.msPerToken('m', 's')).toBeCloseTo(40, 3);
  });

  it('expires after a minute; the next measurement then counts in full', () => {
    const guesses = estimates();
    learn(guesses, 's', { ...took, outputTokens: 100, decodeMs: 100_000 }, 1_000);
    expect([
      guesses.isKnown('m', 's', 61_000, 'decide'),
      guesses.isKnown('m', 's', 61_001),
      guesses.isKnown('m', 's', 61_001, 'decide'),
    ]).toEqual([true, false, false]);
    learn(guesses, 's', took, 61_001);
    expect(guesses.estimate('m', size, 's')).toEqual({ prefillMs: 500, decodeMs: 1000, slotMs: 1500, outputTokens: 50 });
    learn(guesses, 's', { ...took, decodeMs: 2000 }, 121_001); // a minute later, not more
    expect(guesses.msPerToken('m', 's')).toBeCloseTo(24, 10);
  });

  it('is bounded by maxTokens', () => {
    const guesses = estimates();
    learn(guesses, 's', { ...took, outputTokens: 500, decodeMs: 10_000 });
    expect(guesses.estimate('m', { ...size, maxTokens: 100 }, 's')).toMatchObject({ outputTokens: 100, decodeMs: 2000 });
  });

  it('learns for each server, and uses the mean for an unchosen one', () => {
    const guesses = estimates();
    learn(guesses, 'slow', { ...took, decodeMs: 3000 });
    learn(guesses, 'fast', { ...took, decodeMs: 1000 });
    expect([guesses.msPerToken('m', 'slow'), guesses.msPerToken('m', 'fast'), guesses.msPerToken('m', 'new')]).toEqual([60, 20, undefined]);
    expect(guesses.estimate('m', size).decodeMs).toBe(50 * 40);
  });

  it('expires also when the clock is set back by more than a minute', () => {
    const guesses = estimates();
    guesses.learn('m', 's', 'speech', took, 3_600_000);
    expect([3_540_000, 3_539_999, 3_660_000, 3_660_001].map((at) => guesses.isKnown('m', 's', at))).toEqual([true, false, true, false]);
  });

  it('deletes what it learnt about a removed server', () => {
    const guesses = estimates();
    learn(guesses, 'slow', { ...took, decodeMs: 3000 });
    learn(guesses, 'fast', { ...took, decodeMs: 1000 });
    guesses.forgetServer('slow');
    expect([guesses.msPerToken('m', 'slow'), guesses.isKnown('m', 'slow', 0), guesses.estimate('m', size).decodeMs]).toEqual([
      undefined,
      false,
      50 * 20,
    ]);
    guesses.forgetServer('fast');
    expect(guesses.estimate('m', size).prefillMs).toBe(estimates().estimate('m', size).prefillMs);
  });

  it('learns the answer length of each kind separately', () => {
    const guesses = estimates();
    guesses.learn('m', 's', 'vote', { ...took, outputTokens: 10 }, 0);
    guesses.learn('m', 's', 'speech', { ...took, outputTokens: 150 }, 0);
    expect(guesses.estimate('m', { ...size, kind: 'vote' }).outputTokens).toBe(10);
    expect(guesses.estimate('m', { ...size, kind: 'speech' }).outputTokens).toBe(150);
  });

  it('ignores cached prompts and missing counters', () => {
    const guesses = estimates();
    learn(guesses);
    learn(guesses, 's', { promptTokens: 5, prefillMs: 400, outputTokens: 0, decodeMs: 0 });
    expect(guesses.estimate('m', size, 's')).toMatchObject({ prefillMs: 500, decodeMs: 1000 });
  });

  it('learns only answer lengths from a server without times', () => {
    const guesses = estimates();
    learn(guesses, 's', { promptTokens: 1000, prefillMs: 0, outputTokens: 70, decodeMs: 0 });
    expect([guesses.isKnown('m', 's', 0), guesses.msPerToken('m', 's'), guesses.estimate('m', size).outputTokens]).toEqual([
      false,
      undefined,
      70,
    ]);
  });

  it('computes how many tokens fit into a time', () => {
    const guesses = estimates();
    learn(guesses);
    expect(guesses.tokensWithin('m', 's', 1000, 1500)).toBe(50);
    expect(guesses.tokensWithin('m', 's', 1000, 400)).toBe(0);
  });
});
