import { joinList } from '@maw/games/kernel/format-text.ts';
import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { Mind, Moment, Step } from '../../mind.ts';
import { EXAMPLE_REASON, exampleOptions } from '../../prompts/prompt.ts';
import { type Way, waysOf, wordsFor } from '../../prompts/reply.ts';
import { exampleOf, purposeFor } from '../../prompts/words.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { readReply } from '../../replies/read-reply.ts';
import { readAll } from '../../steps/calls.ts';

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
        const messages = prompt.messages(mind, moment, { actions: actionsText(ways, mind, moment) });
        const format = schemaOf(shapeOf(ways), 'input');
        const [reading] = await readAll(tools, [{ messages, format, ...sampling }], (content) => {
          const read = readReply(content, wordless(ways), moment);
          return 'wrong' in read ? read : { value: read };
        });
        if (!reading) return {};
        const way = ways.find((each) => each.do === reading.way.do)!;
        const says = reading.answers[0]?.says ?? [];
        const decided: Decided = { question: way.asking?.id, says };
        const answers = way.asking?.verb === 'choose' ? reading.answers : [];
        return { answers, notes: { ...mind.notes, decided, action: actionText(way, says) } };
      },
      shows: (_, { notes }) => ({ action: notes['action'] }),
    };
  },
});

/** The schema of a reply: reasoning first, then the action and its targets. */
function shapeOf(ways: readonly Way[]) {
  const shapes = ways.map(({ do: word, asking }) => {
    const reason = z.string().max(REASON_CHARS);
    const words = asking && asking.verb !== 'say' ? wordsFor(asking) : [];
    const count = asking?.verb === 'choose' ? asking.pick : 1;
    const targets = words.length ? { targets: z.array(z.enum(words as [string, ...string[]])).length(count) } : {};
    return z.object({ reason, do: z.literal(word), ...targets });
  });
  return z.union(shapes);
}

/** The ways without words: to speak is only decided, and of a whisper only to whom. */
const wordless = (ways: readonly Way[]): readonly Way[] =>
  ways.map(({ do: word, asking }) => ({ do: word, asking: !asking || asking.verb === 'say' ? undefined : { ...asking, verb: 'choose', pick: asking.verb === 'tell' ? 1 : asking.pick } })); // prettier-ignore

/** The actions with a legal answer of each: models copy whatever stands in the place of one. */
function actionsText(ways: readonly Way[], mind: Mind, moment: Moment): string {
  const lines = ways.map(({ do: word, asking }) => {
    const form = (targets?: readonly string[]) => JSON.stringify({ reason: EXAMPLE_REASON, do: word, targets });
    if (!asking) return `${form()}: stay silent.`;
    if (asking.verb === 'say') return `${form()}: speak.`;
    const legal = exampleOptions(asking, moment);
    const words = wordsFor(asking).join(', ');
    if (asking.verb === 'tell') return `${form([exampleOf(legal, moment)])}: say something to one player alone. One of: ${words}.`;
    const example = asking.pick === 1 ? [exampleOf(legal, moment)] : legal.slice(0, asking.pick);
    const count = asking.pick === 1 ? 'One of' : `${asking.pick} of these, each once`;
    return `${form(example)}: ${purposeFor(asking, mind, moment)} ${count}: ${words}.`;
  });
  return ['Answer with one JSON object, one of these, for example:', ...lines, `"reason" has at most ${REASON_CHARS} characters.`].join(
    '\n',
  );
}

function actionText({ do: word, asking }: Way, says: readonly string[]): string {
  if (!asking) return 'stay silent';
  const words = wordsFor(asking);
  const targets = says.map((is) => words[asking.options.findIndex((option) => option.is === is)]!);
  return targets.length ? `${word} ${joinList(targets)}` : word;
}
