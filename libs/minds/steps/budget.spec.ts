import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted } from '../fixtures.suite.ts';
import { type Mind, newMind, type Recipe } from '../mind.ts';
import { think } from '../think.ts';
import { budget } from './budget.ts';

const recipe: Recipe = { name: 'one step', description: '', usesModel: true, contextTokens: 4000, steps: [budget(100)] };

describe('budget', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `[Village] Bob: «line number ${i}»`);
  const fit = async (mind: Partial<Mind>, contextTokens: number) =>
    think(recipe, { ...newMind, ...mind }, { ...dayTwo, contextTokens }, scripted('').tools);

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
