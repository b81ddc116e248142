import { z } from 'zod';
import { wordsFor } from '../../prompts/reply.ts';
import { stepKind } from '../../recipe/step-kind.ts';

/** Casts the vote that was last intended, if it is legal. The steps that need the note `floor` are not run then. */
export const intendedVoteKind = stepKind({
  step: 'intended-vote',
  description: 'Votes for the player of the note `intended` without asking the model again.',
  parameters: z.strictObject({}),
  create: () => ({
    kind: 'plan',
    chain: 0,
    async run({ notes }, { questions }) {
      const asking = questions.find(({ verb, pick }) => verb === 'choose' && pick === 1);
      const option = asking?.options[wordsFor(asking).indexOf(String(notes['intended']))];
      if (!asking || !option) return {};
      return { answers: [{ question: asking.id, says: [option.is] }], notes: { ...notes, intended: undefined, floor: '' } };
    },
    shows: (before, { answers }) => (answers === before.answers ? {} : { answers }),
  }),
});
