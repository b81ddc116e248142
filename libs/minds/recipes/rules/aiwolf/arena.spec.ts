import { describe, expect, it } from '@jest/globals';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { isUtterance, readContent } from '@maw/games/aiwolf/content.ts';
import { writeContent } from '@maw/games/aiwolf/content-writer.ts';
import { playMany, playWhole, type Tally, zOf } from '../../../arena.ts';
import type { Recipe } from '../../../mind.ts';
import { recipeNamed } from '../../../recipes.ts';

const rules = recipeNamed('rules');
const random = recipeNamed('random');
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;

interface Sides {
  readonly village: Recipe;
  /** The wolves, and the possessed. */
  readonly wolves: Recipe;
}
const wins = (side: 'village' | 'werewolves', { village, wolves }: Sides, players: number, games: number): Promise<Tally> =>
  playMany(games, side, {
    rules: aiwolf,
    players,
    options: { turns: 6 }, // who talks at random does not stop sooner
    seed: `${players}`,
    recipeFor: (_, role) => (role === 'werewolf' || role === 'possessed' ? wolves : village),
  });
const both: Sides = { village: random, wolves: random };

describe('the player of AIWolf without a model', () => {
  it.each([
    [5, 20],
    [15, 8],
  ])(
    'of %d wins more often as the village than random play does, against random wolves',
    async (players, games) => {
      const better = await wins('village', { ...both, village: rules }, players, games);
      expect(zOf(better, await wins('village', both, players, games))).toBeGreaterThan(BEYOND_DOUBT);
    },
    60_000,
  );

  it.each([
    [5, 100],
    [15, 24],
  ])(
    'of %d wins more often as the wolves and the possessed than random play does, against a random village',
    async (players, games) => {
      const better = await wins('werewolves', { ...both, wolves: rules }, players, games);
      expect(zOf(better, await wins('werewolves', both, players, games))).toBeGreaterThan(BEYOND_DOUBT);
    },
    60_000,
  );

  it.each([
    [5, 40, 5],
    [15, 6, 1],
  ])(
    'of %d meets its equal in itself: both sides win some games',
    async (players, games, some) => {
      const { wins: won } = await wins('village', { village: rules, wolves: rules }, players, games);
      expect(won).toBeGreaterThanOrEqual(some);
      expect(won).toBeLessThanOrEqual(games - some);
    },
    60_000,
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
    const { tape, outcome } = await playWhole({ rules: aiwolf, players, options, seed: 'tape', recipeFor: () => rules });
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
    const { tape } = await playWhole({ rules: aiwolf, players: 15, seed: 'talk', recipeFor: () => rules });
    expect(tape.filter((event) => event.type === 'settled' && event['defaulted'])).toEqual([]);
    const turns = tape.flatMap((event) => (event.type === 'ordered' && event['place'] === 'talk' ? [event['turn'] as number] : []));
    expect(Math.max(...turns)).toBeLessThan(12);
  });
});
