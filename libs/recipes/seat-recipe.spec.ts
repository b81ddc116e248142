import { describe, expect, it } from '@jest/globals';
import { parseSeatRecipe, splitOutsideQuotes } from './seat-recipe.ts';

describe('parseSeatRecipe', () => {
  it('reads the model of a seat, whose name may have a colon, and values in quotes', () => {
    expect(parseSeatRecipe('xu:model=qwen3:4b;thinking=on')).toEqual({ recipe: 'xu', model: 'qwen3:4b', parameters: { thinking: 'on' } });
    expect(parseSeatRecipe('algorithm-1:strategy="Wait; then vote, late."')).toEqual({
      recipe: 'algorithm-1',
      parameters: { strategy: 'Wait; then vote, late.' },
    });
    expect(splitOutsideQuotes('rules, algorithm-1:strategy="a, b;c",xu', ',')).toEqual(['rules', 'algorithm-1:strategy="a, b;c"', 'xu']);
    expect(() => splitOutsideQuotes('a:b="c', ',')).toThrow('a:b="c: a double quote is not closed');
  });

  it('reads a recipe with its parameters', () => {
    expect(parseSeatRecipe('xu')).toEqual({ recipe: 'xu' });
    expect(parseSeatRecipe('xu:reflection=off; K=10')).toEqual({ recipe: 'xu', parameters: { reflection: 'off', K: '10' } });
    expect(() => parseSeatRecipe('xu:K')).toThrow('xu:K: expected RECIPE:NAME=VALUE;NAME=VALUE, and K is no NAME=VALUE');
    expect(() => parseSeatRecipe('xu;K=1')).toThrow('xu;K=1: expected RECIPE:NAME=VALUE;NAME=VALUE, with a colon after the recipe');
  });
});
