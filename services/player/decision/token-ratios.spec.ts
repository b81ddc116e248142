import { describe, expect, it } from '@jest/globals';
import { estimatedTokens, tokenRatios } from './token-ratios.ts';

/** 1,000 tokens as they are estimated. */
const prompt = [{ role: 'user' as const, content: 'a'.repeat(3_500) }];
const reply = (tokens: number, more: object = {}) => ({ content: '', model: 'm', tokens: { prompt: tokens, completion: 1 }, ...more });

describe('the tokens that a model counts', () => {
  it('are those estimated until it replies, rise at once and fall slowly', () => {
    const ratios = tokenRatios();
    expect(ratios.of('m')).toBe(1);
    ratios.learn('m', prompt, reply(900));
    expect(ratios.of('m')).toBe(0.9);
    ratios.learn('m', prompt, reply(1_300));
    expect(ratios.of('m')).toBe(1.3);
    ratios.learn('m', prompt, reply(980));
    expect(ratios.of('m')).toBeCloseTo(1.28);
    expect([ratios.of('other'), ratios.of(undefined)]).toEqual([1, 1]);
  });

  it('are not learnt from counts that cannot be of the whole prompt alone', () => {
    const ratios = tokenRatios();
    ratios.learn('m', prompt, reply(20)); // the rest was cached
    ratios.learn('m', prompt, reply(0));
    ratios.learn('m', prompt, reply(2_000, { repaired: true }));
    ratios.learn('m', [{ role: 'user', content: 'Hi' }], reply(3));
    expect(ratios.of('m')).toBe(1);
  });

  it('limit the context, whose reply is counted by the model', () => {
    expect(estimatedTokens(8_192, 1)).toBe(8_192);
    expect(estimatedTokens(8_192, 1.6)).toBe(5_120);
    expect(estimatedTokens(8_000, 0.8)).toBe(9_000); // 5,000 of the prompt are 4,000
    expect(estimatedTokens(2_000, 0.8)).toBe(2_000);
  });
});
