import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Embed } from './build.ts';

const reply = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })) });
/** Texts in one request. */
const BATCH = 128;
const TIMEOUT_MS = 120_000;

/**
 * Embeds texts by an OpenAI-compatible server, such as the gateway or Ollama. Of a server that limits its callers it asks again when it may.
 * @param option names the address in messages
 * @throws Error when that is no URL, or it does not answer, or with another number of vectors
 */
export function embedAt(at: string, model: string, key: string | undefined, option = '--embeddings'): Embed {
  if (!URL.canParse(at)) throw new Error(`${option}: ${at} is no URL, such as http://127.0.0.1:11434`);
  const url = new URL('v1/embeddings', at.endsWith('/') ? at : `${at}/`);
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const ask = (input: readonly string[]) =>
    fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, input }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: Error & { cause?: { code?: string } }) => {
      throw new Error(`${url.href} does not answer (${cause.cause?.code ?? cause.message}); does a server that embeds run there?`, {
        cause,
      });
    });
  const batch = async (input: readonly string[]) => {
    let response = await ask(input);
    for (let ms = admittedInMs(response); ms !== undefined; ms = admittedInMs(response)) {
      await response.body?.cancel();
      await sleep(ms);
      response = await ask(input);
    }
    if (!response.ok) throw new Error(`${url.href} answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
    const { data } = reply.parse(await response.json());
    if (data.length !== input.length) throw new Error(`${url.href} answers with ${data.length} vectors for ${input.length} texts`);
    return data.map(({ embedding }) => embedding);
  };
  const embed = async (texts: readonly string[]) => {
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += BATCH) vectors.push(...(await batch(texts.slice(from, from + BATCH))));
    return vectors;
  };
  return Object.assign(embed, { model });
}

/** When a server that limits its callers takes the next request: in milliseconds, at most a minute; undefined: it did not refuse this one for that. */
function admittedInMs({ status, headers }: Response): number | undefined {
  if (status !== 429) return undefined;
  const ms = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after') ?? Number.NaN) * 1000);
  return Number.isNaN(ms) ? undefined : Math.min(60_000, Math.max(1, ms));
}
