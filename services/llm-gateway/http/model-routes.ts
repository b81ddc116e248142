import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { parseJson } from '@maw/http/json-body.ts';
import { sendJson } from '@maw/http/response.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { z } from 'zod';
import { resolveReferences } from '../admission/answer-schema.ts';
import { SERVICE } from '../defaults.ts';
import { type Completion, type Embedding, type RunOptions, URGENCIES } from '../request.ts';
import type { Model } from '../servers/server-models.ts';
import { type Caller, modelFor, urgencyFor } from './api-keys.ts';
import { type HttpCall, pathOf, type Route } from './call.ts';
import { A_SERVER, HttpProblem } from './http-problem.ts';
import { callsDelta, chatAnswer, chatChunk, completionOf, finishReason, kindOf, namedModel, readChat, usageOf } from './openai-chat.ts';
import { MAX_TEXT, rejectUnsupported, validateBody } from './validate-body.ts';

/** The models, as the leader serves them. */
export interface ModelApi {
  complete(message: Message<'llm.complete'>, signal: AbortSignal, how: RunOptions): Promise<Completion>;
  embed(message: Message<'llm.embed'>, signal: AbortSignal, how: RunOptions): Promise<Embedding>;
  /** Evicts the cached outcome of a request. */
  evict(id: string): void;
  /** All models, each once. */
  all(): readonly Model[];
  /** The names of all servers, and the hosts in their addresses. */
  servers(): readonly string[];
  /** Whether a server has the model, or might. */
  mayHave(model: string): boolean;
}

/** The body of the native path: `llm.complete`, without what the key says already. */
const nativeRequest = contracts
  .get('llm.complete')
  .data.omit({ agent: true, tenant: true, urgency: true })
  .extend({
    agent: z.string().min(1).max(100).optional(),
    tenant: z.string().min(1).max(60).optional(),
    urgency: z.enum(URGENCIES).optional(),
    game: z
      .string()
      .regex(/^[\w.:@-]{1,60}$/, 'must be 1 to 60 letters, digits or . _ : @ -')
      .optional(),
  })
  .strict();

export interface AskContext {
  readonly models: ModelApi;
  now(): number;
}

const MODELS_PATH = '/v1/models';

export function modelRoutes(context: AskContext): readonly Route[] {
  const { models } = context;
  const entryOf = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'gateway' });
  return [
    { method: 'POST', path: '/v1/llm/complete', waitsForModel: true, handle: (call) => complete(context, call) },
    { method: 'POST', path: '/v1/chat/completions', waitsForModel: true, handle: (call) => chat(context, call) },
    { method: 'POST', path: '/v1/embeddings', waitsForModel: true, handle: (call) => embed(context, call) },
    {
      method: 'GET',
      path: MODELS_PATH,
      handle: ({ res, caller }) => sendJson(res, 200, { object: 'list', data: modelsOf(models, caller).map(({ name }) => entryOf(name)) }),
    },
    {
      method: 'GET',
      path: `${MODELS_PATH}/*`,
      handle({ req, res, caller }) {
        const id = decodePath(pathOf(req).slice(MODELS_PATH.length + 1));
        if (!modelsOf(models, caller).some(({ name }) => name === id))
          throw new HttpProblem('unknown-model', `no server has ${id.slice(0, 100)}; ${MODELS_PATH} lists the models`);
        sendJson(res, 200, entryOf(id));
      },
    },
  ];
}

/** The models that a caller may ask. */
export const modelsOf = (models: ModelApi, caller: Caller): readonly Model[] =>
  models.all().filter(({ name }) => caller.models?.includes(keyOf(name)) ?? true);

async function complete(context: AskContext, call: HttpCall): Promise<void> {
  const { models } = context;
  const { game, ...given } = validateBody(nativeRequest, parseJson(call.body!));
  const message = contracts.compose('llm.complete', onBehalfOf(call.caller, given), envelope(context, call, { game }));
  // A caller that invents game names gets no more slot time for many of them: its key is one account.
  const account = call.caller.isAdmin ? undefined : call.caller.agent;
  const answer = models.complete(message, call.disconnected, { ...runOptions(call), account });
  const completion = await unlessRefused(models, message.id, given.model, answer);
  sendJson(call.res, 200, call.caller.isAdmin ? completion : { ...completion, server: A_SERVER });
}

