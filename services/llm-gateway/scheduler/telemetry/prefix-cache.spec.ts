import { describe, expect, it } from '@jest/globals';
import { prefixes } from './prefix-cache.ts';

/** Of 100 tokens each: milliseconds of a prompt are hundredths of milliseconds per token. */
const took = (prefillMs: number, promptTokens = 100) => ({ promptTokens, prefillMs });

describe('what the time of a prompt tells', () => {
  it('is nothing before it is known how long a cold one takes, then a hit below half of that', () => {
    const { saw } = prefixes();
    expect(saw('m', 's', took(1000))).toBeUndefined();
    expect(saw('m', 's', took(499))).toBe('hit');
    expect(saw('m', 's', took(500))).toBe('miss'); // the cold one is now 10 + 0.2 * (5 - 10) = 9 ms a token
    expect(saw('m', 's', took(451))).toBe('miss');
  });

  it('learns from what was no hit alone: hits do not make the next ones look cold', () => {
    const { saw } = prefixes();
    saw('m', 's', took(1000));
    for (let n = 0; n < 50; n++) expect(saw('m', 's', took(100))).toBe('hit');
    expect(saw('m', 's', took(490))).toBe('hit');
  });

  it('takes one that takes more than twice as long for the first that was really cold', () => {
    const { saw } = prefixes();
    saw('m', 's', took(100));
    expect(saw('m', 's', took(1000))).toBe('miss');
    expect(saw('m', 's', took(450))).toBe('hit');
    const other = prefixes();
    other.saw('m', 's', took(100));
    expect(other.saw('m', 's', took(200))).toBe('miss'); // twice is not more: 1 + 0.2 * (2 - 1) = 1.2 ms a token
    expect(other.saw('m', 's', took(61))).toBe('miss');
  });

  it('is that of a token: a short prompt in a short time is no hit', () => {
    const { saw } = prefixes();
    saw('m', 's', took(1000));
    expect(saw('m', 's', took(320, 32))).toBe('miss');
    expect(saw('m', 's', took(1, 31))).toBeUndefined();
    expect(saw('m', 's', took(0))).toBeUndefined();
  });

  it('is known of each model on each server, until the server is forgotten', () => {
    const { saw, forget } = prefixes();
    saw('m', 's', took(1000));
    expect([saw('n', 's', took(100)), saw('m', 'other', took(100))]).toEqual([undefined, undefined]);
    forget('s');
    expect(saw('m', 's', took(100))).toBeUndefined();
    expect(saw('m', 'other', took(100))).toBe('miss');
  });
});
