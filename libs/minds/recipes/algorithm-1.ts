import { act, namedChoice } from '../steps/act.ts';
import type { Recipe } from '../mind.ts';
import { budget, observe } from '../steps/observe.ts';

const REPLY_TOKENS = 400;

/** Algorithm 1 of document 000: the unread messages and a guiding prompt go to the model, and its reply is the answer. */
export const algorithm1: Recipe = {
  name: 'algorithm-1',
  description: 'Waits, reads what is new, and speaks, votes or listens: the plain dialogue of the MAW design document.',
  usesModel: true,
  contextTokens: 8192,
  steps: [observe, budget(REPLY_TOKENS), act('decide', { temperature: 0.7, maxTokens: REPLY_TOKENS, fallback: namedChoice })],
};
