import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { CompletionRequest, Tools } from '../../mind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { askAll, proseAll } from '../../steps/calls.ts';

const parameters = z.strictObject({
  breadth: z.int().min(1).max(10).describe('How many plans, and how many drafts of the best of them'),
  plan: z.string().describe('The prompt file for a plan'),
  choose: z.string().describe('The prompt file for the choice among {{plans}}'),
  draft: z.string().describe('The prompt file for a draft by {{plan}}'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of a reply'),
});

/** Plans in parallel, a choice among them, and drafts in parallel: the note `drafts`, from which an act chooses. Makes 2b + 1 calls. */
export const treeOfThoughtsKind = stepKind({
  step: 'tree-of-thoughts',
  description: 'Writes several plans, chooses one, and writes several drafts by it.',
  parameters,
  create({ breadth, plan, choose, draft, temperature, maxTokens }, setup) {
    const planFile = setup.prompt(plan);
    const chooseFile = setup.prompt(choose, ['plans']);
    const draftFile = setup.prompt(draft, ['chosen']);
    return {
      kind: 'plan',
      chain: 3,
      async run(mind, moment, tools) {
        const ask = (messages: CompletionRequest['messages']) => ({ messages, temperature, maxTokens });
        const plans = await several(tools, breadth, ask(planFile.messages(mind, moment)));
        const listed = plans.map((text, i) => `Plan ${i + 1}: ${text}`);
        const chosen = await choice(tools, ask(chooseFile.messages(mind, moment, { plans: listed })), plans.length);
        const best = plans[chosen - 1] ?? plans[0]!;
        const drafts = await several(tools, breadth, ask(draftFile.messages(mind, moment, { chosen: best })));
        return { plan: best, notes: { ...mind.notes, drafts: drafts.map((text, i) => `Draft ${i + 1}: ${text}`) } };
      },
      shows: (_, { plan: best, notes }) => ({ plan: best, drafts: notes['drafts'] }),
    };
  },
});

/** Asks the same several times, together. @throws when no reply comes */
async function several(tools: Tools, times: number, request: CompletionRequest): Promise<readonly string[]> {
  const replies = await proseAll(
    tools,
    Array.from({ length: times }, () => request),
  );
  return replies.map(sanitize).filter(Boolean);
}

/** The number of the best, from 1. */
async function choice(tools: Tools, request: CompletionRequest, count: number): Promise<number> {
  const shape = z.object({ reason: z.string().max(600), plan: z.int().min(1).max(count) });
  const [reply] = await askAll(tools, [{ ...request, format: schemaOf(shape) }], shape);
  return reply?.plan ?? 1;
}
