import { describe, expect, it } from '@jest/globals';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { isUtterance, readContent } from '@maw/games/aiwolf/language/content.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { countWins, playGame, type WinCount, zOf } from '../../../arena/arena.ts';
import type { Recipe } from '../../../mind.ts';
import { findRecipe } from '../../../recipes.ts';

const rules = findRecipe('rules');
const random = findRecipe('random');
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;

interface Sides {
  readonly village: Recipe;
  /** The wolves, and the possessed. */
  readonly wolves: Recipe;
}
/** How often the village wins. */
const wins = (players: number, games: number, { village, wolves }: Sides): Promise<WinCount> =>
  countWins(games, 'village', {
    rules: aiwolf,
    players,
    options: { turns: 3 }, // who talks at random does not stop sooner
    seed: `${players}`,
    recipeFor: (_, role) => (role === 'werewolf' || role === 'possessed' ? wolves : village),
  });
/** There are no draws. */
const others = ({ games, wins: won }: WinCount): WinCount => ({ games, wins: games - won });

describe('the player of AIWolf without a model', () => {
  it.each([
    { players: 5, floor: 200, village: 30, wolves: 200 },
    { players: 15, floor: 90, village: 12, wolves: 45 },
  ])(
    'of $players wins more often than random play does, against random play: as the village, and as wolves and possessed',
    async (games) => {
      const { players } = games;
      const floor = await wins(players, games.floor, { village: random, wolves: random });
      expect(zOf(await wins(players, games.village, { village: rules, wolves: random }), floor)).toBeGreaterThan(BEYOND_DOUBT);
      expect(zOf(others(await wins(players, games.wolves, { village: random, wolves: rules })), others(floor))).toBeGreaterThan(
        BEYOND_DOUBT,
      );
    },
    120_000,
  );

  it.each([
    { players: 5, games: 40, some: 5 },
    { players: 15, games: 6, some: 1 },
  ])(
    'of $players meets its equal in itself: both sides win some games',
    async ({ players, games, some }) => {
      const { wins: won } = await wins(players, games, { village: rules, wolves: rules });
      expect(won).toBeGreaterThanOrEqual(some);
      expect(won).toBeLessThanOrEqual(games - some);
    },
    120_000,
  );

  it.each([
    [5, {}],
    [15, {}],
    [13, { language: 'free', hurry: true }],
    [9, { voteVisible: false, noExecution: true, noAttack: true, endCheck: 'at-once' }],
    [15, { talkOnFirstDay: true, whisperBeforeRevote: true, utterances: 1, whispers: 1 }],
    [4, { maxChars: 20 }],
    [8, { roles: { villager: 3, possessed: 3, werewolf: 2 } }],
  ])('of %d with %j says nothing that is not of the language, skips no turn and is refused nothing', async (players, options) => {
    const { tape, outcome } = await playGame({ rules: aiwolf, players, options, seed: 'tape', recipeFor: () => rules });
    expect(['village', 'werewolves']).toContain(outcome.winner);
    expect(tape.filter(({ type }) => type === 'passed' || type === 'refused')).toEqual([]);
    const said = tape.flatMap((event) =>
      event.type === 'answered' && /\/(talk|whisper)$/.test(event['question'] as string)
        ? (event['answer'] as { says: string[] }).says
        : [],
    );
    expect(said.length).toBeGreaterThan(players);
    for (const text of said) {
      expect(isUtterance(text)).toBe(true);
      expect(writeContent(readContent(text)!)).toBe(text);
    }
  });

  it('gives every vote that it is asked for, and ends talk when all is said', async () => {
    const { tape } = await playGame({ rules: aiwolf, players: 15, seed: 'talk', recipeFor: () => rules });
    expect(tape.filter((event) => event.type === 'settled' && event['defaulted'])).toEqual([]);
    const turns = tape.flatMap((event) => (event.type === 'ordered' && event['place'] === 'talk' ? [event['turn'] as number] : []));
    expect(Math.max(...turns)).toBeLessThan(12);
  });
});
