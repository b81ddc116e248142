import { expect, it } from '@jest/globals';
import { mindBody } from './mind-body.ts';

const parameters = [
  { name: 'K', type: 'integer' },
  { name: 'rules', type: 'boolean' },
  { name: 'who', type: 'choice' },
] as const;

it('has what was chosen, each parameter by its type, and what is no number as it was typed', () => {
  const given = { K: '5', rules: 'false', who: '', unknown: '1' };
  expect(mindBody(parameters, { recipe: 'xu', model: '', given })).toEqual({ recipe: 'xu', parameters: { K: 5, rules: false } });
  expect(mindBody(parameters, { recipe: '', model: 'm', given: { K: 'five' } })).toEqual({ model: 'm', parameters: { K: 'five' } });
  expect(mindBody([], { recipe: '', model: 'm', given: {} })).toEqual({ model: 'm' });
});
