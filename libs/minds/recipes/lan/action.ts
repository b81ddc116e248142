import { joinList } from '@maw/games/kernel/format-text.ts';
import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { Answer, Step } from '../../mind.ts';
import { type Way, waysOf, wordsFor } from '../../prompts/reply.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { askAll } from '../../steps/calls.ts';

/** The longest reasoning before an action, in characters. */
const REASON_CHARS = 600;

/** What was decided: the way and its options; the wording follows. */
export interface Decided {
  readonly question: string | undefined;
  readonly says: readonly string[];
}

/**
 * Decides on one kind of action and its options. The result is a draft (`answers`) when it is a choice, and the note `decided`; the note
 * `action` has it in words.
 */
export const actionKind = stepKind({
  step: 'lan-action',
  description: 'Decides on one action: whom to choose, how to vote, which card to play, to speak, or to be silent; not yet the words.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file; it needs {{actions}}'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of the reply'),
  }),
  create({ prompt: path, ...sampling }, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(path, ['actions']);
    return {
      kind: 'plan',
      chain: 1,
      async run(mind, moment, tools) {
        const ways = waysOf(moment);
        if (!ways.length) return {};
        const messages = prompt.messages(mind, moment, { actions: actionsText(ways) });
        const shape = shapeOf(ways);
        const format = schemaOf(shape, 'input');
        const [reply] = await askAll(tools, [{ messages, format, ...sampling }], shape);
        if (!reply) return {};
        const way = ways.find((each) => each.do === reply.do)!;
        const decided = decidedOf(way, reply.targets ?? []);
        const isWhole = way.asking?.verb === 'choose';
        const answers: readonly Answer[] = isWhole ? [{ question: decided.question!, says: decided.says }] : [];
        return { answers, notes: { ...mind.notes, decided, action: actionText(way, reply.targets ?? []) } };
      },
      shows: (_, { notes }) => ({ action: notes['action'] }),
    };
  },
});

/** The reply: reasoning first, then the action and its targets. */
function shapeOf(ways: readonly Way[]) {
  const shapes = ways.map(({ do: word, asking }) => {
    const reason = z.string().max(REASON_CHARS);
    const words = asking && asking.verb !== 'say' ? wordsFor(asking) : [];
    const count = asking?.verb === 'choose' ? asking.pick : 1;
    const targets = words.length ? { targets: z.array(z.enum(words as [string, ...string[]])).length(count).refine(isEachOnce, 'each name once') } : {}; // prettier-ignore
    return z.object({ reason, do: z.literal(word), ...targets });
  });
  return z.union(shapes as [(typeof shapes)[number], ...typeof shapes]) as z.ZodType<{ do: string; targets?: readonly string[] }>;
}

const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;

function actionsText(ways: readonly Way[]): string {
  const lines = ways.map(({ do: word, asking }) => {
    const start = `{"reason":"...","do":"${word}"`;
    if (!asking) return `${start}}: stay silent.`;
    if (asking.verb === 'say') return `${start}}: speak.`;
    const count = asking.verb === 'tell' ? 'one' : String(asking.pick);
    return `${start},"targets":["..."]}: ${count} of ${wordsFor(asking).join(', ')}.`;
  });
  return ['Answer with one JSON object, one of:', ...lines, `"reason" has at most ${REASON_CHARS} characters.`].join('\n');
}

function decidedOf({ asking }: Way, targets: readonly string[]): Decided {
  if (!asking) return { question: undefined, says: [] };
  const words = wordsFor(asking);
  return { question: asking.id, says: targets.map((target) => asking.options[words.indexOf(target)]!.is) };
}

function actionText({ do: word, asking }: Way, targets: readonly string[]): string {
  if (!asking) return 'stay silent';
  return targets.length ? `${word} ${joinList(targets)}` : word;
}
