import { describe, expect, it } from '@jest/globals';
import { breaker } from './breaker.ts';

const options = { inRow: 3, window: 10, openMs: 1000, mostOpenMs: 4000 };
const broken = () => {
  const one = breaker(options);
  for (let i = 0; i < 3; i++) one.failed(0);
  return one;
};

describe('a breaker', () => {
  it('opens on three failures in a row, not on two', () => {
    const one = breaker(options);
    one.failed(0);
    one.failed(0);
    expect(one.mayTry(0)).toBe(true);
    one.failed(0);
    expect([one.state(0), one.mayTry(0), one.until(0)]).toEqual(['open', false, 1000]);
  });

  it('does not count failures with an answer between them as a row', () => {
    const one = breaker(options);
    for (const isFine of [false, false, true, false, false])
      if (isFine) one.passed(0);
      else one.failed(0);
    expect(one.state(0)).toBe('closed');
  });

  it('opens when more than half of the last fail, however they are spread', () => {
    const one = breaker(options);
    for (const isFine of [true, false, true, false, true, false, true, false, true])
      if (isFine) one.passed(0);
      else one.failed(0);
    one.failed(0);
    expect(one.state(0)).toBe('closed'); // five of ten
    one.failed(0);
    expect(one.state(0)).toBe('open'); // six of the last ten
  });

  it('lets one try once its time is over, and closes when that goes well', () => {
    const one = broken();
    expect([one.state(999), one.state(1000), one.mayTry(1000)]).toEqual(['open', 'half-open', true]);
    one.tried(1000);
    expect(one.mayTry(1000)).toBe(false);
    one.passed(1100);
    expect([one.state(1100), one.mayTry(1100)]).toEqual(['closed', true]);
    one.failed(1200);
    expect(one.state(1200)).toBe('closed'); // and starts counting anew
  });

  it('stays open for twice as long each time that trial fails, up to a bound', () => {
    const one = broken();
    const times: number[] = [];
    for (let at = 1000, i = 0; i < 4; i++) {
      one.tried(at);
      one.failed(at);
      times.push(one.until(at)! - at);
      at = one.until(at)!;
    }
    expect(times).toEqual([2000, 4000, 4000, 4000]);
  });

  it('lets another try when the one that tried says nothing about it', () => {
    const one = broken();
    one.tried(1000);
    one.nothing();
    expect(one.mayTry(1000)).toBe(true);
  });

  it('may be opened at once for a time, which is never shortened by the next failure', () => {
    const one = breaker(options);
    one.failed(0, 30_000);
    one.failed(10, 1000);
    one.failed(20);
    expect(one.until(20)).toBe(30_000);
  });

  it('is not closed by an answer to what was asked before it opened', () => {
    const one = broken();
    one.passed(500);
    expect(one.state(500)).toBe('open');
  });

  it('is open no longer than it should be when the clock is set back', () => {
    const one = breaker(options);
    const hour = 3_600_000;
    for (let i = 0; i < 3; i++) one.failed(hour);
    expect([one.state(0), one.until(0)]).toEqual(['open', 1000]);
    expect([one.state(999), one.state(1000)]).toEqual(['open', 'half-open']);
  });

  it('begins with the shortest rest again once it has been well', () => {
    const one = broken();
    one.tried(1000);
    one.failed(1000); // a trial that failed: twice as long
    expect(one.until(1000)).toBe(3000);
    one.tried(3000);
    one.passed(3000);
    for (let i = 0; i < 3; i++) one.failed(3000);
    expect(one.until(3000)).toBe(4000);
  });
});
