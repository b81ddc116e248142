import { describe, expect, it } from '@jest/globals';
import { prefixCacheDetector } from './attempt-metrics.ts';

/** A measured prefill; with the default of 100 tokens, 1,000 ms are 10 ms per token. */
const took = (prefillMs: number, promptTokens = 100) => ({ promptTokens, prefillMs });

describe('prefixCacheDetector', () => {
  it('reports nothing for the first prompt, then a hit below half the cold time', () => {
    const { observe } = prefixCacheDetector();
    expect(observe('m', 's', took(1000))).toBeUndefined();
    expect(observe('m', 's', took(499))).toBe('hit');
    expect(observe('m', 's', took(500))).toBe('miss'); // the cold one is now 10 + 0.2 * (5 - 10) = 9 ms a token
    expect(observe('m', 's', took(451))).toBe('miss');
  });

  it('does not learn from hits', () => {
    const { observe } = prefixCacheDetector();
    observe('m', 's', took(1000));
    for (let n = 0; n < 50; n++) expect(observe('m', 's', took(100))).toBe('hit');
    expect(observe('m', 's', took(490))).toBe('hit');
  });

  it('replaces its estimate when a prompt takes more than twice as long', () => {
    const { observe } = prefixCacheDetector();
    observe('m', 's', took(100));
    expect(observe('m', 's', took(1000))).toBe('miss');
    expect(observe('m', 's', took(450))).toBe('hit');
    const other = prefixCacheDetector();
    other.observe('m', 's', took(100));
    expect(other.observe('m', 's', took(200))).toBe('miss'); // twice is not more: 1 + 0.2 * (2 - 1) = 1.2 ms a token
    expect(other.observe('m', 's', took(61))).toBe('miss');
  });

  it('compares time per token and ignores short prompts', () => {
    const { observe } = prefixCacheDetector();
    observe('m', 's', took(1000));
    expect(observe('m', 's', took(320, 32))).toBe('miss');
    expect(observe('m', 's', took(1, 31))).toBeUndefined();
    expect(observe('m', 's', took(0))).toBeUndefined();
  });

  it('learns for each model and server until the server is removed', () => {
    const { observe, forgetServer } = prefixCacheDetector();
    observe('m', 's', took(1000));
    expect([observe('n', 's', took(100)), observe('m', 'other', took(100))]).toEqual([undefined, undefined]);
    forgetServer('s');
    expect(observe('m', 's', took(100))).toBeUndefined();
    expect(observe('m', 'other', took(100))).toBe('miss');
  });
});
