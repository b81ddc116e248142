import { describe, expect, it } from '@jest/globals';
import { circuitBreaker } from './circuit-breaker.ts';

const options = { consecutiveFailures: 3, window: 10, openMs: 1000, maxOpenMs: 4000 };
const broken = () => {
  const one = circuitBreaker(options);
  for (let i = 0; i < 3; i++) one.failed(0);
  return one;
};

describe('a breaker', () => {
  it('opens on three failures in a row, not on two', () => {
    const one = circuitBreaker(options);
    one.failed(0);
    one.failed(0);
    expect(one.allows(0)).toBe(true);
    one.failed(0);
    expect([one.state(0), one.allows(0), one.openUntil(0)]).toEqual(['open', false, 1000]);
  });

  it('does not count failures with an answer between them as a row', () => {
    const one = circuitBreaker(options);
    for (const isFine of [false, false, true, false, false])
      if (isFine) one.succeeded(0);
      else one.failed(0);
    expect(one.state(0)).toBe('closed');
  });

  it('opens when more than half of the last fail, however they are spread', () => {
    const one = circuitBreaker(options);
    for (const isFine of [true, false, true, false, true, false, true, false, true])
      if (isFine) one.succeeded(0);
      else one.failed(0);
    one.failed(0);
    expect(one.state(0)).toBe('closed'); // five of ten
    one.failed(0);
    expect(one.state(0)).toBe('open'); // six of the last ten
  });

  it('lets one try once its time is over, and closes when that goes well', () => {
    const one = broken();
    expect([one.state(999), one.state(1000), one.allows(1000)]).toEqual(['open', 'half-open', true]);
    one.attempted(1000);
    expect(one.allows(1000)).toBe(false);
    one.succeeded(1100);
    expect([one.state(1100), one.allows(1100)]).toEqual(['closed', true]);
    one.failed(1200);
    expect(one.state(1200)).toBe('closed'); // and starts counting anew
  });

  it('stays open for twice as long each time that trial fails, up to a bound', () => {
    const one = broken();
    const times: number[] = [];
    for (let at = 1000, i = 0; i < 4; i++) {
      one.attempted(at);
      one.failed(at);
      times.push(one.openUntil(at)! - at);
      at = one.openUntil(at)!;
    }
    expect(times).toEqual([2000, 4000, 4000, 4000]);
  });

  it('lets another try when the one that tried says nothing about it', () => {
    const one = broken();
    one.attempted(1000);
    one.inconclusive();
    expect(one.allows(1000)).toBe(true);
  });

  it('half-open is not closed, opened or given back by jobs that went there before it opened', () => {
    const [older, probe, next] = [{}, {}, {}];
    const one = circuitBreaker(options);
    one.attempted(0, older);
    for (let i = 0; i < 3; i++) one.failed(0);
    one.attempted(1000, probe);
    one.succeeded(1001, older);
    one.failed(1001, undefined, older);
    one.inconclusive(older);
    expect([one.state(1001), one.allows(1001)]).toEqual(['half-open', false]);
    one.inconclusive(probe); // cancelled: the next one may try
    expect([one.state(1002), one.allows(1002)]).toEqual(['half-open', true]);
    one.succeeded(1002, older); // nobody tries: an older answer does not do instead
    one.succeeded(1002, probe);
    expect(one.state(1002)).toBe('half-open');
    one.attempted(1003, next);
    one.inconclusive(probe);
    expect(one.allows(1003)).toBe(false);
    one.succeeded(1004, next);
    expect([one.state(1004), one.allows(1004)]).toEqual(['closed', true]);
  });

  it('half-open is left alone all the same when an older job is told for how long', () => {
    const [older, probe] = [{}, {}];
    const one = broken();
    one.attempted(1000, probe);
    one.failed(1001, 5000, older);
    expect([one.state(1001), one.openUntil(1001)]).toEqual(['open', 6001]);
    one.succeeded(1002, probe); // it had begun before
    expect(one.state(1002)).toBe('open');
    expect(one.allows(6001)).toBe(true);
    one.succeeded(6002, probe); // and is not the one that tries now
    expect(one.state(6002)).toBe('half-open');
  });

  it('may be opened at once for a time, which is never shortened by the next failure', () => {
    const one = circuitBreaker(options);
    one.failed(0, 30_000);
    one.failed(10, 1000);
    one.failed(20);
    expect(one.openUntil(20)).toBe(30_000);
  });

  it('is not closed by an answer to what was asked before it opened', () => {
    const one = broken();
    one.succeeded(500);
    expect(one.state(500)).toBe('open');
  });

  it('is open no longer than it should be when the clock is set back', () => {
    const one = circuitBreaker(options);
    const hour = 3_600_000;
    for (let i = 0; i < 3; i++) one.failed(hour);
    expect([one.state(0), one.openUntil(0)]).toEqual(['open', 1000]);
    expect([one.state(999), one.state(1000)]).toEqual(['open', 'half-open']);
  });

  it('begins with the shortest rest again once it has been well', () => {
    const one = broken();
    one.attempted(1000);
    one.failed(1000); // a trial that failed: twice as long
    expect(one.openUntil(1000)).toBe(3000);
    one.attempted(3000);
    one.succeeded(3000);
    for (let i = 0; i < 3; i++) one.failed(3000);
    expect(one.openUntil(3000)).toBe(4000);
  });
});
