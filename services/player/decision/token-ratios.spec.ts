import { describe, expect, it } from '@jest/globals';
import { estimatedTokens, tokenRatios } from './token-ratios.ts';

/** 1,000 tokens as they are estimated. */
const prompt = [{ role: 'user' as const, content: 'a'.repeat(3_500) }];
const reply = (tokens: number, more: object = {}) => ({ content: '', model: 'm', tokens: { prompt: tokens, completion: 1 }, ...more });

describe('the tokens that a model counts', () => {
  it('rise at once, and fall when a whole window of replies is lower', () => {
    const ratios = tokenRatios();
    ratios.learn('m', prompt, reply(1_300));
    expect(ratios.of('m', 8_192)).toBe(1.3);
    for (let i = 0; i < 63; i++) ratios.learn('m', prompt, reply(1_100));
    expect(ratios.of('m', 8_192)).toBe(1.3);
    ratios.learn('m', prompt, reply(500));
    expect(ratios.of('m', 8_192)).toBe(1.1);
    expect([ratios.of('other', 8_192), ratios.of(undefined, 8_192)]).toEqual([1, 1]);
  });

  it('are never fewer than estimated, as half of a prompt may be cached', () => {
    const ratios = tokenRatios();
    for (let i = 0; i < 200; i++) ratios.learn('m', prompt, reply(520));
    expect(ratios.of('m', 8_192)).toBe(1);
  });

  it('are not learnt from counts that cannot be of the prompt alone', () => {
    const ratios = tokenRatios();
    ratios.learn('m', prompt, reply(5_000));
    ratios.learn('m', prompt, reply(2_000, { repaired: true }));
    ratios.learn('m', [{ role: 'user', content: 'Hi' }], reply(3));
    expect(ratios.of('m', 8_192)).toBe(1);
  });

  it('are so many more as the context of the model is smaller than the limit', () => {
    const ratios = tokenRatios();
    ratios.learn('m', prompt, reply(1_250, { context: 2_048 }));
    expect(estimatedTokens(8_192, ratios.of('m', 8_192))).toBe(1_638); // which the model counts as 2,048
    expect(ratios.of('m', 1_024)).toBe(1.25);
    ratios.learn('m', prompt, reply(1_250, { context: 32_768 }));
    expect(ratios.of('m', 8_192)).toBe(1.25);
  });

  it('are as many as estimated for a mind that asks no model, whose memory is stored with it', () => {
    expect(tokenRatios().of(undefined, 0)).toBe(1);
  });

  it('limit the context', () => {
    expect([estimatedTokens(8_192, 1), estimatedTokens(8_192, 1.6)]).toEqual([8_192, 5_120]);
  });
});
