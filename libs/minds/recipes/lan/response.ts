import { stepOf } from '@maw/games/kernel/question.ts';
import { z } from 'zod';
import type { Answer, Asking, Mind, Moment, Step } from '../../mind.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { decisionsPrompt } from '../../prompts/prompt.ts';
import { type Way, wordsFor } from '../../prompts/reply.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { act, type Fallback } from '../../steps/act.ts';
import type { Decided } from './action.ts';

/**
 * Words the answer to the host: of the action that was decided, or of any when there is none. An action of silence needs no words. When the
 * words are not clear, the action counts, and without one what `unclearChoice` says.
 */
export const responseKind = stepKind({
  step: 'lan-response',
  description: 'Words the decided action as the answer to the host.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file; it needs {{decisions}}'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of the reply'),
    unclearCard: z.enum(['fail', 'success']).describe('Which card is played when the reply is not clear'),
  }),
  create({ prompt: path, unclearCard, ...sampling }, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(path);
    const step = (draft: readonly Answer[]): Step =>
      act(setup.name, {
        ...sampling,
        promptOf: (mind, moment, ways) => prompt.messages(mind, moment, { decisions: decisionsPrompt(moment, ways) }),
        fallback: (reply, moment, ways) => (draft.length ? draft : unclearChoice(unclearCard)(reply, moment, ways)),
      });
    return {
      kind: 'act',
      async run(mind, moment, tools) {
        const decided = decidedOf(mind, moment);
        if (decided && decided.question === undefined) return { answers: [], notes: forgotten(mind.notes) };
        const questions = decided ? [onlyAnswered(moment, decided)] : moment.questions;
        const change = await step(mind.answers).run(mind, { ...moment, questions }, tools);
        return { ...change, notes: forgotten(change.notes ?? mind.notes) };
      },
      shows: (_, { answers, notes }) => ({ answers, outcome: notes['outcome'] }),
    };
  },
});

/** Without the decision, which is not that of the next thought. */
const forgotten = ({ decided: _, ...notes }: Mind['notes']): Mind['notes'] => notes;

/** The decided question alone. When it is talk, silence is no longer an answer. */
function onlyAnswered({ questions }: Moment, { question }: Decided): Asking {
  const asked = questions.find(({ id }) => id === question)!;
  return asked.verb === 'choose' ? asked : { ...asked, final: true };
}

/** The decision of the action step, if its question is still open. */
function decidedOf({ notes }: Mind, { questions }: Moment): Decided | undefined {
  const decided = notes['decided'] as Decided | undefined;
  return decided && (decided.question === undefined || questions.some(({ id }) => id === decided.question)) ? decided : undefined;
}

/**
 * The choice when a reply is not clear (appendix A.4 of document 003): a vote on a team approves, a card is the one that is said, an
 * assassination is declined; of too many names the first count. Otherwise silence, and the rules decide.
 */
const unclearChoice =
  (card: 'fail' | 'success'): Fallback =>
  (reply, { questions }, ways) => {
    const choices = ways.filter((way) => way.asking?.verb === 'choose');
    const [first, ...others] = choices;
    if (!first?.asking || others.length || questions.length > 1) return [];
    const { id, options } = first.asking;
    const step = stepOf(id);
    if (!reply) return [];
    const usual = { approve: ['approve'], quest: [card, 'success'], assassinate: [] }[step];
    if (!usual) return firstNamed(reply, first);
    const option = usual.find((word) => options.some(({ is }) => is === word));
    return option === undefined ? [] : [{ question: id, says: [option] }];
  };

function firstNamed(reply: string, { asking }: Way): readonly Answer[] {
  const { id, options, pick } = asking!;
  const says = wordsFor(asking!)
    .map((word, i) => ({ is: options[i]!.is, at: reply.search(new RegExp(namePattern(word), 'iu')) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ is }) => is);
  return says.length >= pick ? [{ question: id, says: says.slice(0, pick) }] : [];
}
