import type { Recipe, Step } from '@maw/minds/mind.ts';
import { rulesPrompt } from '@maw/minds/prompts/prompt.ts';
import { sanitize } from '@maw/minds/sanitize.ts';
import { act, namedChoice } from '@maw/minds/steps/act.ts';
import { observe } from '@maw/minds/steps/observe.ts';
import { budget } from '@maw/minds/steps/budget.ts';

/** Asks the model who is lying, and keeps the reply for the decision. */
const suspect: Step = {
  kind: 'reflect',
  name: 'suspect',
  async run(mind, moment, tools) {
    const { content } = await tools.complete({
      messages: [
        { role: 'system', content: rulesPrompt(moment) },
        { role: 'user', content: [...mind.context.lines, ...mind.unread].join('\n') },
        { role: 'system', content: `You are ${sanitize(moment.name)}. ${sanitize(moment.brief)} Who is lying, and why? Two sentences.` },
      ],
      temperature: 0.3,
      maxTokens: 120,
    });
    return { reflections: [content] };
  },
};

/** Decides in two steps. */
export const twoSteps: Recipe = {
  name: 'two-steps',
  description: 'Asks itself who is lying before it decides.',
  usesModel: true,
  contextTokens: 8192,
  steps: [observe, budget(400), suspect, act('decide', { temperature: 0.7, maxTokens: 400, fallback: namedChoice })],
};
