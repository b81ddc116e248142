import type { ReplyData, Data } from '@maw/contracts/contracts.ts';
import type { ChatRequest, ChatResponse, Ollama } from 'ollama/browser';
import { z } from 'zod';
import { InvalidAnswer } from './fault.ts';
import { sanitizeText } from '../sanitize-text.ts';
import type { RepairHint } from '../request.ts';
import type { Check } from '../admission/answer-schema.ts';
import { thoughts, type Told } from './thinking-tags.ts';

export interface ChatOptions {
  /** As the server lists it. */
  readonly model: string;
  readonly canThink: boolean;
  readonly numCtx: number;
  readonly keepAlive: string | number;
  readonly check: Check | undefined;
  /** The most it may generate; what the caller asked for, or less when there is no time for more. */
  readonly maxTokens: number;
  /** What was wrong with its last answer: it is told so and asked again. */
  readonly complaint: RepairHint | undefined;
  /** Hears each piece of the answer as it comes. */
  hear(piece: string): void;
}

/** What came of one call; what the gateway alone knows (server, waiting) is added by it. Times in milliseconds. */
export type Chatted = Pick<ReplyData<'llm.complete'>, 'content' | 'thinking' | 'model' | 'tokens' | 'reason'> & {
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
};

/** Longest content or thinking, in characters. */
const LONGEST = 400_000;

/** @throws InvalidAnswer */
function mustBeBounded(...texts: readonly string[]): void {
  if (texts.some(({ length }) => length > LONGEST)) throw new InvalidAnswer(`it has more than ${LONGEST} characters`);
}

/** An answer as it comes. */
export interface Collected extends Told {
  /** Whether nothing has come yet. */
  readonly isEmpty: boolean;
  /** The next piece, as the server parts what is said from what is thought. @throws InvalidAnswer */
  add(content: string, thinking: string): void;
  /** No more comes. @throws InvalidAnswer */
  end(): void;
}

/**
 * Puts an answer together, and has each piece heard. Thoughts that stand in front of a text without a schema are parted from it here, unless the
 * server does so itself; where there is a schema they are for its check to find.
 */
export function collect({ format }: Pick<Data<'llm.complete'>, 'format'>, hear: (piece: string) => void): Collected {
  let parting = format === undefined ? thoughts() : undefined;
  const made = { content: '', thinking: '', isEmpty: true };

  function take(told: Told): void {
    made.content += told.content;
    made.thinking += told.thinking;
    hear(told.content);
    mustBeBounded(made.content, made.thinking);
  }

  function end(): void {
    const last = parting?.rest();
    parting = undefined;
    if (last && last.content + last.thinking !== '') take(last);
  }

  return Object.assign(made, {
    add(content: string, thinking: string) {
      made.isEmpty &&= content + thinking === '';
      if (thinking !== '') end();
      take(parting ? parting.of(content) : { content, thinking });
    },
    end,
  });
}

/**
 * One call of a model server: streamed always, for it shows a stall and can be ended early, then collected and checked; a 200 is not trusted.
 * @throws ServerSaid, InvalidAnswer, or what the network or the client’s signal throws
 */
export async function chat(client: Ollama, asked: Data<'llm.complete'>, options: ChatOptions): Promise<Chatted> {
  const text = collect(asked, options.hear);
  for await (const part of await client.chat(requestOf(asked, options))) {
    text.add(textIn(part.message?.content), textIn(part.message?.thinking));
    if (!part.done) continue;
    text.end();
    return finished(text, part, options.check);
  }
  throw new InvalidAnswer('the stream ended without done');
}

/**
 * Built field by field: images, tools and options of the caller have no way in (the package would read an image from our disk). What needs
 * another load is the gateway’s. Without `think: false` a model that can think does, and pays for it; `truncate: false` has a prompt that is
 * too long refused instead of cut silently. The package’s type does not know that field.
 */
const requestOf = (asked: Data<'llm.complete'>, { model, canThink, numCtx, keepAlive, maxTokens, complaint }: ChatOptions) =>
  ({
    model,
    messages: saidTo(asked, complaint),
    stream: true,
    truncate: false,
    think: asked.think && canThink,
    keep_alive: keepAlive,
    options: {
      num_ctx: numCtx,
      num_predict: Math.min(maxTokens, numCtx),
      ...dialsOf(asked, complaint),
    },
    ...(asked.format === undefined ? {} : { format: asked.format }),
  }) satisfies ChatRequest & { truncate: boolean };

const REPAIR_WARMER = 0.2;
const LONGEST_QUOTE = 8_000;

/**
 * What the answer is drawn by, where it was given, under the names that servers of both kinds have for it. The same again would be said again:
 * a repair is a little warmer, and of another seed.
 */
export const dialsOf = ({ temperature, seed, topP, stop }: Data<'llm.complete'>, complaint: RepairHint | undefined) => ({
  ...(temperature === undefined ? {} : { temperature: temperature + (complaint ? REPAIR_WARMER : 0) }),
  ...(seed === undefined ? {} : { seed: seed + (complaint ? 1 : 0) }),
  ...(topP === undefined ? {} : { top_p: topP }),
  ...(stop === undefined ? {} : { stop }),
});

/** The messages, roles and texts alone, and what was wrong with the last answer to them. */
export const saidTo = (asked: Data<'llm.complete'>, complaint: RepairHint | undefined) => [
  ...asked.messages.map(({ role, content }) => ({ role, content })),
  ...(complaint?.said ? [{ role: 'assistant' as const, content: complaint.said.slice(0, LONGEST_QUOTE) }] : []),
  ...(complaint?.wrong
    ? [
        {
          role: 'user' as const,
          content: `That was not what was asked for: ${complaint.wrong}. Answer again, with nothing but what was asked for.`,
        },
      ]
    : []),
];

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

function finished(text: Told, last: ChatResponse, check: Check | undefined): Chatted {
  const seen = ending.parse(last);
  const tokens = { prompt: seen.prompt_eval_count, completion: seen.eval_count };
  return {
    ...accepted(text, { reason: seen.done_reason, model: seen.model, tokens }, check),
    times: { load: seen.load_duration, prefill: seen.prompt_eval_duration, decode: seen.eval_duration },
  };
}

/**
 * An answer that has come to its end, cleaned, if it is what was asked for.
 * @param end what the server says of it
 * @throws InvalidAnswer when it ended otherwise than by itself or at its longest, is empty, or does not pass the check
 */
export function accepted(text: Told, end: Pick<Chatted, 'reason' | 'model' | 'tokens'>, check: Check | undefined): Omit<Chatted, 'times'> {
  const [content, thinking, reason] = [clean(text.content), clean(text.thinking), sanitizeText(end.reason, 40)];
  if (reason !== 'stop' && reason !== 'length') throw new InvalidAnswer(`it ended with "${reason}"`, undefined, end.tokens);
  const cut = reason === 'length' ? `, cut after ${end.tokens.completion} tokens` : '';
  if (content.trim() === '') throw new InvalidAnswer(`it is empty${cut}`, '', end.tokens);
  const wrong = check?.(content);
  if (wrong !== undefined) throw new InvalidAnswer(`${wrong}${cut}`, content, end.tokens);
  return { content, ...(thinking === '' ? {} : { thinking }), model: sanitizeText(end.model, 200), tokens: end.tokens, reason };
}

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Half characters and zero bytes are refused by stores and by others’ parsers. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
