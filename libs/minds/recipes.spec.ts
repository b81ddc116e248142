import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ParameterValues } from '@maw/recipes/parameters.ts';
import { cards, findRecipe as findCard, recipeFields } from '@maw/recipes/recipes.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { z } from 'zod';
import { dayTwo, scripted } from './fixtures.suite.ts';
import { newMind } from './mind.ts';
import { findRecipe, recipes, recipesWith } from './recipes.ts';
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

describe('the recipes of a folder', () => {
  const folder = temporaryFolder();
  const write = (steps: string) =>
    writeFileSync(join(folder, 'mine.yaml'), `name: mine\ndescription: My own.\nmodel: false\nsteps: ${steps}\n`);

  it('join those of the product', () => {
    write('[observe, random]');
    expect(recipesWith(folder).map(({ name }) => name)).toEqual([...recipes.map(({ name }) => name), 'mine']);
    expect(recipesWith(undefined)).toBe(recipes);
  });

  it('are refused with every step that does not exist', () => {
    write('[obscure, rando]');
    const { error } = z.object(recipeFields(recipesWith)).safeParse({ RECIPES_DIR: folder });
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('obscure'), expect.stringContaining('rando')]);
  });
});

describe('the card of a recipe', () => {
  it.each(recipes.map((recipe) => [recipe.name, recipe] as const))(
    'of %s says what the whole recipe says, for every value',
    (name, recipe) => {
      const variants = Object.entries(recipe.parameters ?? {}).flatMap(([key, terms]): readonly ParameterValues[] =>
        terms.type === 'boolean'
          ? [{ [key]: !terms.default }]
          : terms.type === 'choice'
            ? terms.choices.map((choice) => ({ [key]: choice }))
            : [],
      );
      for (const given of [{}, ...variants]) {
        const { fingerprint: _, steps: _steps, calls: _calls, configure: _configure, ...whole } = findRecipe(name, recipes, given);
        const { calls: _said, configure: _same, ...card } = findCard(name, cards, given);
        expect(card).toEqual({ ...whole, ...(whole.after ? { after: whole.after.map((step) => ({ name: step.name })) } : {}) });
      }
    },
  );
});
