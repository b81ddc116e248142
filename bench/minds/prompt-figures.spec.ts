import { expect, it } from '@jest/globals';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { manyQuestions } from '@maw/tests/equipment/fakes/scripted-model.ts';
import { playDecisions } from '@maw/tests/minds/transcript.ts';
import { parseSeatRecipe } from '@maw/recipes/seat-recipe.ts';
import { promptFigures, sharedPrefix } from './prompt-figures.ts';

it('compares each prompt with the one before of the same seat, or of all seats', () => {
  const prompts = [{ seat: 0, text: 'rules and Ann' }, { seat: 1, text: 'rules and Bob' }, { seat: 0, text: 'rules and one' }]; // prettier-ignore
  expect(sharedPrefix(prompts)).toBeCloseTo(10 / 39);
  expect(sharedPrefix(prompts, 'table')).toBeCloseTo((10 + 10) / 39);
});

it.each([
  ['react', { 'talk': '1/1', 'vote': '1/1', 'secret-choice': '1/1' }],
  ['xu', { 'talk': '11/5', 'vote': '11/5', 'secret-choice': '11/5' }],
  ['xu:source=program', { 'talk': '13/13', 'vote': '13/13', 'secret-choice': '12/12' }],
  ['onuw', { 'talk': '3/3', 'vote': '2/2', 'secret-choice': '1/1' }],
  ['onuw:tactic=none', { 'talk': '2/2', 'vote': '2/2', 'secret-choice': '1/1' }],
])('counts the calls of %s, and the longest chain, in which parallel ones count once', async (mind, expected) => {
  const { recipe, parameters } = parseSeatRecipe(mind);
  const { kinds } = promptFigures(await playDecisions(findRecipe(recipe, recipes, parameters), 'onuw', manyQuestions));
  expect(Object.fromEntries(Object.entries(kinds).map(([kind, counts]) => [kind, Object.keys(counts).join()]))).toEqual(expected);
});
