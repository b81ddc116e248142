import { act, namedChoice } from '../steps/act.ts';
import type { Recipe } from '../mind.ts';
import { budget, observe, ownResults } from '../steps/observe.ts';

const REPLY_TOKENS = 500;
/** Part of the schema, so that a reply does not end in the middle of a reason. */
const form = { reasonChars: 400 };

/**
 * Reasoning and acting in one reply (Yao et al., 2022, arXiv:2210.03629), from raw observations: the baseline of document 004. It never
 * forgets its own findings, but the oldest speeches of others. Reasons are recorded, neither spoken nor read again.
 */
export const react: Recipe = {
  name: 'react',
  description: 'Reads what is new, reasons in a few sentences and acts in the same reply: the published ReAct baseline.',
  usesModel: true,
  contextTokens: 8192,
  steps: [
    observe,
    ownResults,
    budget(REPLY_TOKENS, form),
    act('reason and act', { temperature: 0.7, maxTokens: REPLY_TOKENS, fallback: namedChoice, ...form }),
  ],
};
