import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { readCard } from './card.ts';
import { cards, cardsWith, findRecipe, recipeFields } from './recipes.ts';

const HEAD = `name: own
description: A recipe of a test.
parameters:
  K: { type: integer, default: 15, program: 20, minimum: 1, maximum: 50, description: Lines }
  learning: { type: choice, choices: [both, off], default: both, description: What it learns }
`;
const STEPS = `steps: [observe, { step: act, with: { temperature: 0, maxTokens: $K } }]
after:
  - step: learn
  - { step: revise, name: second look, when: { learning: both } }
`;
const card = (text: string) => readCard({ path: 'own.yaml', text, read: () => '' });

it('says of each recipe with a model what its decisions cost', () => {
  expect(cards.filter(({ usesModel, meanCalls }) => usesModel !== (meanCalls !== undefined)).map(({ name }) => name)).toEqual([]);
});

describe('the card of a recipe', () => {
  it('is read without the code of its steps', () => {
    expect(card(`${HEAD}calls: 3\n${STEPS}`)).toMatchObject({
      name: 'own',
      usesModel: true,
      contextTokens: 8192,
      calls: 3,
      after: [{ name: 'learn' }, { name: 'second look' }],
      values: { source: 'paper', K: 15, learning: 'both', layout: 'shared' },
    });
  });

  it('has the steps after a game that its values leave, and refuses values as the whole recipe does', () => {
    const { configure } = card(HEAD + STEPS);
    expect(configure!({ source: 'program', learning: 'off' })).toMatchObject({ values: { K: 20 }, after: [{ name: 'learn' }] });
    expect(() => configure!({ K: 0, Q: 1 })).toThrow(
      'the parameter K of own cannot be 0: it is from 1 to 50; the recipe own has no parameter Q; it has source, K, learning, layout, thinking, topP, context',
    );
  });

  it('is refused with every mistake of its shape, its defaults and its conditions, with their lines', () => {
    const mistakesOf = (text: string) => {
      try {
        return card(text);
      } catch (error) {
        return (error as Error).message.split('\n');
      }
    };
    expect(mistakesOf(HEAD.replace('15', '0') + STEPS)).toEqual(['own.yaml:4: parameters.K.default: it is from 1 to 50']);
    expect(mistakesOf(HEAD + STEPS.replace('{ learning: both }', '{ learning: some, moon: full }'))).toEqual([
      'own.yaml:9: after.1.when.learning: it can never be some: it is one of both, off',
      'own.yaml:9: after.1.when.moon: there is no parameter moon; there are decision, source, K, learning, layout, thinking, topP, context',
    ]);
    expect(mistakesOf('name: Own\nsteps: []\ncolour: red\n')).toHaveLength(4);
  });
});

describe('RECIPES_DIR', () => {
  const folder = temporaryFolder();
  const write = (name: string) => writeFileSync(join(folder, 'mine.yaml'), `name: ${name}\ndescription: My own.\nsteps: [observe]\n`);

  it('adds the cards of a folder', () => {
    write('mine');
    expect(cardsWith(folder).map(({ name }) => name)).toEqual([...cards.map(({ name }) => name), 'mine']);
    expect(findRecipe('mine', cardsWith(folder)).file).toBe(join(folder, 'mine.yaml'));
    expect(cardsWith(undefined)).toBe(cards);
  });

  it('refuses a name that is taken, and a folder that is not there', () => {
    const read = z.object(recipeFields(cardsWith));
    const mistakesOf = (path: string) => read.safeParse({ RECIPES_DIR: path }).error?.issues.map(({ message }) => message);
    write('react');
    expect(mistakesOf(folder)).toEqual([`${folder}: there is a recipe react already; give this one another name`]);
    expect(mistakesOf('/nowhere')).toEqual(['/nowhere: the folder of recipes cannot be read: there is nothing of that name']);
  });
});
