import type { CompletionReply, CompletionRequest, Tools } from '../mind.ts';
import { parseObject } from '../prompts/reply.ts';
import type { z } from 'zod';

/**
 * Makes calls that run together. Returns the replies in the order of the requests; undefined for those that failed.
 * @throws the error of the first when all have failed; the abort reason of `tools.signal`
 */
export async function completeAll(tools: Tools, requests: readonly CompletionRequest[]): Promise<readonly (CompletionReply | undefined)[]> {
  const results = await Promise.allSettled(requests.map((request) => tools.complete(request)));
  tools.signal.throwIfAborted();
  const [first] = results;
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason;
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
}

/**
 * The same for replies that are JSON by a schema. Those that are not are sent back once with the mistake, together, unless the gateway did
 * that already. Undefined for those that are still invalid.
 * @throws as `completeAll`
 */
export async function askAll<T>(
  tools: Tools,
  requests: readonly CompletionRequest[],
  shape: z.ZodType<T>,
): Promise<readonly (T | undefined)[]> {
  const replies = await completeAll(tools, requests);
  const readings = replies.map((reply) => (reply ? readJson(reply.content, shape) : undefined));
  const results = readings.map((reading) => reading?.value);
  const again = readings.flatMap((reading, i) =>
    reading?.wrong !== undefined && !replies[i]!.repaired
      ? [{ i, request: corrected(requests[i]!, replies[i]!.content, reading.wrong) }]
      : [],
  );
  if (!again.length) return results;
  const repairs = await completeAll(tools, again.map(({ request }) => request)).catch(() => []); // prettier-ignore
  tools.signal.throwIfAborted();
  for (const [n, { i }] of again.entries()) {
    const repair = repairs[n];
    if (repair) results[i] = readJson(repair.content, shape).value;
  }
  return results;
}

/** A value of the shape, or what is wrong in words for the model. */
function readJson<T>(content: string, shape: z.ZodType<T>): { readonly value?: T; readonly wrong?: string } {
  const raw = parseObject(content);
  if (typeof raw !== 'object' || raw === null) return { wrong: 'It was not one JSON object.' };
  const { success, data, error } = shape.safeParse(raw);
  if (success) return { value: data };
  return { wrong: error.issues.map(({ path, message }) => `${path.length ? `"${path.join('.')}": ` : ''}${message}.`).join(' ') };
}

const corrected = ({ messages, ...request }: CompletionRequest, reply: string, wrong: string): CompletionRequest => ({
  ...request,
  messages: [...messages, ...correction(reply, wrong)],
});

/** The invalid reply and what is wrong with it. */
export const correction = (reply: string, wrong: string): CompletionRequest['messages'] => [
  ...(reply ? [{ role: 'assistant' as const, content: reply }] : []),
  { role: 'user', content: `That was not allowed. ${wrong} Answer again with one JSON object.` },
];
