import type { Answer, Data } from '@maw/contracts/contracts.ts';
import type { ChatRequest, ChatResponse, Ollama } from 'ollama/browser';
import { z } from 'zod';
import { InvalidAnswer } from './fault.ts';
import { plain } from './plain.ts';
import type { Check } from './schema.ts';

export interface ChatOptions {
  /** As the server lists it. */
  readonly model: string;
  readonly canThink: boolean;
  readonly numCtx: number;
  readonly keepAlive: string | number;
  readonly check: Check | undefined;
}

/** What came of one call; what the gateway alone knows (server, waiting) is added by it. Times in milliseconds. */
export type Chatted = Pick<Answer<'llm.complete'>, 'content' | 'thinking' | 'model' | 'tokens' | 'reason'> & {
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
};

/** Longest content or thinking, in characters. */
const LONGEST = 400_000;

/**
 * One call of a model server: streamed always, for it shows a stall and can be ended early, then collected and checked; a 200 is not trusted.
 * @throws ServerSaid, InvalidAnswer, or what the network or the client’s signal throws
 */
export async function chat(client: Ollama, asked: Data<'llm.complete'>, options: ChatOptions): Promise<Chatted> {
  let content = '';
  let thinking = '';
  for await (const part of await client.chat(requestOf(asked, options))) {
    content += textIn(part.message?.content);
    thinking += textIn(part.message?.thinking);
    if (content.length > LONGEST || thinking.length > LONGEST) throw new InvalidAnswer(`it has more than ${LONGEST} characters`);
    if (part.done) return finished({ content: clean(content), thinking: clean(thinking) }, part, options);
  }
  throw new InvalidAnswer('the stream ended without done');
}

/**
 * Built field by field: images, tools and options of the caller have no way in (the package would read an image from our disk). What needs
 * another load is the gateway’s. Without `think: false` a model that can think does, and pays for it; `truncate: false` has a prompt that is
 * too long refused instead of cut silently. The package’s type does not know that field.
 */
const requestOf = (asked: Data<'llm.complete'>, { model, canThink, numCtx, keepAlive }: ChatOptions) =>
  ({
    model,
    messages: asked.messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    truncate: false,
    think: asked.think && canThink,
    keep_alive: keepAlive,
    options: {
      num_ctx: numCtx,
      num_predict: Math.min(asked.maxTokens, numCtx),
      ...(asked.temperature === undefined ? {} : { temperature: asked.temperature }),
      ...(asked.seed === undefined ? {} : { seed: asked.seed }),
    },
    ...(asked.format === undefined ? {} : { format: asked.format }),
  }) satisfies ChatRequest & { truncate: boolean };

const count = z.int().nonnegative().catch(0);
const nanoseconds = z
  .number()
  .nonnegative()
  .catch(0)
  .transform((ns) => Math.round(ns / 1000) / 1000);
/** The last line. Counters that are zero are left out by Ollama. */
const ending = z.object({
  model: z.string().catch('unknown'),
  done_reason: z.string().catch('stop'),
  prompt_eval_count: count,
  eval_count: count,
  load_duration: nanoseconds,
  prompt_eval_duration: nanoseconds,
  eval_duration: nanoseconds,
});

function finished(text: { readonly content: string; readonly thinking: string }, last: ChatResponse, { check }: ChatOptions): Chatted {
  const seen = ending.parse(last);
  const reason = plain(seen.done_reason, 40);
  if (reason !== 'stop' && reason !== 'length') throw new InvalidAnswer(`it ended with "${reason}"`);
  const cut = reason === 'length' ? `, cut after ${seen.eval_count} tokens` : '';
  if (text.content.trim() === '') throw new InvalidAnswer(`it is empty${cut}`);
  const wrong = check?.(text.content);
  if (wrong !== undefined) throw new InvalidAnswer(`${wrong}${cut}`);
  return {
    content: text.content,
    ...(text.thinking === '' ? {} : { thinking: text.thinking }),
    model: plain(seen.model, 200),
    tokens: { prompt: seen.prompt_eval_count, completion: seen.eval_count },
    times: { load: seen.load_duration, prefill: seen.prompt_eval_duration, decode: seen.eval_duration },
    reason,
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Half characters and zero bytes are refused by stores and by others’ parsers. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
