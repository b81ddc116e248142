import { describe, expect, it } from '@jest/globals';
import { parseSeatRecipe } from './seat-recipe.ts';

describe('parseSeatRecipe', () => {
  it('reads a recipe with its parameters', () => {
    expect(parseSeatRecipe('xu')).toEqual({ recipe: 'xu' });
    expect(parseSeatRecipe('xu:reflection=off; K=10')).toEqual({ recipe: 'xu', parameters: { reflection: 'off', K: '10' } });
    expect(() => parseSeatRecipe('xu:K')).toThrow('xu:K: expected RECIPE:NAME=VALUE;NAME=VALUE, and K is no NAME=VALUE');
    expect(() => parseSeatRecipe('xu;K=1')).toThrow('xu;K=1: expected RECIPE:NAME=VALUE;NAME=VALUE, with a colon after the recipe');
  });
});
