import { diceOf } from '@maw/games/dice.ts';
import type { Asking, Moment, Recipe, Said } from '../mind.ts';
import { observe } from '../observe.ts';
import { waysOf } from '../schema.ts';

/** Legal moves at random: what every other mind is measured against. */
export const random: Recipe = {
  name: 'random',
  says: 'Legal moves at random, without a model: the floor of every comparison.',
  usesModel: false,
  contextTokens: 0,
  steps: [
    { ...observe, run: async () => ({}) },
    {
      kind: 'act',
      name: 'random',
      run: async (_, moment) => ({ answers: anything(moment) }),
      shows: (_, { answers }) => (answers.length ? { answers } : {}),
    },
  ],
};

/** One of the ways to answer, each as likely, and any of its options. */
function anything(moment: Moment): readonly Said[] {
  const dice = diceOf(moment.seed, `${moment.seat}/${moment.phase}/${moment.iteration}/random`);
  const ways = waysOf(moment);
  const way = ways[dice.below(Math.max(1, ways.length))];
  if (!way?.asking) return [];
  const { id, verb, options, pick, maxChars } = way.asking;
  const text = [...dice.pick(SMALL_TALK)].slice(0, maxChars).join('');
  const chosen = dice
    .shuffle(options)
    .slice(0, verb === 'tell' ? 1 : pick)
    .map(({ is }) => is);
  const says: { readonly [v in Asking['verb']]: readonly string[] } = { say: [text], tell: [...chosen, text], choose: chosen };
  return [{ question: id, says: says[verb] }];
}

const SMALL_TALK = ['Hm.', 'I do not know yet.', 'Let us hear the others.', 'Anything is possible.', 'Who has an idea?'] as const;
