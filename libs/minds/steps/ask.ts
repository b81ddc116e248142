import { z } from 'zod';
import type { CompletionRequest, Mind, Moment, Step, Tools } from '../mind.ts';
import type { HoleValue } from '../prompts/prompt-file.ts';
import { modelName, type RecipePrompt, stepKind } from '../recipe/step-kind.ts';
import { sanitize } from '../sanitize.ts';
import { askAll, proseAll } from './calls.ts';
import { type ReplyFields, replyFieldsShape, replySchema } from './reply-fields.ts';

const parameters = z.strictObject({
  prompt: z.string().describe('The prompt file'),
  kind: z.enum(['remember', 'reflect', 'believe', 'plan']).default('reflect').describe('What the step does, for the record'),
  model: modelName.describe('The model; empty: that of the seat'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of the reply'),
  reply: replyFieldsShape.optional().describe('The fields of a reply in JSON, in order: put reasoning first. Absent: the reply is prose'),
  use: z.string().optional().describe('The field that is kept; absent: the last one; *: all, as {{note.NAME.FIELD}}'),
  into: z
    .string()
    .regex(/^(?:recalled|reflections|beliefs|plan|note\.[A-Za-z][\w-]*)$/, 'it is recalled, reflections, beliefs, plan or note.NAME')
    .describe('Where the result goes: recalled, reflections, beliefs, plan or note.NAME'),
  add: z.boolean().default(false).describe('Whether the result is added to what is there, instead of replacing it'),
  each: z
    .string()
    .regex(/^note\.[A-Za-z][\w-]*$/, 'it is note.NAME')
    .optional()
    .describe('Asks once for each entry of this list, all together; {{item}} is the entry, {{number}} counts from 1'),
});
type Parameters = z.output<typeof parameters>;

/**
 * One call of a model as data: a prompt file, how to ask, and where the result goes. An invalid reply is repaired once; then the step changes
 * nothing.
 */
export const askKind = stepKind({
  step: 'ask',
  description: 'Asks the model something with a prompt file and keeps the result: a memory, a reflection, a belief, a plan or a note.',
  parameters,
  create(given, setup): Omit<Step, 'name'> {
    const fields = Object.keys(given.reply ?? {});
    if (given.use !== undefined && given.use !== '*' && !fields.includes(given.use))
      throw new Error(`use: the reply has no field ${given.use}; it has ${fields.join(', ') || 'none'}`);
    const prompt = setup.prompt(given.prompt, given.each === undefined ? [] : ['item', 'number']);
    return {
      kind: given.kind,
      chain: 1,
      async run(mind, moment, tools) {
        const items = given.each === undefined ? [undefined] : listOf(mind.notes[given.each.slice('note.'.length)]);
        if (!items.length) return {};
        const results = await ask(given, prompt, { mind, moment, tools }, items);
        return results.length ? keep(given, mind, given.each === undefined ? results[0]! : results) : {};
      },
      ...(given.into.startsWith('note.') ? { shows: (before, after) => shownNote(given.into.slice('note.'.length), before, after) } : {}),
    };
  },
});

/** Only the note that changed: others may be long. */
const shownNote = (name: string, before: Mind, after: Mind) => (before.notes === after.notes ? {} : { [name]: after.notes[name] });

const listOf = (note: unknown): readonly unknown[] => (Array.isArray(note) ? note : []);

interface Now {
  readonly mind: Mind;
  readonly moment: Moment;
  readonly tools: Tools;
}

/** One result per item that the model answered. */
async function ask(
  given: Parameters,
  prompt: RecipePrompt,
  { mind, moment, tools }: Now,
  items: readonly unknown[],
): Promise<readonly unknown[]> {
  const { model, temperature, maxTokens, reply } = given;
  const shape = reply && replySchema(reply, moment);
  const requests = items.map((item, i): CompletionRequest => {
    const own: { [hole: string]: HoleValue } =
      item === undefined ? {} : { item: typeof item === 'string' ? item : JSON.stringify(item), number: String(i + 1) };
    const messages = prompt.messages(mind, moment, own);
    return { messages, temperature, maxTokens, ...(model === undefined ? {} : { model }), ...(shape ? { format: shape.format } : {}) };
  });
  if (!shape) return (await proseAll(tools, requests)).map(tidyLines).filter(Boolean);
  const field = given.use ?? lastField(reply);
  return (await askAll(tools, requests, shape.shape)).flatMap((each) => (each ? [tidy(field === '*' ? each : each[field])] : []));
}

const lastField = (reply: ReplyFields): string => Object.keys(reply).at(-1)!;

/** Line by line, so that an echo of others' words cannot leave its line or pass for a mark of the prompt. */
const tidyLines = (text: string): string => text.split('\n').map(sanitize).filter(Boolean).join('\n');

function tidy(value: unknown): unknown {
  if (typeof value === 'string') return tidyLines(value);
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tidy(each)]));
  return value;
}

function keep({ into, add }: Parameters, mind: Mind, result: unknown): Partial<Mind> {
  switch (into) {
    case 'recalled':
    case 'reflections':
      return { [into]: [...(add ? mind[into] : []), ...[result].flat(2).map(String)] };
    case 'plan':
      return { plan: [...(add && mind.plan ? [mind.plan] : []), asLine(result)].join('\n') };
    case 'beliefs': {
      const table = typeof result === 'object' && !Array.isArray(result) ? (result as Mind['beliefs']) : { all: result };
      return { beliefs: { ...(add ? mind.beliefs : {}), ...table } };
    }
    default: {
      const name = into.slice('note.'.length);
      return { notes: { ...mind.notes, [name]: add ? [...listOf(mind.notes[name]), ...[result].flat()] : result } };
    }
  }
}

const asLine = (result: unknown): string =>
  Array.isArray(result) ? result.map(String).join('\n') : typeof result === 'string' ? result : JSON.stringify(result);
