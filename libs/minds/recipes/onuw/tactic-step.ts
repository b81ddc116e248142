import { diceOf } from '@maw/games/kernel/dice.ts';
import { z } from 'zod';
import { stepKind } from '../../recipe/step-kind.ts';
import { askAll } from '../../steps/calls.ts';
import { nearestTactic, type Tactic, tacticNames, TACTICS } from './tactics.ts';

const parameters = z.strictObject({
  choice: z.enum(['none', 'llm', 'random']).describe('Who chooses: nobody, the model or the dice'),
  prompt: z.string().describe('The prompt file of the model; {{tactics}} are the names with their meaning'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of the reply'),
});

/** The name is taken for the nearest tactic, so any text is valid. */
const reply = z.object({ thought: z.string().max(1000), strategy: z.string().max(100) });
const format = {
  type: 'object',
  properties: { thought: { type: 'string', maxLength: 1000 }, strategy: { type: 'string', enum: tacticNames } },
  required: ['thought', 'strategy'],
  additionalProperties: false,
};

const planOf = (tactic: Tactic): string => `${tactic}: ${TACTICS[tactic]}`;

/** Chooses one of six discussion tactics as the plan for a speech (document 004, section 5.2). */
export const tacticKind = stepKind({
  step: 'tactic',
  description: 'Chooses one of the six discussion tactics of document 004 as the plan of a speech.',
  parameters,
  create({ choice, prompt, temperature, maxTokens }, setup) {
    const file = setup.prompt(prompt, ['tactics']);
    return {
      kind: 'plan',
      chain: choice === 'llm' ? 1 : 0,
      async run(mind, moment, tools) {
        if (choice === 'none') return {};
        if (choice === 'random') {
          const dice = diceOf(moment.seed, `${moment.seat}/${moment.phase}/${moment.iteration}/${setup.name}`);
          return { plan: planOf(tacticNames[dice.below(tacticNames.length)]!) };
        }
        const messages = file.messages(mind, moment, { tactics: tacticNames.map(planOf) });
        const [chosen] = await askAll(tools, [{ messages, format, temperature, maxTokens }], reply);
        return chosen ? { plan: planOf(nearestTactic(chosen.strategy)) } : {};
      },
    };
  },
});
