import type { Data } from '@maw/contracts/contracts.ts';
import { z } from 'zod';
import { accepted, type Chatted, type ChatOptions, collect, dialsOf, saidTo, textIn } from './chat.ts';
import { connectionsTo, errorIn, type Received, textOf } from './connections.ts';
import { InvalidAnswer, NoAnswer, ServerSaid } from './fault.ts';
import { roughTokens } from '../request.ts';
import type { ServerOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import type { Call, Provider } from './provider.ts';
import { secret } from './secret.ts';
import { dataLines } from './sse.ts';
import { isStrict } from './strict-schema.ts';
import type { Listed } from './ollama-responses.ts';

const MOST_MODELS = 2_000;
/** Servers of this protocol refuse more. */
const WARMEST = 2;
/** How long an answer that has told its end waits for what may follow, the count of its tokens for one, and for the end of the stream. */
const AFTER_END_MS = 500;

/**
 * A server that speaks the protocol of OpenAI (`/v1/*`): OpenAI itself, vLLM, llama.cpp, and others. It has no load-time options, keeps its
 * models in memory as far as anybody can know, and tells no times: they are measured here, with `now` (milliseconds).
 */
export function openai(server: ServerOptions, stallMs: number, now: () => number): Provider {
  const key = secret(server);
  const connections = connectionsTo(server.url, stallMs, now, key.without);

  function send(path: string, body: object | undefined, { signal, headers }: Call): Promise<Received> {
    const authorization = key.value === undefined ? server.authorization : `Bearer ${key.value}`;
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}), ...(authorization ? { authorization } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    return connections.send(`${server.url}/v1/${path}`, init, signal);
  }

  const json = async (response: Received, what: string): Promise<unknown> => {
    try {
      return JSON.parse(await textOf(response)) as unknown;
    } catch (error) {
      if (error instanceof SyntaxError) throw new NoAnswer(`${what} is not JSON`);
      throw error;
    }
  };

  /** The pieces of an answer, also when the server has answered with the whole although a stream was asked for. */
  async function* pieces(response: Received): AsyncGenerator<Piece> {
    if (response.header('content-type')?.includes('application/json')) yield pieceOf(await json(response, 'the answer'), key.without);
    else
      for await (const data of dataLines(response.body)) {
        try {
          yield pieceOf(JSON.parse(data), key.without);
        } catch (error) {
          if (error instanceof SyntaxError) throw new NoAnswer('a line of the stream is not JSON');
          throw error;
        }
      }
  }

  return {
    kind: 'openai',

    async chat(asked, options, call) {
      const sentAt = now();
      let firstAt: number | undefined;
      let lastAt = sentAt;
      const heard = { model: options.model, reason: '' };
      const text = collect(asked, options.hear);
      let usage: Usage | undefined;
      let waiting: NodeJS.Timeout | undefined;
      const response = await send('chat/completions', requestOf(asked, options), call);
      try {
        for await (const piece of pieces(response)) {
          if (piece.content !== '' || piece.thinking !== '') {
            lastAt = now();
            firstAt ??= lastAt;
            text.add(piece.content, piece.thinking);
          }
          heard.model = piece.model || heard.model;
          heard.reason = piece.reason || heard.reason;
          usage = piece.usage ?? usage;
          if (heard.reason !== '') waiting ??= setTimeout(() => void response.body.cancel(), AFTER_END_MS);
        }
      } catch (error) {
        // The answer is whole; how its connection ends no longer matters.
        if (heard.reason === '' || call.signal.aborted || error instanceof ServerSaid || error instanceof InvalidAnswer) throw error;
      } finally {
        clearTimeout(waiting);
      }
      if (heard.reason === '') throw new (text.isEmpty ? NoAnswer : InvalidAnswer)('the stream ended without finish_reason');
      text.end();
      const tokens = {
        prompt: usage?.prompt_tokens ?? roughTokens(asked.messages.map(({ content }) => content)),
        completion: usage?.completion_tokens ?? roughTokens([text.content, text.thinking]),
      };
      const times = { load: 0, prefill: Math.max(0, (firstAt ?? lastAt) - sentAt), decode: Math.max(0, lastAt - (firstAt ?? lastAt)) };
      return { ...accepted(text, { ...heard, tokens }, options.check), times } satisfies Chatted;
    },

    async embed(input, { model }, call) {
      const sentAt = now();
      const { data } = vectors.safeParse(await json(await send('embeddings', { model, input: [...input] }, call), 'the answer'));
      const sorted = data?.data.toSorted((a, b) => a.index - b.index);
      if (!data || sorted?.length !== input.length || sorted.some(({ index }, i) => index !== i))
        throw new NoAnswer(`it has no vectors for ${input.length} texts`);
      return {
        embeddings: sorted.map(({ embedding }) => embedding),
        model: sanitizeText(data.model, 200),
        promptTokens: data.usage?.prompt_tokens ?? roughTokens(input),
        times: { load: 0, work: Math.max(0, now() - sentAt) },
      };
    },

    async version() {
      await key.refresh();
      return undefined;
    },

    async list(signal) {
      const { data } = listing.safeParse(await json(await send('models', undefined, { signal, headers: {} }), 'its list of models'));
      if (!data) throw new Error('its /v1/models is no list of models');
      return data.data.slice(0, MOST_MODELS).flatMap((one): readonly Listed[] => {
        const { data: known } = named.safeParse(one);
        if (!known) return [];
        const { id } = known;
        return [{ name: id, digest: '', family: '', capabilities: capabilitiesOf(id), isRemote: false }];
      });
    },

    show: async () => undefined,
    resident: async () => 'all',
    load: async () => undefined,
    close: () => connections.close(),
  };
}

