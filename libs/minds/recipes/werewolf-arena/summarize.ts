import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { askAll } from '../../steps/calls.ts';

const reply = z.object({ reasoning: z.string().max(600), summary: z.string().min(1).max(1500) });
const format = schemaOf(reply);

/** Summarises the debate that has ended, as an observation for the rest of the game. Needs the notes of `day-notes`. */
export const summarizeKind = stepKind({
  step: 'summarize',
  description: 'Summarises the debate of the day that has ended, once.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file; {{note.finished}} is the debate'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of the reply'),
  }),
  create({ prompt, temperature, maxTokens }, setup) {
    const file = setup.prompt(prompt);
    return {
      kind: 'remember',
      chain: 1,
      async run(mind, moment, tools) {
        const [summary] = await askAll(tools, [{ messages: file.messages(mind, moment), format, temperature, maxTokens }], reply);
        const observations = mind.notes['observations'] as readonly string[];
        return summary ? { notes: { ...mind.notes, observations: [...observations, `Your summary: ${sanitize(summary.summary)}`] } } : {};
      },
      shows: (before, { notes }) => (notes === before.notes ? {} : { summary: (notes['observations'] as readonly string[]).at(-1) }),
    };
  },
});
