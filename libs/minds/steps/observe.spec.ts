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

  it('files what only the seat knows under the night or day in which it happened', async () => {
    const saw = (n: number, question: string, text: string) => ({ at: n, n, text, event: { type: 'answered', question } });
    const dawn = { at: 3, n: 3, text: 'Day 2 begins.', isPublic: true as const };
    const told = { at: 4, n: 4, text: 'Cid is a Werewolf.', event: { type: 'inspected' } };
    const { tools } = scripted('');
    const nightOne = { ...dayTwo, phase: 'round-1/night-1', news: [saw(2, 'round-1/night-1/inspect', 'You look at Cid.')] };
    const asleep = await think(recipe, newMind, nightOne, tools);
    expect(asleep.unread).toEqual(['Night 1: You look at Cid.']);
    const awake = await think(recipe, asleep, { ...dayTwo, news: [dawn, told] }, tools);
    expect(awake.unread).toEqual(['Day 2 begins.', 'Night 1: Cid is a Werewolf.']);
    const began = { at: 5, n: 5, text: 'Round 2 begins.', isPublic: true as const, event: { type: 'began' } };
    const again = await think(recipe, awake, { ...dayTwo, news: [began, told] }, tools);
    expect(again.unread).toEqual(['Round 2 begins.', 'Cid is a Werewolf.']);
  });
});
