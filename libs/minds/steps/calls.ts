import { Refusal } from '@maw/contracts/refusal.ts';
import type { CompletionReply, CompletionRequest, Tools } from '../mind.ts';
import { readForm } from '../replies/read-form.ts';
import { replyText } from '../replies/reply-text.ts';
import { proseOf } from '../replies/speech.ts';
import { hasTimeAgain } from './budget.ts';
import type { z } from 'zod';

/**
 * Makes calls that run together. Returns the replies in the order of the requests; undefined for those that failed.
 * @throws the error of the first when all have failed; the abort reason of `tools.signal`
 */
async function completeAll(tools: Tools, requests: readonly CompletionRequest[]): Promise<readonly (CompletionReply | undefined)[]> {
  const complete = async (request: CompletionRequest): Promise<CompletionReply> => {
    try {
      return await tools.complete(request);
    } catch (error) {
      const empty = emptyReply(error);
      if (!empty) throw error;
      return empty;
    }
  };
  const results = await Promise.allSettled(requests.map(complete));
  tools.signal.throwIfAborted();
  const [first] = results;
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason;
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
}

/** The reply of a model that answered with nothing, which the gateway refuses; undefined for any other error. */
export const emptyReply = (error: unknown): CompletionReply | undefined =>
  error instanceof Refusal && error.reason === 'invalid-answer'
    ? { content: '', model: 'none', tokens: { prompt: 0, completion: 0 } }
    : undefined;

/** The same for replies in prose: their texts; empty for those that failed. */
export const proseAll = async (tools: Tools, requests: readonly CompletionRequest[]): Promise<readonly string[]> =>
  (await completeAll(tools, requests)).map((reply) => proseOf(reply?.content ?? ''));

/**
 * The same for replies that are JSON by a schema, which is the `format` of the requests. Those that cannot be read are sent back once with the
 * mistake, together, while there is time. Undefined for those that are still invalid.
 * @throws as `completeAll`
 */
export const askAll = <T>(tools: Tools, requests: readonly CompletionRequest[], shape: z.ZodType<T>): Promise<readonly (T | undefined)[]> =>
  readAll(tools, requests, (content, { format = {} }) => readForm(content, shape, format));

/** What a reader makes of a reply: a value, or what is wrong in words for the model. */
type Read<T> = { readonly value: T } | { readonly wrong: string };

/** The same for replies that have a reader of their own. */
export async function readAll<T>(
  tools: Tools,
  requests: readonly CompletionRequest[],
  read: (content: string, request: CompletionRequest) => Read<T>,
): Promise<readonly (T | undefined)[]> {
  const replies = await completeAll(tools, requests);
  const readings = replies.map((reply, i) => (reply ? read(reply.content, requests[i]!) : undefined));
  const results = readings.map((reading) => (reading && 'value' in reading ? reading.value : undefined));
  const again = readings.flatMap((reading, i) =>
    reading && 'wrong' in reading && !replies[i]!.repaired
      ? [{ i, request: corrected(requests[i]!, replies[i]!.content, reading.wrong) }]
      : [],
  );
  if (!again.length || !hasTimeAgain(tools)) return results;
  const repairs = await completeAll(tools, again.map(({ request }) => request)).catch(() => []); // prettier-ignore
  tools.signal.throwIfAborted();
  for (const [n, { i, request }] of again.entries()) {
    const reading = repairs[n] && read(repairs[n].content, request);
    if (reading && 'value' in reading) results[i] = reading.value;
  }
  return results;
}

const corrected = ({ messages, ...request }: CompletionRequest, reply: string, wrong: string): CompletionRequest => ({
  ...request,
  messages: [...messages, ...correction(reply, wrong)],
});

/** The invalid reply, without what it thought, what is wrong with it, and what is asked for. */
export const correction = (reply: string, wrong: string, asked = 'Answer again with one JSON object.'): CompletionRequest['messages'] => [
  ...(replyText(reply) ? [{ role: 'assistant' as const, content: replyText(reply) }] : []),
  { role: 'user', content: `That was not allowed. ${wrong} ${asked}` },
];
