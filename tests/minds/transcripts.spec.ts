import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { storedTranscript, transcriptOf } from './transcript.ts';

const games = recipes.filter(({ usesModel }) => usesModel).flatMap((recipe) => catalogue.map(({ name }) => ({ recipe, rules: name })));

describe('what a recipe sends in a game', () => {
  it.each(games)('is as stored and read: $recipe.name, $rules (node tests/minds/write-transcripts.ts)', async ({ recipe, rules }) => {
    expect(await transcriptOf(recipe, rules)).toBe(storedTranscript(recipe.name, rules));
  });
});
