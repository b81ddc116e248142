import { z } from 'zod';
import { roleText } from '../../prompts/holes.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { printable } from '@maw/text/clean.ts';

/** The strategy of document 000, table 3: a text that a seat reads before it decides. */
export const strategyKind = stepKind({
  step: 'strategy',
  description: 'Sets the plan to a given text, or to the text `strategy` of the recipe for the dealt role.',
  parameters: z.strictObject({
    text: z.string().describe('none, role, or the strategy itself'),
  }),
  create: ({ text }, { texts }) => ({
    kind: 'plan',
    chain: 0,
    async run(mind, moment) {
      if (text !== 'role') return { plan: text === 'none' ? '' : printable(text) };
      return { plan: [roleText(texts['strategy'] ?? '', mind, moment)].flat().join(' ') };
    },
    shows: (before, { plan }) => (plan === before.plan ? {} : { plan }),
  }),
});
