import { rulesPrompt } from '@maw/minds/prompts/prompt.ts';
import { stepKind } from '@maw/minds/recipe/step-kind.ts';
import { sanitize } from '@maw/minds/sanitize.ts';
import { z } from 'zod';

/** Asks the model who is lying, and keeps the reply for the decision. */
export const suspectKind = stepKind({
  step: 'suspect',
  description: 'Asks the model who is lying, and why.',
  parameters: z.strictObject({}),
  create: () => ({
    kind: 'reflect',
    async run(mind, moment, tools) {
      const you = `You are ${sanitize(moment.name)}. ${sanitize(moment.brief)} Who is lying, and why? Two sentences.`;
      const { content } = await tools.complete({
        messages: [
          { role: 'system', content: rulesPrompt(moment) },
          { role: 'user', content: [...mind.context.lines, ...mind.unread, you].join('\n') },
        ],
        temperature: 0.3,
        maxTokens: 120,
      });
      return { reflections: [content] };
    },
  }),
});
