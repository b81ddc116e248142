import type { CompletionReply, CompletionRequest, Thought, Tools } from '@maw/minds/mind.ts';

/** A call of the model, with what was answered. */
export interface ScriptedCall extends CompletionRequest {
  /** The name of the step that asked. */
  readonly step: string;
  reply: string;
}

/** A text, a value that becomes JSON, or a failure. */
export type ScriptedReply = string | object | Error;

/** What the model answers, by the name of the step. A function may check the prompt. A list is answered in turn, its last entry for ever. */
export interface Script {
  readonly [step: string]: ScriptedReply | readonly ScriptedReply[] | ((call: CompletionRequest, count: number) => ScriptedReply);
}

/** The dimensions of the embeddings of a scripted model. */
const DIMENSIONS = 64;

/**
 * A model that answers by the name of the calling step. Steps without a script get a reply that their schema allows, or `STEP says N`.
 * Its embeddings count words, so that texts with the same words are near each other.
 * @param choice which of the allowed replies
 */
export function scriptedModel(script: Script = {}, choice = 0) {
  const calls: ScriptedCall[] = [];
  const thoughts: Thought[] = [];
  const embedded: string[][] = [];
  const over = new AbortController();
  const counts = new Map<string, number>();
  const replyTo = (request: CompletionRequest, step: string): ScriptedReply => {
    const count = counts.get(step) ?? 0;
    counts.set(step, count + 1);
    const scripted = script[step];
    if (scripted === undefined) return request.format ? (sampleOf(request.format, choice + count) as object) : `${step} says ${count + 1}`;
    if (typeof scripted === 'function') return scripted(request, count);
    return Array.isArray(scripted)
      ? (scripted as readonly ScriptedReply[])[Math.min(count, scripted.length - 1)]!
      : (scripted as ScriptedReply);
  };
  const tools: Tools = {
    async complete(request, step = ''): Promise<CompletionReply> {
      const call: ScriptedCall = { ...request, step, reply: '' };
      calls.push(call);
      const reply = replyTo(request, step);
      if (reply instanceof Error) throw reply;
      call.reply = typeof reply === 'string' ? reply : JSON.stringify(reply);
      return { content: call.reply, model: request.model ?? 'scripted', tokens: { prompt: 1, completion: 1 } };
    },
    async embed(texts) {
      embedded.push([...texts]);
      return { embeddings: texts.map(wordVector), model: 'scripted' };
    },
    record: async (thought) => void thoughts.push(thought),
    now: () => 0,
    signal: over.signal,
  };
  return { tools, calls, thoughts, embedded, over };
}

/** A vector of length 1 that counts the words of a text. */
function wordVector(text: string): readonly number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const sign of word) hash = (hash * 31 + sign.codePointAt(0)!) % 65_521;
    vector[hash % DIMENSIONS]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((n) => n / length);
}

type Schema = { readonly [keyword: string]: unknown };

/** A value that a JSON schema allows. @param choice which one */
export function sampleOf(schema: Schema, choice = 0, name = 'text'): unknown {
  const ways = schema['anyOf'] as readonly Schema[] | undefined;
  if (ways) return sampleOf(ways[choice % ways.length]!, choice, name);
  if ('const' in schema) return schema['const'];
  const options = schema['enum'] as readonly unknown[] | undefined;
  if (options) return options[choice % options.length];
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as { readonly [field: string]: Schema }).map(([field, each]) => [
          field,
          sampleOf(each, choice, field),
        ]),
      );
    case 'array': {
      const items = schema['items'] as Schema;
      const names = items['enum'] as readonly unknown[] | undefined;
      const count = Number(schema['minItems'] ?? 0);
      return Array.from({ length: count }, (_, i) =>
        names ? names[(choice + i) % names.length] : sampleOf(items, choice + i, `${name} ${i + 1}`),
      );
    }
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    case 'boolean':
      return false;
    default:
      return `The ${name} ${choice}.`.slice(0, Number(schema['maxLength'] ?? 100));
  }
}

/** A model that asks as many questions as `xu` lets it. */
export const manyQuestions: Script = Object.fromEntries(
  ['select', 'ask'].map((step, i) => [step, ({ format }) => sampleOf(withFullLists(format), i) as object]),
);

const withFullLists = (schema: unknown): { readonly [keyword: string]: unknown } =>
  JSON.parse(JSON.stringify(schema), (_, part: { readonly maxItems?: number } | string | null) =>
    typeof part === 'object' && part !== null && part.maxItems !== undefined ? { ...part, minItems: part.maxItems } : part,
  );
