import { describe, expect, it } from '@jest/globals';
import type { CompletionRequest, Mind, Recipe } from '@maw/minds/mind.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { think } from '@maw/minds/think.ts';
import { newMemory } from '@maw/player/state/memory.ts';
import { PAIRS } from '../equipment/leaks/world-pairs.ts';
import type { PlayedWorld, WorldPair } from '../equipment/noninterference/world-pair.ts';
import { decisionsIn, memoryWith, momentIn } from './seat-moments.ts';
import { scriptedModel } from '../equipment/fakes/scripted-model.ts';

// Noninterference of prompts: in worlds that differ only in what a seat may not know, every recipe sends the same.

/** Pairs whose eye is a seat, by rule set. */
const NUMBERS = [1, 4];
/** How many decisions of a game are compared: the last ones know most. */
const LAST = 3;

type Decisions = ReturnType<typeof decisionsIn>;

/** What a recipe sends for the last of these decisions. */
async function sent(recipe: Recipe, decisions: Decisions): Promise<readonly CompletionRequest[]> {
  const all: CompletionRequest[] = [];
  let memory = newMemory;
  for (const [i, message] of decisions.entries()) {
    memory = memoryWith(memory, message);
    if (i < decisions.length - LAST) continue;
    const { tools, calls } = scriptedModel({}, i);
    const moment = momentIn(memory, message, recipe);
    let mind: Mind = await think(recipe, memory.mind, moment, tools);
    // One that has wanted to wait thinks again when the time is nearly over.
    if (mind.pause !== undefined) mind = await think(recipe, mind, { ...moment, now: moment.until - 1, news: [] }, tools);
    memory = { ...memory, mind, pending: [] };
    all.push(...calls);
  }
  return all;
}

/** What the seat of a pair is asked in its worlds, as far as both go. */
function askedIn({ eye, worlds }: WorldPair, spoilt: (world: PlayedWorld) => PlayedWorld = (world) => world): readonly Decisions[] {
  const asked = worlds.map((world) => decisionsIn(spoilt(world)).filter(({ data }) => data.seat === eye));
  const length = Math.min(...asked.map((each) => each.length));
  return asked.map((each) => each.slice(0, length));
}

describe.each(Object.keys(PAIRS))('a seat in %s', (rules) => {
  const pairs = NUMBERS.map((n) => askedIn(PAIRS[rules]!(n)));

  it.each(recipes.filter(({ usesModel }) => usesModel).map((recipe) => [recipe.name, recipe] as const))(
    'gets the same prompts by %s, whatever is hidden from it',
    async (_, recipe) => {
      for (const [one = [], other = []] of pairs) {
        const first = await sent(recipe, one);
        expect(await sent(recipe, other)).toEqual(first);
        expect(first).not.toHaveLength(0);
      }
    },
  );
});

it('notices a game that shows a seat what is hidden from it', async () => {
  const spoilt = ({ set, tape }: PlayedWorld): PlayedWorld => {
    const rules: typeof set.rules = (players, options) => ({ ...set.rules(players, options), see: (event: never) => event });
    return { set: { ...set, rules }, tape };
  };
  const [one = [], other = []] = askedIn(PAIRS['maw']!(4), spoilt);
  const react = findRecipe('react');
  expect(await sent(react, other)).not.toEqual(await sent(react, one));
});
