import { z } from 'zod';
import { decisionsPrompt } from './prompts/prompt.ts';
import { act, namedChoice } from './steps/act.ts';
import { askKind } from './steps/ask.ts';
import { beliefTableKind } from './recipes/onuw/belief-table.ts';
import { bidKind } from './recipes/werewolf-arena/bid.ts';
import { dayNotesKind } from './steps/day-notes.ts';
import { forgetKind } from './steps/forget.ts';
import { intendedVoteKind } from './recipes/werewolf-arena/intended-vote.ts';
import { keepReplyKind } from './steps/keep-reply.ts';
import { lanSteps } from './recipes/lan/steps.ts';
import { sharedPromptOf } from './prompts/layout.ts';
import { modelName, stepKind, type StepKind } from './recipe/step-kind.ts';
import { questCardKind } from './recipes/recon/quest-card.ts';
import { random } from './recipes/random.ts';
import { LANGUAGES } from '@maw/rule-players/conversation/wording.ts';
import { rulesSteps } from './recipes/rules.ts';
import { strategyKind } from './recipes/algorithm-1/strategy.ts';
import { summarizeKind } from './recipes/werewolf-arena/summarize.ts';
import { hearKind, tacticKind } from './recipes/onuw/tactic-step.ts';
import { timeToTalkSteps } from './recipes/time-to-talk/steps.ts';
import { treeOfThoughtsKind } from './recipes/recon/tree-of-thoughts.ts';
import { xuSteps } from './recipes/xu/steps.ts';
import { observe, observeShared, ownResults } from './steps/observe.ts';
import { budget } from './steps/budget.ts';

const none = z.strictObject({});
const reasonChars = z.int().min(20).max(2000).optional().describe('The longest reason in a reply, in characters; absent: no reason');

/** All kinds of step for recipe files. Adding one is one file and one line. */
export const stepKinds: readonly StepKind[] = [
  stepKind({
    step: 'observe',
    description: 'Moves unread lines into the log, takes in the news, and notes the dealt role.',
    parameters: none,
    create: (_, { layout }) => (layout === 'shared' ? observeShared : observe),
  }),
  stepKind({
    step: 'own-results',
    description: 'Marks what only this seat was told, such as what a seer has found, so that the budget drops it last.',
    parameters: none,
    create: () => ownResults,
  }),
  stepKind({
    step: 'budget',
    description: 'Drops the oldest lines of the log so that prompt and reply fit into the tokens of the recipe.',
    parameters: z.strictObject({
      replyTokens: z.int().min(1).describe('Tokens of the longest reply'),
      besides: z
        .int()
        .min(0)
        .optional()
        .describe('Tokens of the longest prompt besides rules and log; absent: those of the default prompt of act'),
      reasonChars,
    }),
    create: ({ replyTokens, ...form }) => budget(replyTokens, form),
  }),
  askKind,
  dayNotesKind,
  forgetKind,
  keepReplyKind,
  strategyKind,
  beliefTableKind,
  hearKind,
  tacticKind,
  bidKind,
  intendedVoteKind,
  summarizeKind,
  questCardKind,
  treeOfThoughtsKind,
  stepKind({
    step: 'act',
    description: 'Asks the model for a decision and makes it legal: one repair, then the fallback, then silence.',
    parameters: z.strictObject({
      prompt: z.string().optional().describe('The prompt file; it needs {{decisions}}. Absent: rules, log, guiding prompt, news'),
      model: modelName.describe('The model; absent: that of the seat'),
      temperature: z.number().min(0).max(2),
      maxTokens: z.int().min(1).describe('Tokens of the reply'),
      reasonChars,
      fallback: z
        .enum(['named', 'none'])
        .default('named')
        .describe('When the model has failed twice: the options that the reply names, if they fit exactly one question; or silence'),
    }),
    create({ prompt, fallback, ...acting }, setup) {
      const file = prompt === undefined ? undefined : setup.prompt(prompt);
      return act(setup.name, {
        ...acting,
        fallback: fallback === 'named' ? namedChoice : () => [],
        ...(file
          ? { promptOf: (mind, moment, ways) => file.messages(mind, moment, { decisions: decisionsPrompt(mind, moment, ways, acting) }) }
          : setup.layout === 'shared'
            ? { promptOf: sharedPromptOf }
            : {}),
      });
    },
  }),
  stepKind({ step: 'rules-record', description: 'Notes claims, votes and results.', parameters: none, create: () => rulesSteps.record }),
  stepKind({
    step: 'rules-believe',
    description: 'Computes a belief over all assignments of roles by Bayes’ rule.',
    parameters: none,
    create: () => rulesSteps.believe,
  }),
  stepKind({
    step: 'rules-act',
    description: 'Acts on that belief.',
    parameters: z.strictObject({
      language: z.enum(LANGUAGES).default('en').describe('The language of its sentences, where the game has them in it'),
    }),
    create: ({ language }) => rulesSteps.act(language),
  }),
  stepKind({ step: 'random', description: 'Makes a legal move at random.', parameters: none, create: () => random }),
  ...xuSteps,
  ...lanSteps,
  ...timeToTalkSteps,
];
