import type { Recipe, Step } from '@maw/minds/mind.ts';
import { recipes } from '@maw/minds/recipes.ts';

const bad = (name: string, run: Step['run'], description: string): Recipe => ({
  name,
  description,
  usesModel: false,
  contextTokens: 0,
  steps: [{ kind: 'act', name, run }],
});

/** The recipes of the product, and minds that do what no mind should. */
export const withBadMinds: readonly Recipe[] = [
  ...recipes,
  bad('throws', () => Promise.reject(new Error('no idea')), 'Throws.'),
  bad('waits', () => new Promise(() => undefined), 'Never ends its thought.'),
  bad(
    'spins',
    async () => {
      for (;;);
    },
    'Never ends its thought, and lets nothing else run.',
  ),
  bad('exits', async () => process.exit(3), 'Ends its thread.'),
  bad(
    'rubbish',
    async (_, { questions }) => ({ answers: questions.map(({ id }) => ({ question: id, says: ['rubbish', 'more', 'of it'] })) }),
    'Gives answers that are no options.',
  ),
  bad('garbled', async () => ({ answers: 7 as never }), 'Gives what is no answer.'),
];
