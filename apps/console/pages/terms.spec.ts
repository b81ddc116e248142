import { expect, it } from '@jest/globals';
import { maw } from '@maw/games/maw/maw.ts';
import { duration, pace, whole } from '@maw/games/kernel/options.ts';
import { MIND, modelsOf, PERSON, recipesFor, type SeatDraft, termsOf, timeUnitOf, usualOf, withPeople } from './terms.ts';

it('sends the parameters of a seat each by its type, and times in the unit of the option', () => {
  const recipes = [{ name: 'react', parameters: [{ name: 'temperature', about: '', type: 'number' as const, default: 1 }] }];
  const draft = { rules: 'maw', rounds: 1, spectators: 'audience', afterwards: 'seats', insight: 'after' } as const;
  const seats = [
    PERSON,
    { ...MIND, recipe: 'react', given: { temperature: '0.2' } },
    { ...MIND, recipe: 'react', given: { temperature: '' } },
    { ...MIND, given: { temperature: '0.2' } },
  ];
  const terms = termsOf({ ...draft, seats, options: { seer: '', days: '2', dayMs: '2.5', graceSeconds: '20' } }, recipes, maw.options);
  expect(terms).toEqual({
    ...draft,
    seats: [
      { kind: 'person' },
      { kind: 'mind', recipe: 'react', parameters: { temperature: 0.2 } },
      { kind: 'mind', recipe: 'react' },
      { kind: 'mind' },
    ],
    options: { days: '2', dayMs: '150000', graceSeconds: '20' },
  });
});

it('shows the pace of people and its times once a person is to sit, unless another pace is chosen', () => {
  const options = { pace, dayMs: duration('Day', 60_000, 'how long', { people: 300_000 }) };
  const shown = (given: { readonly [name: string]: string }, isForPeople: boolean) =>
    ['pace', 'dayMs'].map((name) => usualOf(options, name, given, isForPeople));
  expect(shown({}, false)).toEqual(['machines', '60000']);
  expect(shown({}, true)).toEqual(['people', '300000']);
  expect(shown({ pace: 'machines' }, true)).toEqual(['people', '60000']);
});

it('shows times that last minutes in minutes, shorter ones in seconds, and other numbers as they are', () => {
  expect(timeUnitOf(duration('Day', 60_000, '', { people: 120_000 }))).toEqual({ unit: 'minutes', size: 60_000 });
  expect(timeUnitOf(duration('Vote', 30_000, '', { people: 60_000 }))).toEqual({ unit: 'seconds', size: 1000 });
  expect(timeUnitOf(whole('Countdown', [0, 3600, 'seconds'], 0, '', 20))).toEqual({ unit: 'seconds', size: 1 });
  expect(timeUnitOf(whole('Turns', [0, 3600, 'turns'], 600, ''))).toBeUndefined();
});

it('seats people first, and gives a seat that no person has the mind of the others', () => {
  const rules = { ...MIND, recipe: 'rules' };
  const draft = { rules: 'maw', rounds: 1, options: {}, spectators: 'audience', afterwards: 'seats', insight: 'after' } as const;
  const of = (seats: readonly SeatDraft[], people: number) => withPeople({ ...draft, seats }, people).seats;
  expect(of([rules, rules, rules], 2)).toEqual([PERSON, PERSON, rules]);
  expect(of([PERSON, PERSON, rules], 1)).toEqual([PERSON, rules, rules]);
  expect(of([PERSON, MIND, rules], 0)).toEqual([MIND, MIND, rules]);
});

it('offers recipes that fit the game, and models that can talk, each once', () => {
  const recipes = [{ name: 'rules' }, { name: 'onuw', games: ['onuw'] }];
  expect(['maw', 'onuw'].map((game) => recipesFor(game, recipes).map(({ name }) => name))).toEqual([['rules'], ['rules', 'onuw']]);
  const servers = [{ models: ['b', 'embed', 'a'], cannotChat: ['embed'] }, { models: ['a'] }];
  expect(modelsOf(servers)).toEqual(['a', 'b']);
});
