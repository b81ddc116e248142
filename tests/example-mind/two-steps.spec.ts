import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted, vote } from '@maw/minds/fixtures.suite.ts';
import { newMind } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { twoSteps } from './two-steps.ts';

describe('the recipe that docs/minds.md shows', () => {
  it('passes its suspicion on to the decision', async () => {
    const { tools, asked } = scripted('Bob is lying.', '{"do":"vote","target":"Bob"}');
    const mind = await think(twoSteps, newMind, { ...dayTwo, recipe: twoSteps.name, questions: [vote] }, tools);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(asked).toHaveLength(2);
    expect(asked[1]!.messages.map(({ content }) => content).join('\n')).toContain('Bob is lying.');
  });
});
