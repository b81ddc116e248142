import { describe, expect, it } from '@jest/globals';
import type { ParameterValues } from '@maw/recipes/parameters.ts';
import type { CompletionRequest, Moment } from '../mind.ts';
import { situationOf } from '../recipe-moments.suite.ts';
import { findRecipe } from '../recipes.ts';
import { scripted } from '../fixtures.suite.ts';
import { newMind } from '../mind.ts';
import { think } from '../think.ts';

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
}

/** A value of the schema: the first option, and a sentence for a text. */
function valueOf({ anyOf, const: only, enum: options, type, properties = {}, items = {}, minItems = 1, minimum = 1 }: Schema): unknown {
  if (anyOf) return valueOf(anyOf[0]!);
  if (only !== undefined) return only;
  if (options) return options[0];
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueOf(each)]));
  if (type === 'array') return Array.from({ length: minItems }, (_, i) => (items.enum ? items.enum[i] : valueOf(items)));
  return type === 'integer' || type === 'number' ? minimum : 'I was at the mill with my brother.';
}

/** How models wrap what they are asked for. */
const wrappers: { readonly [name: string]: (text: string) => string } = {
  'in a fence': (text) => `Sure! Here is my answer:\n\`\`\`json\n${text}\n\`\`\`\n`,
  'after a thought': (text) => `<think>\nBob? Or {"do":"listen"}?\n</think>\n\n${text}`,
  'after a thought without a beginning': (text) => `Bob is too quiet, so I had better\n</think>\n${text}`,
  'in the final channel': (text) =>
    `<|channel|>analysis<|message|>Hm, Bob.<|end|><|start|>assistant<|channel|>final<|message|>${text}<|return|>`,
};
const jsonWrappers: typeof wrappers = {
  ...wrappers,
  'in prose': (text) => `I have decided: ${text}\nI hope that helps, Bob.`,
  'in an array': (text) => `[${text}]`,
  'with a field too many and a comma at its end': (text) => `${text.slice(0, -1)},"mood":"calm",}`,
};

const cases: readonly (readonly [recipe: string, rules: string, given: ParameterValues])[] = [
  ['algorithm-1', 'maw', {}],
  ['react', 'maw', {}],
  ['xu', 'werewolf-7', {}],
  ['lan', 'avalon', {}],
  ['recon', 'avalon', {}],
  ['recon', 'avalon', { tot: true }],
  ['onuw', 'onuw', {}],
  ['onuw', 'onuw', { belief: 'table' }],
  ['werewolf-arena', 'werewolf-7', {}],
  ['werewolf-arena', 'maw', {}],
];

/** What a recipe makes of a model that wraps all it says. */
async function decided([name, rules, given]: (typeof cases)[number], kind: 'talk' | 'choice', wrap?: string) {
  const replyTo = ({ format }: CompletionRequest): string => {
    const text = format ? JSON.stringify(valueOf(format as Schema)) : 'I was at the mill with my brother.';
    const wrapper = wrap === undefined ? undefined : (format ? jsonWrappers : wrappers)[wrap];
    return wrapper ? wrapper(text) : text;
  };
  const model = scripted();
  const asked: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest) => {
    asked.push(request);
    return { content: replyTo(request), model: 'scripted', tokens: { prompt: 1, completion: 1 } };
  };
  const moment: Moment = { ...situationOf(rules, kind), recipe: name };
  const mind = await think(findRecipe(name, undefined, given), newMind, moment, { ...model.tools, complete });
  const shown = model.thoughts.map(({ name: step, content: { calls: _, ...content } }) => [step, content]);
  return { answers: mind.answers, outcome: mind.notes['outcome'], calls: asked.length, shown };
}

describe.each(cases)('the recipe %s in %s with %j', (...which) => {
  describe.each(['talk', 'choice'] as const)('asked for a %s', (kind) => {
    it.each(Object.keys(jsonWrappers))('reads replies that come %s as it reads bare ones, at the first try', async (wrap) => {
      const bare = await decided(which, kind);
      expect(bare.outcome ?? 'valid').toBe('valid');
      expect(await decided(which, kind, wrap)).toEqual(bare);
    });
  });
});