/** Built field by field, as for Ollama: nothing of the caller has a way in but what is named. */
const requestOf = (asked: Data<'llm.complete'>, { model, maxTokens, complaint }: ChatOptions) => {
  const { temperature, ...dials } = dialsOf(asked, complaint);
  return {
    model,
    messages: saidTo(asked, complaint),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, WARMEST) }),
    ...dials,
    ...(asked.format === undefined
      ? {}
      : {
          response_format:
            asked.format === 'json'
              ? { type: 'json_object' }
              : { type: 'json_schema', json_schema: { name: 'answer', strict: isStrict(asked.format), schema: asked.format } },
        }),
  };
};

type Usage = z.output<typeof usageOf>;
const usageOf = z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative().catch(0) });
const vectors = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()), index: z.int() })),
  model: z.string().catch('unknown'),
  usage: usageOf.optional().catch(undefined),
});
const listing = z.object({ data: z.array(z.unknown()) });
const named = z.object({ id: z.string() });

/** What a part of an answer says; texts are empty where it does not say it. */
interface Piece {
  readonly content: string;
  readonly thinking: string;
  readonly model: string;
  readonly reason: string;
  readonly usage: Usage | undefined;
}

/** Some call it one way, some the other. */
const said = z.object({ content: z.unknown(), reasoning_content: z.unknown(), reasoning: z.unknown() }).partial().catch({});
const chunk = z.object({
  model: z.unknown().optional(),
  choices: z.array(z.object({ delta: said.optional(), message: said.optional(), finish_reason: z.unknown().optional() })).catch([]),
  usage: usageOf.optional().catch(undefined),
  error: z.unknown().optional(),
});

/** @throws ServerSaid for an error @throws InvalidAnswer */
function pieceOf(value: unknown, without: (text: string) => string): Piece {
  const { data } = chunk.safeParse(value);
  if (!data) throw new NoAnswer('a line of the stream is not an object');
  if (data.error !== undefined && data.error !== null) throw new ServerSaid(statusIn(data.error), without(errorIn({ error: data.error })));
  const [choice] = data.choices;
  const text = choice?.delta ?? choice?.message;
  return {
    content: textIn(text?.content),
    thinking: textIn(text?.reasoning_content) || textIn(text?.reasoning),
    model: textIn(data.model),
    reason: textIn(choice?.finish_reason),
    usage: data.usage,
  };
}

/** An error in the middle of a stream may carry the status it would have had before. */
function statusIn(error: unknown): number {
  const { data } = z.object({ code: z.coerce.number().int().min(400).max(599) }).safeParse(error);
  return data?.code ?? 200;
}

/** The list does not say what a model can do, its name often does. */
const EMBEDS = /embed|\bbge\b|\be5\b/i;
const CANNOT_CHAT = /rerank|whisper|transcribe|\btts\b|moderation|dall-e|image|realtime/i;
const capabilitiesOf = (model: string): readonly string[] =>
  EMBEDS.test(model) ? ['embedding'] : CANNOT_CHAT.test(model) ? [] : ['completion'];
