import { z } from 'zod';
import type { Step } from '../../mind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { readAll } from '../../steps/calls.ts';
import { periodOf, plannedRounds } from './period.ts';
import { mergePlan, planLines, readPlan } from './plan.ts';
import { memoryOf } from './recall.ts';

/** Asks for a sentence for each coming round. New lines replace those of the plan, others stay. */
export const planKind = stepKind({
  step: 'lan-plan',
  description: 'Plans one sentence for each coming round, and keeps the lines of the last plan that are not replaced.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of a plan'),
  }),
  create({ prompt: path, ...sampling }, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(path);
    return {
      kind: 'plan',
      chain: 1,
      async run(mind, moment, tools) {
        const rounds = plannedRounds(periodOf(moment));
        const format = {
          type: 'object',
          properties: Object.fromEntries(rounds.map((round) => [round, { type: 'string', minLength: 1, maxLength: 300 }])),
          required: rounds,
          additionalProperties: false,
        };
        const [made = {}] = await readAll(tools, [{ messages: prompt.messages(mind, moment), format, ...sampling }], (content) => {
          const value = readPlan(content, rounds);
          return Object.keys(value).length ? { value } : { wrong: `It had no sentence for ${rounds.join(', ')}.` };
        });
        const memory = memoryOf(mind);
        const plan = mergePlan(memory.plan, made);
        return { notes: { ...mind.notes, lan: { ...memory, plan }, plan: planLines(plan, rounds) } };
      },
      shows: (_, { notes }) => ({ plan: notes['plan'] }),
    };
  },
});
