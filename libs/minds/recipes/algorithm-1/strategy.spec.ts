import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted, vote } from '../../fixtures.suite.ts';
import { newMind } from '../../mind.ts';
import type { ParameterValues } from '@maw/recipes/parameters.ts';
import { findRecipe } from '../../recipes.ts';
import { think } from '../../think.ts';

const dealt = [{ at: 0, n: 1, event: { type: 'dealt', roles: ['wolf', 'hidden', 'hidden', 'hidden'] } }];

/** The prompts of two thoughts. */
async function prompts(given: ParameterValues) {
  const model = scripted('{"do":"vote","target":"Bob"}', '{"do":"listen"}');
  const recipe = findRecipe('algorithm-1', undefined, given);
  const mind = await think(recipe, newMind, { ...dayTwo, news: dealt, questions: [vote] }, model.tools);
  await think(recipe, mind, { ...dayTwo, iteration: 1 }, model.tools);
  return model.asked.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
}

describe('algorithm-1', () => {
  it('reads a strategy for its role, or one of its own, and none by default', async () => {
    expect((await prompts({ strategy: 'role' }))[0]).toContain('Your plan: You pass for a Villager,');
    expect((await prompts({ strategy: 'Never vote.' }))[0]).toContain('Your plan: Never vote.\n');
    expect((await prompts({}))[0]).not.toContain('Your plan');
  });

  it('keeps its own replies in the log when asked to', async () => {
    expect((await prompts({ keepReplies: true }))[1]).toContain('(You chose Bob.)');
    expect((await prompts({}))[1]).not.toContain('You chose');
  });
});
