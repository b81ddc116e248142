import { type CompletionRequest, type Mind, type Moment, newMind, type Recipe, type Tools } from './mind.ts';
import { think } from './think.ts';

interface Call {
  readonly step: string;
  readonly request: CompletionRequest;
  readonly reply: string;
}

/** Replies to the calls of a step: one text for all, or one by number of the call within the step. */
export interface Script {
  readonly [step: string]: string | ((prompt: string, number: number) => string);
}

/** One thought of a recipe with a model that replies by step. Calls are in the order in which they were made. */
export async function scriptedThought(
  recipe: Recipe,
  moment: Moment,
  script: Script,
  before: Mind = newMind,
  { onCall, ...more }: { onCall?(): Promise<void> } & Pick<Tools, 'experience' | 'policy' | 'strategies'> = {},
) {
  const calls: Call[] = [];
  const thoughts: { readonly kind: string; readonly name: string; readonly content: { readonly [field: string]: unknown } }[] = [];
  const tools: Tools = {
    async complete(request, step = '') {
      const number = calls.filter((call) => call.step === step).length;
      const made = script[step] ?? '';
      const reply = typeof made === 'string' ? made : made(request.messages.map(({ content }) => content).join('\n'), number);
      calls.push({ step, request, reply });
      await onCall?.();
      return { content: reply, model: 'scripted', tokens: { prompt: 1, completion: 1 } };
    },
    embed: () => Promise.reject(new Error('the script has no embeddings')),
    record: async (thought) => void thoughts.push(thought),
    now: () => 0,
    signal: new AbortController().signal,
    ...more,
  };
  const mind = await think(recipe, before, { ...moment, recipe: recipe.name }, tools);
  return { mind, calls, thoughts, steps: calls.map(({ step }) => step) };
}
