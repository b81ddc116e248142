import { expect, it } from '@jest/globals';
import { MIND, PERSON, termsOf } from './terms.ts';

it('sends the parameters that were typed for a seat, each by its type', () => {
  const recipes = [{ name: 'react', parameters: [{ name: 'temperature', about: '', type: 'number' as const, default: 1 }] }];
  const draft = { rules: 'maw', rounds: 1, spectators: 'audience', afterwards: 'seats', insight: 'after' } as const;
  const seats = [
    PERSON,
    { ...MIND, recipe: 'react', given: { temperature: '0.2' } },
    { ...MIND, recipe: 'react', given: { temperature: '' } },
    { ...MIND, given: { temperature: '0.2' } },
  ];
  const terms = termsOf({ ...draft, seats, options: { seer: '', days: '2' } }, recipes);
  expect(terms).toEqual({
    ...draft,
    seats: [
      { kind: 'person' },
      { kind: 'mind', recipe: 'react', parameters: { temperature: 0.2 } },
      { kind: 'mind', recipe: 'react' },
      { kind: 'mind' },
    ],
    options: { days: '2' },
  });
});