async function chat(context: AskContext, call: HttpCall): Promise<void> {
  const request = readChat(parseJson(call.body!));
  const head = { id: requestId(call.req, call.caller, call.body), at: context.now() };
  const ask = (onPiece?: RunOptions['onPiece']) => askChat(context, call, completionOf(request, call.caller), { onPiece, id: head.id });
  if (request.stream !== true) return sendJson(call.res, 200, chatAnswer(await ask(), head));

  const events = eventStream(call.res);
  const includesUsage = request.stream_options?.include_usage === true;
  const send = (chunk: ReturnType<typeof chatChunk>): void => events.send(includesUsage ? { ...chunk, usage: null } : chunk);
  let hasBegun = false;
  const onPiece = (piece: string, model: string): void => {
    if (!hasBegun) send(chatChunk({ role: 'assistant', content: '' }, model, head));
    hasBegun = true;
    if (piece !== '') send(chatChunk({ content: piece }, model, head));
  };
  const completion = await ask(onPiece);
  if (!hasBegun) onPiece(completion.content, completion.model); // it joined another request, which got the pieces
  if (completion.toolCalls) send(chatChunk(callsDelta(completion.toolCalls), completion.model, head));
  send(chatChunk({}, completion.model, head, finishReason(completion)));
  if (includesUsage) events.send({ ...chatChunk({}, completion.model, head), choices: [], usage: usageOf(completion.tokens) });
  events.end();
}

/** Asks for an answer in a protocol that knows neither games nor urgencies. @throws Refusal, HttpProblem */
export function askChat(
  context: AskContext,
  call: HttpCall,
  data: Data<'llm.complete'>,
  { onPiece, id }: Pick<RunOptions, 'onPiece'> & { readonly id?: string } = {},
): Promise<Completion> {
  const { models } = context;
  const model = modelFor(call.caller, data.model);
  const urgency = urgencyFor(call.caller, data.urgency);
  const message = contracts.write('llm.complete', { ...data, urgency, ...omitUndefined({ model }) }, envelope(context, call, { id }));
  const answer = models.complete(message, call.disconnected, { ...runOptions(call), onPiece });
  return unlessRefused(models, message.id, model, answer);
}

/** The same for embeddings. */
export function askEmbedding(context: AskContext, call: HttpCall, input: string[], named: string | undefined): Promise<Embedding> {
  const { models } = context;
  const model = modelFor(call.caller, named);
  const { agent, tenant } = call.caller;
  const data = { agent, tenant, urgency: urgencyFor(call.caller, 'talk'), input, ...omitUndefined({ model }) } satisfies Data<'llm.embed'>;
  const message = contracts.write('llm.embed', data, envelope(context, call));
  return unlessRefused(models, message.id, model, models.embed(message, call.disconnected, runOptions(call)));
}

async function embed(context: AskContext, call: HttpCall): Promise<void> {
  const { input, model, encoding_format: encoding } = readEmbedding(parseJson(call.body!));
  const embedding = await askEmbedding(context, call, input, namedModel(model));
  sendJson(call.res, 200, embeddingAnswer(embedding, encoding ?? 'float'));
}

function envelope(
  { now }: AskContext,
  { req, caller, deadline, body }: HttpCall,
  { game, id = requestId(req, caller, body) }: { readonly game?: string | undefined; readonly id?: string | undefined } = {},
): Parameters<typeof contracts.write>[2] {
  const subject = game === undefined ? caller.agent : caller.isAdmin ? game : `${caller.agent}/${game}`;
  return { id, source: 'llm-gateway', subject, at: now(), replyBy: deadline };
}

/** Evicts a refusal, so that a retry with the same key runs. @throws HttpProblem unknown-model when no server can have the model */
async function unlessRefused<T>(models: ModelApi, id: string, model: string | undefined, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    models.evict(id);
    if (error.reason === 'no-server' && model !== undefined && !models.mayHave(model)) throw new HttpProblem('unknown-model', error.detail);
    throw error;
  }
}

/** @throws HttpProblem unreadable */
function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new HttpProblem('unreadable', 'the path is not valid percent-encoding');
  }
}

