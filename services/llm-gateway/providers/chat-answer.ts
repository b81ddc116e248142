import type { Data } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { RepairHint } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { EmptyAnswer, InvalidAnswer } from './errors.ts';
import type { Takes } from './families/families.ts';
import { inRoles } from './families/message-roles.ts';
import type { ChatOptions, ChatResult } from './provider.ts';
import { type SplitText, thinkingSplitter } from './thinking-tags.ts';
import { toolCallCollector, usesTools } from './families/tools.ts';

/** Characters of content or thinking. */
const MAX_TEXT = 400_000;
const REPAIR_TEMPERATURE_STEP = 0.2;
const MAX_QUOTE = 8_000;
/** Tokens beyond the longest answer for a model that thinks first. */
const THINKING_TOKENS = 2_048;

export type AnswerCollector = ReturnType<typeof answerCollector>;

/**
 * Assembles a streamed answer, and passes each piece of content on to `onPiece`. Thinking tags at the beginning of the text are split off, unless the server splits them itself,
 * or there is a schema, whose check will find them.
 */
export function answerCollector({ format, tools }: Pick<Data<'llm.complete'>, 'format' | 'tools'>, onPiece: (piece: string) => void) {
  let splitter = format === undefined ? thinkingSplitter() : undefined;
  const { calls: toolCalls, add: addCalls } = toolCallCollector();
  const collected = { content: '', thinking: '', isEmpty: true, toolCalls };

  function take({ content, thinking }: SplitText): void {
    collected.content += content;
    collected.thinking += thinking;
    onPiece(content);
    if (Math.max(collected.content.length, collected.thinking.length) > MAX_TEXT)
      throw new InvalidAnswer(`it has more than ${MAX_TEXT} characters`);
  }

  /** The stream is complete. @throws InvalidAnswer */
  function end(): void {
    const last = splitter?.flush();
    splitter = undefined;
    if (last && last.content + last.thinking !== '') take(last);
  }

  return Object.assign(collected, {
    /** Adds a piece as the server splits content and thinking. @throws InvalidAnswer */
    add(content: string, thinking: string): void {
      collected.isEmpty &&= content + thinking === '';
      if (thinking !== '') end();
      take(splitter ? splitter.push(content) : { content, thinking });
    },
    /** Adds pieces of calls, unless no tools were offered. @throws InvalidAnswer */
    addCalls: tools ? addCalls : () => undefined,
    end,
  });
}

/**
 * Sampling options under the names both protocols have for them. A repair is a little warmer and uses another seed, since the same request would
 * get the same answer.
 */
export const samplingOptions = ({ temperature, seed, topP: top_p, stop }: Data<'llm.complete'>, repair: RepairHint | undefined) =>
  omitUndefined({
    temperature: temperature === undefined ? undefined : temperature + (repair ? REPAIR_TEMPERATURE_STEP : 0),
    seed: seed === undefined ? undefined : seed + (repair ? 1 : 0),
    top_p,
    stop,
  });

type Message = Data<'llm.complete'>['messages'][number];

/**
 * The messages, with roles, texts and tools only, as the model takes them; a repair adds the last answer and what was wrong with it.
 * @param toolFields what a message says of tools, in the protocol of the server
 */
export const messagesFor = (
  request: Data<'llm.complete'>,
  repair: RepairHint | undefined,
  { roles }: Takes,
  toolFields: (message: Message, all: readonly Message[]) => object,
) =>
  inRoles(
    [
      ...request.messages.map((message) => ({ role: message.role, content: message.content, ...toolFields(message, request.messages) })),
      ...(repair?.answer ? [{ role: 'assistant' as const, content: repair.answer.slice(0, MAX_QUOTE) }] : []),
      ...(repair?.problem
        ? [
            {
              role: 'user' as const,
              content: `That was not what was asked for: ${repair.problem}. Answer again, with nothing but what was asked for.`,
            },
          ]
        : []),
    ],
    usesTools(request) ? 'any' : roles,
  );

/** How many tokens may be generated, the thinking included. */
export const tokensFor = (maxTokens: number, isThinking: boolean): number => maxTokens + (isThinking ? THINKING_TOKENS : 0);

/**
 * Checks and cleans a complete answer.
 * @param end what the server says of it
 * @throws InvalidAnswer when it did not end by itself or at its longest, is empty, or fails the check
 */
export function checkedAnswer(
  text: SplitText & Pick<AnswerCollector, 'toolCalls'>,
  end: Pick<ChatResult, 'reason' | 'model' | 'tokens'>,
  { check, mustCall }: Pick<ChatOptions, 'check'> & Pick<Data<'llm.complete'>, 'mustCall'>,
): Omit<ChatResult, 'times'> {
  const { toolCalls } = text;
  const hasCalled = toolCalls.length > 0 && CALL_REASONS.has(end.reason);
  const [content, thinking] = [clean(text.content), clean(text.thinking)];
  const reason = hasCalled ? 'stop' : logText(end.reason, 40);
  const answer = { content, ...(thinking === '' ? {} : { thinking }), model: logText(end.model, 200), tokens: end.tokens, reason };
  if (hasCalled) return { ...answer, toolCalls: toolCalls.map((call) => ({ ...call, arguments: clean(call.arguments) })) };
  if (reason !== 'stop' && reason !== 'length') throw new InvalidAnswer(`it ended with "${reason}"`, undefined, end.tokens);
  const cut = reason === 'length' ? `, cut after ${end.tokens.completion} tokens` : '';
  if (content.trim() === '')
    throw new EmptyAnswer(`it is empty${cut}`, end.tokens, { hasThought: thinking !== '', isCut: reason === 'length' });
  const problem = check?.(content);
  if (problem !== undefined) throw new InvalidAnswer(`${problem}${cut}`, content, end.tokens);
  if (mustCall) throw new InvalidAnswer('it calls none of the tools', content, end.tokens);
  return answer;
}

/** How an answer ends that calls tools: Ollama says no more than that it has stopped. */
const CALL_REASONS = new Set(['stop', 'tool_calls', 'function_call']);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Stores and parsers refuse lone surrogates and zero bytes. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
