import { decisionKinds } from '@maw/games/kernel/rule-set.ts';
import { z } from 'zod';
import { COMMON_NAMES, parameterShape } from './parameters.ts';

const one = z.union([z.string(), z.number(), z.boolean()]);
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a name has small letters, digits and -, at most 40');
const decision = z.enum(decisionKinds);

const when = z
  .object({ decision: z.union([decision, z.array(decision).min(1)]).optional() })
  .catchall(z.union([one, z.array(one).min(1)]))
  .describe('When the step runs: for these kinds of decision, and these values of parameters; all must hold');

const note = z.string().regex(/^note\.[A-Za-z][\w-]*$/, 'it is note.NAME');

const entry = z.strictObject({
  step: z.string().describe('The kind of step'),
  name: z.string().min(1).max(40).optional().describe('Its name in thoughts and metrics; by default the kind'),
  when: when.optional(),
  needs: z
    .union([note, z.array(note).min(1)])
    .optional()
    .describe('It runs only while these notes are not empty'),
  with: z.record(z.string(), z.unknown()).optional().describe('Its parameters; `$name` is the value of a parameter of the recipe'),
});
const steps = z.array(z.union([z.string().transform((step) => ({ step })), entry]));

/** A recipe as its file has it. */
export const recipeFileShape = z.strictObject({
  name: name.describe('The name of the recipe'),
  description: z.string().min(1).describe('One line for lists'),
  model: z.boolean().default(true).describe('Whether it asks a model'),
  ignoresNews: z.boolean().default(false).describe('Whether it never reads what happens'),
  contextTokens: z.int().min(0).default(8192).describe('Tokens of a prompt and its reply together, at most'),
  calls: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Calls of the model per decision at most, for rate limits; absent: the steps in a row'),
  meanCalls: z
    .number()
    .min(1)
    .optional()
    .describe('Calls of the model that a decision takes on average, for whoever chooses among recipes'),
  games: z.array(z.string()).min(1).optional().describe('The rule sets that it is made for; absent: every one. Forms offer it for these'),
  texts: z.string().optional().describe('A YAML file of texts by rule set and role, for {{text.NAME}} in prompts'),
  parameters: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]{0,29}$/, 'a parameter is a word of letters and digits')
        .refine((given) => !COMMON_NAMES.includes(given), `a parameter is not called ${COMMON_NAMES.join(', ')}`),
      parameterShape,
    ) // prettier-ignore
    .default({})
    .describe('What can be chosen per seat'),
  steps: steps.min(1).describe('The steps of a thought, in order'),
  after: steps.default([]).describe('The steps once a game is over'),
});
export type RecipeFile = z.output<typeof recipeFileShape>;
export type StepEntry = z.output<typeof entry>;
