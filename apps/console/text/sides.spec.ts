import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { en } from './en.ts';
import { story } from './en-story.ts';

it.each(catalogue)('names each side of $name, and how it won a round', ({ sides = {} }) => {
  expect(Object.keys(en.sides)).toEqual(expect.arrayContaining(Object.keys(sides)));
  expect(Object.keys(story.roundWon)).toEqual(expect.arrayContaining(Object.keys(sides)));
});

it.each(catalogue)('colours each side of $name but the first on the table', ({ sides = {} }) => {
  const css = readFileSync(new URL('../table/circle.module.css', import.meta.url), 'utf8');
  for (const side of Object.keys(sides).slice(1)) expect(css).toContain(`.role[data-side='${side}']`);
});

it('does not say that the Assassin names Merlin, as it may name the lovers', () => {
  expect(en.votes.assassinate).toBe('named by the Assassin');
});
