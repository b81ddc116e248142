import type { Message } from '../answer/read-prompt.ts';
import { charsOf, tokenCount } from '../engine/prompt-chunks.ts';
import { HttpError, contextOverflow } from '../errors.ts';

interface TruncatedPrompt {
  readonly messages: readonly Message[];
  /** The messages as one text. */
  readonly prompt: string;
}

const render = (messages: readonly Message[]): string => messages.map((message) => `${message.role}: ${message.content}\n`).join('');

/**
 * Fits the messages into the context as Ollama does: silently drops the oldest but system messages and the last one, then cuts
 * the beginning. @throws HttpError 400 where `truncate` or `shift` forbid it
 */
export const truncatePrompt = (messages: readonly Message[], numCtx: number, truncate: boolean, shift: boolean): TruncatedPrompt => {
  let kept = messages;
  let prompt = render(kept);
  if (tokenCount(prompt) > numCtx && !truncate) throw contextOverflow(tokenCount(prompt), numCtx);
  while (tokenCount(prompt) > numCtx) {
    const oldest = kept.findIndex((message, at) => message.role !== 'system' && at < kept.length - 1);
    if (oldest < 0) break;
    kept = kept.toSpliced(oldest, 1);
    prompt = render(kept);
  }
  if (tokenCount(prompt) <= numCtx) return { messages: kept, prompt };
  if (!shift)
    throw new HttpError(
      400,
      'the prompt is longer than the context length currently available to the model; increase num_ctx or shorten the prompt',
    );
  return { messages: kept, prompt: prompt.slice(-charsOf(numCtx)) };
};
