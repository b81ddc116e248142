import { z } from 'zod';
import { kindOfDecision } from '../../decision-kind.ts';
import type { Mind, Moment, Step } from '../../mind.ts';
import { type RoleTexts, roleText } from '../../prompts/holes.ts';
import { choicesPrompt } from '../../prompts/prompt.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { addThought, historyOf, markNews, messagesOf } from './memory.ts';

const parameters = z.strictObject({
  recent: z.int().min(0).describe('The number of latest messages shown: K'),
  informative: z.int().min(0).describe('The number of informative messages shown at most: N'),
  log: z.enum(['blocks', 'merged']).describe('The latest, then the informative messages; or both in order of time'),
  rules: z.boolean().describe('Whether the prompts contain rules and advice: Z'),
  predefined: z.enum(['paper', 'program']).describe('Which questions there are'),
  thought: z.boolean().describe('Whether it is told to think step by step'),
});
type Parameters = z.output<typeof parameters>;

/**
 * Scores what is new, and prepares the notes of this thought: `history` (messages), `request`, `predefined` and `questions`, `advice`, `manual`
 * or `bare`. The reflection of the last thought becomes a message.
 */
export const recallKind = stepKind({
  step: 'xu-recall',
  description: 'Scores new messages, and chooses the latest and the informative ones for the prompts of document 001.',
  parameters,
  create: (given, { texts, layout }): Omit<Step, 'name'> => ({
    kind: 'observe',
    async run(mind, moment) {
      const remembered = remember(mind, moment);
      const { predefined, always } = questionsFor(given, texts, remembered, moment);
      const history = historyOf(messagesOf(remembered), layout === 'shared' ? { ...given, log: 'merged' } : given);
      const notes = {
        ...remembered.notes,
        history,
        request: choicesPrompt(remembered, moment).join('\n'), // in words that do not say how to reply
        predefined,
        questions: always,
        answers: [],
        suggestion: '',
        advice: adviceFor(given, moment),
        manual: given.rules ? 'on' : '',
        bare: given.rules ? '' : 'on',
      };
      return { ...remembered, notes };
    },
    shows: () => ({}),
  }),
});

/** The last reflection comes before what is new, which `observe` has put into `unread`. */
function remember(mind: Mind, moment: Moment): Mind {
  const [thought] = mind.reflections;
  const before = thought === undefined ? mind : { ...mind, ...addThought({ ...mind, unread: [] }, thought), unread: mind.unread };
  return { ...before, reflections: [], ...markNews(before, moment) };
}

/** The six questions for all and the three of the role. The program always asks some of them, and one more at the end. */
function questionsFor({ predefined }: Parameters, texts: RoleTexts, mind: Mind, moment: Moment) {
  const listOf = (name: string): readonly string[] => [roleText(texts[name] ?? [], mind, moment)].flat();
  const common = listOf('common');
  const own = listOf('by-role');
  if (predefined === 'paper') return { predefined: [...common, ...own], always: [] };
  const [phase, aim, consequence, isKnown, , guess] = common;
  const isByDay = ['talk', 'vote', 'proposal'].includes(kindOfDecision(moment));
  const given = (questions: readonly (string | undefined)[]) => questions.filter((question) => question !== undefined);
  return { predefined: given([phase, consequence, ...own]), always: given([aim, guess, ...(isByDay ? [isKnown] : [])]) };
}

/** The paper limits what is said. The program does not, and has a tip for choices. */
function adviceFor({ predefined, thought }: Parameters, moment: Moment): readonly string[] {
  const isTalk = kindOfDecision(moment) === 'talk';
  const tip = isTalk ? [] : ['Once you have found an enemy, act against them; once you have found a mate, help them.'];
  return [
    ...(thought ? ['Think step by step in "reason" first.'] : []),
    ...(predefined === 'paper' ? ['What you say has at most 2 sentences.'] : tip),
  ];
}
