import type { Bus, Subscription } from '@maw/bus/bus.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
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

/** Which of several: always the same number, or whatever a function picks. */
type Choice = number | (<T>(from: readonly T[]) => T);

/** A value that a JSON schema allows. @param choice which one */
export function sampleOf(schema: Schema, choice: Choice = 0, name = 'text'): unknown {
  const pick = <T>(from: readonly T[]): T => (typeof choice === 'number' ? from[choice % from.length]! : choice(from));
  const ways = schema['anyOf'] as readonly Schema[] | undefined;
  if (ways) return sampleOf(pick(ways), choice, name);
  if ('const' in schema) return schema['const'];
  const options = schema['enum'] as readonly unknown[] | undefined;
  if (options) return pick(options);
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as { readonly [field: string]: Schema }).map(([field, each]) => [
          field,
          sampleOf(each, choice, field),
        ]),
      );
    case 'array':
      return samplesOf(schema, choice, name);
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    case 'boolean':
      return false;
    default:
      return textFor(schema, choice, name);
  }
}

const NUMBERS = Array.from({ length: 1_000 }, (_, n) => n);

/** A text that says what it is for; reasons are found again by their words. */
function textFor({ examples, maxLength }: Schema, choice: Choice, name: string): string {
  if (typeof choice === 'number') return `The ${name} ${choice}.`.slice(0, Number(maxLength ?? 100));
  if (examples) return choice(examples as readonly string[]);
  const n = choice(NUMBERS);
  return name === 'reason' ? `Because of ${n} things.` : name === 'name' ? `Mind ${n}` : `I have ${n} reasons.`;
}

/** As few as the schema of a list allows; of a list of words each another one. */
function samplesOf({ items, minItems }: Schema, choice: Choice, name: string): readonly unknown[] {
  const each = items as Schema;
  const words = each['enum'] as readonly unknown[] | undefined;
  const count = Number(minItems ?? 0);
  const nth = (i: number): Choice => (typeof choice === 'number' ? choice + i : choice);
  if (!words) return Array.from({ length: count }, (_, i) => sampleOf(each, nth(i), `${name} ${i + 1}`));
  const first = typeof choice === 'number' ? choice : words.indexOf(choice(words));
  return Array.from({ length: count }, (_, i) => words[(first + i) % words.length]);
}

/** A model that asks as many questions as `xu` lets it. */
export const manyQuestions: Script = Object.fromEntries(
  ['select', 'ask'].map((step, i) => [step, ({ format }) => sampleOf(withFullLists(format), i) as object]),
);

/** A schema whose lists must be as long as they may. */
export const withFullLists = (schema: unknown): { readonly [keyword: string]: unknown } =>
  JSON.parse(JSON.stringify(schema), (_, part: { readonly maxItems?: number } | string | null) =>
    typeof part === 'object' && part !== null && part.maxItems !== undefined ? { ...part, minItems: part.maxItems } : part,
  );

/** What a model says that has lost its way. */
const GARBAGE: readonly [string, ...string[]] = [
  '',
  'I would rather not say.',
  '{"do":"vote","target":"Nobody"}',
  '{"do":"fly"}',
  '{"do":"speak","text":""}',
  String.raw`{"do":"speak","text":"a\u0000b\u001b[2J\ud800"}`, // escaped: what could not be kept as it is the gateway lets through to nobody
  '[1,2,3]',
  '{"name":"<script>"}',
  'x'.repeat(5_000),
];

interface RandomModel {
  readonly seed: string;
  /** How many in a hundred replies are garbage, evenly: of ten in a hundred every tenth one. */
  readonly garbage: number;
  /** What garbage is; of many kinds by default. */
  readonly nonsense?: readonly [string, ...string[]];
  /** What is always chosen where it is offered. */
  readonly favours?: readonly string[];
}

/** Answers completions in the place of the gateway: random answers that fit the format, and sometimes garbage. */
export async function fakeModelGateway(bus: Bus, { seed, garbage, nonsense = GARBAGE, favours = [] }: RandomModel) {
  const asked: { readonly agent: string; readonly content: string; readonly isGarbage: boolean }[] = [];
  const listening: Subscription = await bus.consume(
    'llm-gateway',
    ['llm.complete', 'llm.cancel'],
    { concurrency: 100, isSingle: true },
    async (message) => {
      if (message.type !== 'llm.complete') return;
      const dice = diceOf(seed, `${message.data.agent}/${message.id}`);
      const isGarbage = Math.floor(((asked.length + 1) * garbage) / 100) > Math.floor((asked.length * garbage) / 100);
      const content = isGarbage ? dice.pick(nonsense) : JSON.stringify(sampleOf(message.data.format as Schema, favouring(dice, favours)));
      asked.push({ agent: message.data.agent, content, isGarbage });
      const times = { queued: 0, load: 0, prefill: 0, decode: 0, total: 0 };
      return {
        performative: 'agree',
        data: {
          content,
          model: message.data.model ?? 'scripted',
          server: 'here',
          tokens: { prompt: 1, completion: 1 },
          times,
          reason: 'stop',
        },
      };
    },
  );
  return { asked, stop: () => listening.stop() };
}

/** Picks by dice, unless a favourite is there. */
const favouring =
  (dice: Dice, favours: readonly string[]) =>
  <T>(from: readonly T[]): T =>
    from.find((one) => favours.includes(String(one))) ?? from[dice.below(from.length)]!;