/** Fills in the caller. @throws HttpProblem forbidden when a key without admin rights speaks for others, or claims to be critical */
function onBehalfOf(caller: Caller, given: Omit<z.output<typeof nativeRequest>, 'game'>): Data<'llm.complete'> {
  const { agent = caller.agent, tenant = caller.tenant, urgency: asked = 'talk' } = given;
  if (!caller.isAdmin && asked === 'critical')
    throw new HttpProblem('forbidden', 'urgency: critical is for those who run the games; use talk or background, or leave it out');
  if (!caller.isAdmin && (agent !== caller.agent || tenant !== caller.tenant))
    throw new HttpProblem('forbidden', `this key speaks only for ${caller.agent}; leave agent and tenant out`);
  const format = typeof given.format === 'object' ? { format: resolveReferences(given.format) } : {};
  const model = omitUndefined({ model: modelFor(caller, given.model) });
  const urgency = urgencyFor(caller, asked);
  return { ...given, ...format, ...model, agent, tenant, urgency, ...(caller.isAdmin ? {} : { kind: kindOf(caller.agent, given.kind) }) };
}

/** Whose use it is, and whether no other request can have its id: not without an idempotency key. */
const runOptions = ({ req, caller: { id, agent, limits = {}, models } }: HttpCall): RunOptions => ({
  isUnique: req.headers['idempotency-key'] === undefined,
  key: id === undefined ? undefined : { id, limits, models },
  payer: id === undefined ? agent : `${agent}#${id}`,
});

/** The same for the same caller, path, Idempotency-Key and body; unique without a key. @throws HttpProblem unreadable */
function requestId(req: IncomingMessage, { agent }: Caller, body: Buffer | undefined): string {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return crypto.randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new HttpProblem('unreadable', 'Idempotency-Key: 1 to 200 visible characters, best a new UUID for every new request');
  return createHash('sha256')
    .update(JSON.stringify([agent, key, pathOf(req)]))
    .update(body ?? '')
    .digest('hex')
    .slice(0, 40);
}

/** Sends a part of a streamed answer. The head is sent with the first, so that an earlier refusal has its own status. */
export function sendPart(res: ServerResponse, type: string, text: string): void {
  if (res.destroyed || res.writableEnded) return;
  if (!res.headersSent) {
    res.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
    metrics.streams.inc({ service: SERVICE });
    res.once('close', () => metrics.streams.dec({ service: SERVICE }));
  }
  res.write(text);
}

/** Server-sent events of the OpenAI protocol. */
function eventStream(res: ServerResponse): { send(value: object): void; end(): void } {
  const write = (text: string): void => sendPart(res, 'text/event-stream; charset=utf-8', `data: ${text}\n\n`);
  return {
    send: (value) => write(JSON.stringify(value)),
    end() {
      write('[DONE]');
      res.end();
    },
  };
}

const MAX_TEXTS = 256;

const embeddingRequest = z.object({
  model: z.string().max(200).nullish(),
  input: z
    .union([z.string().transform((one) => [one]), z.array(z.string())], {
      error: 'a text or a list of texts: token numbers are not supported',
    })
    .pipe(z.array(z.string().max(MAX_TEXT)).min(1).max(MAX_TEXTS)),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

const UNSUPPORTED_OF_EMBEDDINGS = { dimensions: 'the model sets the dimensions' } as const;

/** @throws HttpProblem unreadable with every mistake */
function readEmbedding(body: unknown): z.output<typeof embeddingRequest> {
  rejectUnsupported(UNSUPPORTED_OF_EMBEDDINGS, body);
  return validateBody(embeddingRequest, body);
}

/** The official clients ask for base64, which is a third of the length, and decode it. */
const embeddingAnswer = ({ embeddings, model, tokens }: Embedding, encoding: 'float' | 'base64') => ({
  object: 'list',
  data: embeddings.map((vector, index) => ({ object: 'embedding', index, embedding: encoding === 'base64' ? base64(vector) : vector })),
  model,
  usage: { prompt_tokens: tokens.prompt, total_tokens: tokens.prompt },
});

/** 32-bit floats, little-endian. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [n, value] of vector.entries()) bytes.writeFloatLE(value, 4 * n);
  return bytes.toString('base64');
}
