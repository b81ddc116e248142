import { describe, expect, it } from '@jest/globals';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { prefixShare, talkative } from './prefix-share.ts';
import { playDecisions } from './transcript.ts';

/** What one slot reads again at least, by recipe, in its own game: measured, less two hundredths. */
const LEAST: readonly (readonly [recipe: string, rules: string, share: number])[] = [
  ['algorithm-1', 'maw', 0.85],
  ['time-to-talk', 'maw', 0.75],
  ['react', 'onuw', 0.8],
  ['onuw', 'onuw', 0.79],
  ['lan', 'avalon', 0.74],
  ['recon', 'avalon', 0.71],
  ['xu', 'werewolf-7', 0.81],
  ['werewolf-arena', 'werewolf-7', 0.66],
];

const SHORT: { readonly [rules: string]: { readonly [option: string]: unknown } } = {
  'maw': { seer: true, maxDays: 3 },
  'avalon': { approval: 'half' },
  'werewolf-7': { maxDays: 3 },
};

async function shareOf(recipe: string, rules: string, layout: string): Promise<number> {
  const decisions = await playDecisions(findRecipe(recipe, recipes, { layout }), rules, talkative, SHORT[rules]);
  return prefixShare(decisions.flatMap(({ calls }) => calls.map(({ messages }) => messages)));
}

describe('the prefix that a prompt of a game shares with the one before, as ChatML renders them', () => {
  it.each(LEAST)('is long in the shared layout: %s in %s', async (recipe, rules, least) => {
    const shared = await shareOf(recipe, rules, 'shared');
    expect(shared).toBeGreaterThan(least);
    expect(shared).toBeGreaterThan(await shareOf(recipe, rules, 'paper'));
  });
});
