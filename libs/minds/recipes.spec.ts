import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted } from './fixtures.suite.ts';
import { newMind } from './mind.ts';
import { findRecipe, recipes } from './recipes.ts';
import { think } from './think.ts';

describe('the recipes', () => {
  it('are found by name', () => {
    expect(findRecipe('algorithm-1').name).toBe('algorithm-1');
    expect(findRecipe('rules').usesModel).toBe(false);
  });

  it('are listed in the error for an unknown name', () => {
    expect(() => findRecipe('chess')).toThrow(`there is no recipe chess; there are ${recipes.map(({ name }) => name).join(', ')}`);
  });

  it('are all without mistakes', () => {
    for (const { description } of recipes) expect(description).toMatch(/\.$/);
  });

  it('can be silent: algorithm-1 listens', async () => {
    const model = scripted('{"do":"listen"}');
    expect((await think(findRecipe('algorithm-1'), newMind, dayTwo, model.tools)).answers).toEqual([]);
    expect(model.asked[0]).toMatchObject({ temperature: 0.7 });
  });

  it('without a model report an unknown game', async () => {
    const model = scripted();
    await think(findRecipe('rules'), newMind, { ...dayTwo, rules: { name: 'chess', text: '' } }, model.tools);
    expect(model.thoughts[0]!.content['error']).toMatch(/^the recipe rules plays (\S+, )*maw, (\S+, )*not chess$/);
  });
});
