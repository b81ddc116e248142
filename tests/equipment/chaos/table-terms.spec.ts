import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { termsOf } from './table-terms.ts';

const all = Array.from({ length: 100 }, (_, n) => termsOf('seed', n));

describe('the tables of a storm', () => {
  it('can all be opened', () => {
    for (const { rules, seats, options } of all) {
      const set = ruleSetNamed(rules, catalogue);
      expect(() => set.rules(seats.length, readOptions(set.options, options))).not.toThrow();
      for (const { kind, recipe } of seats) expect(kind === 'person' ? recipe : findRecipe(recipe!).name).toBe(recipe);
    }
  });

  it('cover all rule sets, and minds with and without a model; every second has people', () => {
    expect(new Set(all.map(({ rules }) => rules))).toEqual(new Set(catalogue.map(({ name }) => name)));
    const minds = all.flatMap(({ seats }) => seats.flatMap(({ recipe }) => (recipe === undefined ? [] : [findRecipe(recipe)])));
    expect(new Set(minds.map(({ usesModel }) => usesModel))).toEqual(new Set([true, false]));
    expect(all.map(({ seats }) => seats.some(({ kind }) => kind === 'person'))).toEqual(all.map((_, n) => n % 2 === 0));
  });

  it('are the same for the same seed', () => {
    expect(termsOf('seed', 7)).toEqual(all[7]);
    expect(termsOf('other', 7)).not.toEqual(all[7]);
  });
});
