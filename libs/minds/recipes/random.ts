import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Moment, Step, Answer } from '../mind.ts';
import { waysOf } from '../prompts/reply.ts';

/** Legal moves at random: the baseline for every other mind. */
export const random: Omit<Step, 'name'> = {
  kind: 'act',
  chain: 0,
  run: async (_, moment) => ({ answers: randomAnswer(moment) }),
  shows: (_, { answers }) => (answers.length ? { answers } : {}),
};

/** One of the ways to answer, uniformly, with random options. */
function randomAnswer(moment: Moment): readonly Answer[] {
  // The questions are part of the seed: a vote and a card of one phase are rolled independently.
  const asked = moment.questions.map(({ id }) => id).join(' ');
  const dice = diceOf(moment.seed, `${moment.seat}/${asked}/${moment.iteration}/random`);
  const ways = waysOf(moment);
  const way = ways[dice.below(Math.max(1, ways.length))];
  if (!way?.asking) return [];
  const { id, verb, options, pick, maxChars } = way.asking;
  const words = options.map(({ is }) => is);
  const offered = verb === 'say' && words.length ? words : SMALL_TALK;
  const text = dice.pick(offered as [string, ...string[]]).slice(0, maxChars);
  if (verb === 'say') return [{ question: id, says: [text] }];
  const chosen = dice.shuffle(words).slice(0, verb === 'tell' ? 1 : pick);
  return [{ question: id, says: verb === 'tell' ? [...chosen, text] : chosen }];
}

const SMALL_TALK = ['Hm.', 'I do not know yet.', 'Let us hear the others.', 'Anything is possible.', 'Who has an idea?'] as const;
