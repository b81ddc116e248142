import { describe, expect, it } from '@jest/globals';
import { circuitBreaker } from './circuit-breaker.ts';

const opened = () => {
  const breaker = circuitBreaker();
  for (let n = 0; n < 3; n++) breaker.failed(0);
  return breaker;
};

describe('circuitBreaker', () => {
  it('opens on three failures in a row', () => {
    const breaker = circuitBreaker();
    for (const isSuccess of [false, false, true, false, false])
      if (isSuccess) breaker.succeeded(0);
      else breaker.failed(0);
    expect([breaker.state(0), breaker.allows(0)]).toEqual(['closed', true]);
    breaker.failed(0);
    expect([breaker.state(0), breaker.allows(0), breaker.openUntil(0)]).toEqual(['open', false, 5_000]);
  });

  it('opens when more than half of the last twenty attempts failed', () => {
    const breaker = circuitBreaker();
    for (let n = 0; n < 19; n++)
      if (n % 2 === 0) breaker.succeeded(0);
      else breaker.failed(0);
    breaker.failed(0); // ten of twenty
    expect(breaker.state(0)).toBe('closed');
    breaker.failed(0);
    expect(breaker.state(0)).toBe('open');
  });

  it('allows one trial when half-open, and closes when it succeeds', () => {
    const breaker = opened();
    breaker.succeeded(500); // began before it opened
    expect([breaker.state(4_999), breaker.state(5_000), breaker.allows(5_000)]).toEqual(['open', 'half-open', true]);
    breaker.attempted(5_000);
    expect(breaker.allows(5_000)).toBe(false);
    breaker.succeeded(5_100);
    breaker.failed(5_200);
    expect([breaker.state(5_200), breaker.allows(5_200)]).toEqual(['closed', true]);
  });

  it('doubles the open time per failed trial up to a minute; a success resets it', () => {
    const breaker = opened();
    const times: number[] = [];
    let at = 5_000;
    for (let n = 0; n < 5; n++) {
      breaker.attempted(at);
      breaker.failed(at);
      times.push(breaker.openUntil(at)! - at);
      at = breaker.openUntil(at)!;
    }
    expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    breaker.attempted(at);
    breaker.succeeded(at);
    for (let n = 0; n < 3; n++) breaker.failed(at);
    expect(breaker.openUntil(at)).toBe(at + 5_000);
  });

  it('ignores outcomes of attempts that began before it opened', () => {
    const [older, trial, next] = [{}, {}, {}];
    const breaker = circuitBreaker();
    breaker.attempted(0, older);
    for (let n = 0; n < 3; n++) breaker.failed(0);
    breaker.attempted(5_000, trial);
    breaker.succeeded(5_001, older);
    breaker.failed(5_001, undefined, older);
    breaker.inconclusive(older);
    expect([breaker.state(5_001), breaker.allows(5_001)]).toEqual(['half-open', false]);
    breaker.inconclusive(trial); // cancelled: the next one may try
    expect([breaker.state(5_002), breaker.allows(5_002)]).toEqual(['half-open', true]);
    breaker.succeeded(5_002, older);
    breaker.succeeded(5_002, trial);
    expect(breaker.state(5_002)).toBe('half-open');
    breaker.attempted(5_003, next);
    breaker.inconclusive(trial);
    expect(breaker.allows(5_003)).toBe(false);
    breaker.succeeded(5_004, next);
    expect(breaker.allows(5_004)).toBe(true);
  });

  it('opens at once for a given time, which a later failure does not shorten', () => {
    const breaker = circuitBreaker();
    breaker.failed(0, 30_000);
    breaker.failed(10, 1_000);
    breaker.failed(20);
    expect(breaker.openUntil(20)).toBe(30_000);

    const [older, trial] = [{}, {}];
    const halfOpen = opened();
    halfOpen.attempted(5_000, trial);
    halfOpen.failed(5_001, 5_000, older);
    expect(halfOpen.openUntil(5_001)).toBe(10_001);
    halfOpen.succeeded(5_002, trial);
    expect([halfOpen.state(5_002), halfOpen.allows(10_001)]).toEqual(['open', true]);
    halfOpen.succeeded(10_002, trial); // no longer the trial
    expect(halfOpen.state(10_002)).toBe('half-open');
  });

  it('does not stay open longer when the clock is set back', () => {
    const breaker = circuitBreaker();
    for (let n = 0; n < 3; n++) breaker.failed(3_600_000);
    expect([breaker.openUntil(0), breaker.state(4_999), breaker.state(5_000)]).toEqual([5_000, 'open', 'half-open']);
  });
});
