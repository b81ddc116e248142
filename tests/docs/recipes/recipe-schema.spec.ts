import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { root } from '../../equipment/source/repository.ts';

const folder = join(root, 'recipes');
const ajv = new Ajv2020({ strict: false, allErrors: true });
const validate = ajv.compile(JSON.parse(readFileSync(join(folder, 'recipe.schema.json'), 'utf8')));
const mistakesIn = (recipe: unknown) => (validate(recipe) ? [] : ajv.errorsText(validate.errors));

describe('the published schema of recipes', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('accepts %s', (name) =>
    expect(mistakesIn(parse(readFileSync(join(folder, name), 'utf8')))).toEqual([]),
  );

  it('rejects a step and a field that do not exist', () => {
    const recipe = { name: 'mine', description: 'One of mine.', steps: ['observe'] };
    expect(mistakesIn(recipe)).toEqual([]);
    expect(mistakesIn({ ...recipe, steps: ['observed'] })).not.toEqual([]);
    expect(mistakesIn({ ...recipe, steps: [{ step: 'observe', unless: {} }] })).not.toEqual([]);
  });
});
