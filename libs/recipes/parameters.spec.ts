import { describe, expect, it } from '@jest/globals';
import { modelSettings } from './parameters.ts';
import { cards, findRecipe } from './recipes.ts';

describe('what can be chosen for the model of a seat', () => {
  it.each([
    [{}, {}],
    [{ thinking: 'recipe', topP: '1' }, {}],
    [{ thinking: 'on' }, { think: true }],
    [
      { thinking: 'off', topP: '0.5' },
      { think: false, topP: 0.5 },
    ],
    [{ thinking: 'high' }, { think: 'high' }],
  ])('is %j in every request: %j', (given, settings) => {
    expect(modelSettings(findRecipe('react', cards, given).values)).toEqual(settings);
  });

  it('is no parameter of a recipe without a model', () => {
    expect(() => findRecipe('rules', cards, { thinking: 'on' })).toThrow('the recipe rules has no parameter thinking');
  });

  it('makes the context smaller, never larger', () => {
    const tokens = (context: string) => findRecipe('react', cards, { context }).contextTokens;
    expect([tokens('0'), tokens('2048'), tokens('999999')]).toEqual([8192, 2048, 8192]);
  });
});
