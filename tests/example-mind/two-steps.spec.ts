import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted, vote } from '@maw/minds/fixtures.suite.ts';
import { newMind } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { loadRecipe } from '@maw/minds/recipe/load-recipe.ts';
import { stepKinds } from '@maw/minds/step-kinds.ts';
import { readCard } from '@maw/recipes/card.ts';
import { readRecipeFile } from '@maw/recipes/read-recipes.ts';
import { root } from '../equipment/source/repository.ts';
import { suspectKind } from './suspect.ts';

const file = join(root, 'tests/example-mind/two-steps.yaml');
const twoSteps = readRecipeFile(file, (source) => loadRecipe(source, [...stepKinds, suspectKind]));

describe('the recipe that docs/minds.md shows', () => {
  it('passes its suspicion on to the decision', async () => {
    const { tools, asked } = scripted('Bob is lying.', '{"do":"vote","target":"Bob"}');
    const mind = await think(twoSteps, newMind, { ...dayTwo, recipe: twoSteps.name, questions: [vote] }, tools);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(asked).toHaveLength(2);
    expect(twoSteps.calls).toBe(2);
    expect(asked[1]!.messages.map(({ content }) => content).join('\n')).toContain('Bob is lying.');
  });

  it('has a card without the code of its step', () => {
    expect(readRecipeFile(file, readCard)).toMatchObject({ name: 'two-steps', description: twoSteps.description, usesModel: true });
  });
});
