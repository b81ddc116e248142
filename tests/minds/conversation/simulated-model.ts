import type { Tools } from '@maw/minds/mind.ts';
import { answerTo } from '@maw/ollama-sim/answer/answer.ts';

/** The stand-in model, without a server: its answers depend on the prompt and on the seed of the request. */
export const simulatedModel = (now: number): Tools => ({
  complete: async ({ messages, format, seed = 0 }) => {
    const { content } = answerTo({ messages, format, think: undefined, tools: [] }, `${seed}`);
    return { content, model: 'sim', tokens: { prompt: 1, completion: 1 } };
  },
  embed: () => Promise.reject(new Error('the check needs no embeddings')),
  record: async () => {},
  now: () => now,
  signal: new AbortController().signal,
});
