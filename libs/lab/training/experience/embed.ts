import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';
import type { Embed } from './build.ts';

const reply = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })) });
const details = z.object({ capabilities: z.array(z.string()) });
const refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]) });
/** Texts in one request. */
const BATCH = 128;
/** Vectors that are kept, so that a text is not embedded twice. */
const MAX_KEPT = 20_000;
const TIMEOUT_MS = 120_000;

/**
 * Embeds texts by an OpenAI-compatible server, such as the gateway or Ollama; no text twice. Of a server that limits its callers it asks again when
 * it may. An Ollama server would embed with any model: one that it does not call an embedding model is refused and not asked.
 * @param at with or without /v1 at its end
 * @param option names the address in messages
 * @throws Error when that is no URL, the model makes no embeddings, or the server does not answer, or with another number of vectors
 */
export function embedAt(at: string, model: string, key: string | undefined, option = '--embeddings'): Embed {
  if (!/^https?:\/\//.test(at) || !URL.canParse(at)) throw new Error(`${option}: ${at} is no URL, such as http://127.0.0.1:11434`);
  const base = at.replace(/\/+$/, '').replace(/\/v1$/, '');
  const post = (path: string, body: object): Promise<Response> => postTo(`${base}${path}`, body, key);
  const url = `${base}/v1/embeddings`;
  const batch = async (input: readonly string[]) => {
    let response = await post('/v1/embeddings', { model, input });
    for (let ms = admittedInMs(response); ms !== undefined; ms = admittedInMs(response)) {
      await response.body?.cancel();
      await sleep(ms);
      response = await post('/v1/embeddings', { model, input });
    }
    if (!response.ok) throw new Error(`${url} answers ${response.status}: ${saidIn(await response.text())}`);
    const { data } = reply.parse(await response.json());
    if (data.length !== input.length) throw new Error(`${url} answers with ${data.length} vectors for ${input.length} texts`);
    return data.map(({ embedding }) => embedding);
  };
  const kept = new Map<string, readonly number[]>();
  let checked: Promise<void> | undefined;
  const embed = async (texts: readonly string[]) => {
    await (checked ??= checkModel(post, base, model));
    if (kept.size > MAX_KEPT) kept.clear();
    const missing = [...new Set(texts)].filter((text) => !kept.has(text));
    for (let from = 0; from < missing.length; from += BATCH) {
      const asked = missing.slice(from, from + BATCH);
      for (const [i, vector] of (await batch(asked)).entries()) kept.set(asked[i]!, vector);
    }
    return texts.map((text) => kept.get(text)!);
  };
  return Object.assign(embed, { model });
}

const postTo = (url: string, body: object, key: string | undefined): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: Error & { cause?: { code?: string } }) => {
    throw new Error(`${url} does not answer (${cause.cause?.code ?? cause.message}); does a server that embeds run there?`, { cause });
  });

/** Only Ollama says what a model can do. @throws Error when it says that this one makes no embeddings */
async function checkModel(post: (path: string, body: object) => Promise<Response>, base: string, model: string): Promise<void> {
  const response = await post('/api/show', { model });
  const { data } = details.safeParse(parseJson(await response.text()));
  if (response.ok && data && !data.capabilities.includes('embedding'))
    throw new Error(`${model} at ${base} makes no embeddings; name a model of which "ollama show" lists the capability embedding`);
}

function saidIn(text: string): string {
  const { data } = refusal.safeParse(parseJson(text));
  return (data?.error ?? text).slice(0, 200);
}

/** When a server that limits its callers takes the next request: in milliseconds, at most a minute; undefined: it did not refuse this one for that. */
function admittedInMs({ status, headers }: Response): number | undefined {
  if (status !== 429) return undefined;
  const ms = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after') ?? Number.NaN) * 1000);
  return Number.isNaN(ms) ? undefined : Math.min(60_000, Math.max(1, ms));
}
