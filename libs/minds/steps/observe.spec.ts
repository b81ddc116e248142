import { describe, expect, it } from '@jest/globals';
import { dayTwo, scripted } from '../fixtures.suite.ts';
import { newMind, type Recipe } from '../mind.ts';
import { think } from '../think.ts';
import { observe } from './observe.ts';

const news = [{ at: 0, n: 1, text: '[Village] Bob: «hello»' }];
const recipe: Recipe = { name: 'one step', description: '', usesModel: true, contextTokens: 4000, steps: [observe] };

describe('observe', () => {
  it('moves unread lines into the context, so they are new only once', async () => {
    const { tools } = scripted('');
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
