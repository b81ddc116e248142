import { z } from 'zod';
import { stepKind } from '../recipe/step-kind.ts';

/** Clears the results of earlier decisions. */
export const forgetKind = stepKind({
  step: 'forget',
  description: 'Clears results of earlier decisions: beliefs, the plan or notes.',
  parameters: z.strictObject({
    what: z.array(z.string().regex(/^(?:beliefs|plan|note\.[A-Za-z][\w-]*)$/, 'it is beliefs, plan or note.NAME')).min(1),
  }),
  create: ({ what }) => ({
    kind: 'remember',
    chain: 0,
    async run({ notes }) {
      const cleared = what.filter((each) => each.startsWith('note.')).map((each) => [each.slice('note.'.length), undefined]);
      return {
        ...(what.includes('beliefs') ? { beliefs: {} } : {}),
        ...(what.includes('plan') ? { plan: '' } : {}),
        ...(cleared.length ? { notes: { ...notes, ...Object.fromEntries(cleared) } } : {}),
      };
    },
    shows: () => ({}),
  }),
});
