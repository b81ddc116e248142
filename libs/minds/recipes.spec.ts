import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted } from './fixtures.suite.ts';
import { newMind } from './mind.ts';
import { findRecipe, recipeFields, recipes, recipesWith } from './recipes.ts';
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

describe('RECIPES_DIR', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maw-recipes-'));
  const write = (file: string, name: string, steps = '[observe, random]') =>
    writeFileSync(join(folder, file), `name: ${name}\ndescription: My own.\nmodel: false\nsteps: ${steps}\n`);

  it('adds the recipes of a folder', () => {
    write('mine.yaml', 'mine');
    expect(recipesWith(folder).map(({ name }) => name)).toEqual([...recipes.map(({ name }) => name), 'mine']);
    expect(recipesWith(undefined)).toBe(recipes);
  });

  it('refuses a folder with every mistake in it, a name that is taken, and a folder that is not there', () => {
    const mistakesOf = (path: string) => recipeFields.RECIPES_DIR.safeParse(path).error?.issues.map(({ message }) => message);
    write('mine.yaml', 'react');
    expect(mistakesOf(folder)).toEqual([`${folder}: there is a recipe react already; give this one another name`]);
    write('mine.yaml', 'mine', '[obscure, rando]');
    expect(mistakesOf(folder)).toEqual([expect.stringContaining('obscure'), expect.stringContaining('rando')]);
    expect(mistakesOf('/nowhere')).toEqual(['/nowhere: the folder of recipes cannot be read: there is nothing of that name']);
  });
});
