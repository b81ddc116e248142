import { describe, expect, it } from '@jest/globals';
import type { Recipe } from '@maw/minds/mind.ts';
import { type AgentReport, createAgent } from './agent.ts';
import { naturalGame } from './packets.suite.ts';

const [name, initialize] = naturalGame.packets as [string, string];
const whisper = naturalGame.packets[3]!;

/** A recipe that speaks when it is told to. */
function slowRecipe() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const recipe: Recipe = {
    name: 'slow',
    description: '',
    usesModel: false,
    contextTokens: 0,
    steps: [
      {
        kind: 'act',
        name: 'act',
        chain: 0,
        run: async (_, { questions }) => promise.then(() => ({ answers: [{ question: questions[0]!.id, says: ['at last'] }] })),
      },
    ],
  };
  return { recipe, speak: resolve };
}

describe('an agent', () => {
  it('answers NAME while it thinks, and drops the thought that it came into', async () => {
    const { recipe, speak } = slowRecipe();
    const reports: AgentReport[] = [];
    const agent = createAgent({ division: 'natural', name: 'maw1', recipe, seed: '', report: (report) => void reports.push(report) });
    await agent.take(initialize);
    const first = agent.take(whisper);
    expect(await agent.take(name)).toBe('maw1');
    const second = agent.take(whisper);
    speak();
    expect([await first, await second]).toEqual([undefined, 'at last']);
    expect(reports.map(({ type }) => type)).toEqual(['began', 'late']);
  });
});
