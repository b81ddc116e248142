import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { checkConversation } from './check.ts';

/** With so few characters for a speech everybody uses plain words. */
const PLAIN = 149;
/** `maw bench conversation` plays more. */
const GAMES = 1;

describe('the speech of rules minds', () => {
  it.each(catalogue.map((set) => [set.name, set] as const))('at %s is fit for people, and answers their questions', async (_, set) => {
    const { findings, asked, answered } = await checkConversation(set, GAMES, 'spec', findRecipe('rules'));
    expect(findings).toEqual([]);
    expect(asked).toBeGreaterThan(0);
    expect(answered / asked).toBeGreaterThanOrEqual(0.9);
  });

  it.each(['werewolf-7', 'avalon', 'onuw'])('changes no choice at %s: plain words lead to the same game', async (name) => {
    const set = catalogue.find((one) => one.name === name)!;
    const choices = async (maxChars: number) => {
      const { tape } = await playGame({
        rules: set,
        players: set.players.usual,
        options: { maxChars },
        seed: 'words',
        recipeFor: () => findRecipe('rules'),
      });
      return tape.flatMap((event) =>
        event.type === 'answered' && !/talk|last-words/.test(event['question'] as string) ? [event['answer']] : [],
      );
    };
    expect(await choices(PLAIN)).toEqual(await choices(PLAIN + 350));
  });
});
