import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted } from '../fixtures.suite.ts';
import { type Mind, newMind, type Recipe, type Step } from '../mind.ts';
import { think } from '../think.ts';
import { budget, observe } from './observe.ts';

const news = [{ at: 0, n: 1, text: '[Village] Bob: «hello»' }];
const recipeOf = (...steps: Step[]): Recipe => ({ name: 'one step', description: '', usesModel: true, contextTokens: 4000, steps });

describe('observe', () => {
  it('moves unread lines into the context, so they are new only once', async () => {
    const { tools } = scripted('');
    const recipe = recipeOf(observe);
    const first = await think(recipe, newMind, { ...dayTwo, news }, tools);
    const second = await think(
      recipe,
      first,
      {
        ...dayTwo,
        news: [
          { at: 1, n: 2, text: 'Bob votes for Cid.' },
          { at: 1, n: 3 },
        ],
      },
      tools,
    );
    expect(second.context.lines).toEqual(['[Village] Bob: «hello»']);
    expect(second.unread).toEqual(['Bob votes for Cid.']);
  });
});

describe('budget', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `[Village] Bob: «line number ${i}»`);
  const fit = async (mind: Partial<Mind>, contextTokens: number) =>
    think(recipeOf(budget(100)), { ...newMind, ...mind }, { ...dayTwo, contextTokens }, scripted('').tools);

  it('drops the oldest lines of the context', async () => {
    const mind = await fit({ context: { lines, dropped: 0 } }, 1500);
    expect(mind.context.lines.at(-1)).toBe(lines.at(-1));
    expect(mind.context.dropped).toBe(300 - mind.context.lines.length);
    expect(mind.context.dropped).toBeGreaterThan(100);
  });

  it('prefers unread lines to read ones', async () => {
    const mind = await fit({ context: { lines: lines.slice(0, 100), dropped: 2 }, unread: lines.slice(100) }, 1500);
    expect(mind.unread.at(-1)).toBe(lines.at(-1));
    expect(mind.context.lines).toEqual([]);
    expect(mind.context.dropped + mind.unread.length).toBe(302);
    expect(mind.unread.length).toBeGreaterThan(10);
  });

  it('changes nothing if everything fits', async () => {
    const before = { ...newMind, context: { lines, dropped: 0 } };
    expect((await fit(before, 100_000)).context).toBe(before.context);
  });
});
