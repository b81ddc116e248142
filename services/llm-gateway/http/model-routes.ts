import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { z } from 'zod';
import { URGENCIES } from '../scheduler/fair-queue.ts';
import type { Completion, Embedding } from '../request.ts';
import { jsonIn } from './request-body.ts';
import { type Call, pathOf, type Route, sendJson } from './call.ts';
import { HttpProblem } from './http-problem.ts';
import type { Caller } from './api-keys.ts';
import { chatAnswer, chatPiece, completionOf, kindOf, namedModel, readChat, usageOf } from './openai-chat.ts';
import { embeddingAnswer, readEmbedding } from './openai-embedding.ts';
import { readAs } from './validate-body.ts';

/** What is asked of the models, by the process that schedules. */
export interface Models {
  complete(message: Message<'llm.complete'>, signal: AbortSignal, hear?: (piece: string) => void, account?: string): Promise<Completion>;
  embed(message: Message<'llm.embed'>, signal: AbortSignal): Promise<Embedding>;
  /** How a request ended is kept no longer. */
  forget(id: string): void;
  /** The names of all models there are. */
  names(): readonly string[];
  /** Whether a server has it, or might. */
  mayHave(model: string): boolean;
}

/** The body of the native address: what `llm.complete` carries, but for what the key says already. */
const native = contracts
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

/** The addresses at which models are asked. */
export function askingRoutes({ models, now }: { readonly models: Models; now(): number }): readonly Route[] {
  const about = ({ req, caller, deadline, body }: Call, game?: string): Parameters<typeof contracts.write>[2] => ({
    id: idOf(req, caller, body),
    source: 'llm-gateway',
    subject: game === undefined ? caller.agent : caller.isAdmin ? game : `${caller.agent}/${game}`,
    at: now(),
    replyBy: deadline,
  });

  /** @throws HttpProblem also for a model that no server has: trying again would not bring it */
  async function answered<T>(id: string, model: string | undefined, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      models.forget(id); // who asks again with the same key wants an answer, not the same refusal
      if (error.reason === 'no-server' && model !== undefined && !models.mayHave(model))
        throw new HttpProblem('unknown-model', error.detail);
      throw error;
    }
  }

  async function complete(call: Call): Promise<void> {
    const { game, ...given } = readAs(native, jsonIn(call.body!));
    const message = contracts.write('llm.complete', spokenFor(call.caller, given), about(call, game));
    // Whoever makes up the names of its games gets no more for many of them: the slot time of a key is one account.
    const account = call.caller.isAdmin ? undefined : call.caller.agent;
    sendJson(call.res, 200, await answered(message.id, given.model, models.complete(message, call.gone, undefined, account)));
  }

  async function chat(call: Call): Promise<void> {
    const asked = readChat(jsonIn(call.body!));
    const message = contracts.write('llm.complete', completionOf(asked, call.caller), about(call));
    const model = namedModel(asked.model);
    const head = { id: message.id, at: now() };
    if (asked.stream !== true)
      return sendJson(call.res, 200, chatAnswer(await answered(message.id, model, models.complete(message, call.gone)), head));
    const events = eventsTo(call.res);
    const tellsUsage = asked.stream_options?.include_usage === true;
    const say = (piece: ReturnType<typeof chatPiece>): void => events.send(tellsUsage ? { ...piece, usage: null } : piece);
    let isBegun = false;
    const hear = (piece: string): void => {
      if (!isBegun) say(chatPiece({ role: 'assistant', content: '' }, model ?? 'default', head));
      isBegun = true;
      if (piece !== '') say(chatPiece({ content: piece }, model ?? 'default', head));
    };
    const done = await answered(message.id, model, models.complete(message, call.gone, hear));
    if (!isBegun) hear(done.content); // somebody else heard it as it came: the same request was sent twice
    say(chatPiece({}, done.model, head, done.reason));
    if (tellsUsage) events.send({ ...chatPiece({}, done.model, head), choices: [], usage: usageOf(done.tokens) });
    events.end();
  }

  async function embed(call: Call): Promise<void> {
    const { input, model: asked, encoding_format: encoding } = readEmbedding(jsonIn(call.body!));
    const { agent, tenant } = call.caller;
    const model = namedModel(asked);
    const data = { agent, tenant, urgency: 'talk', input, ...(model === undefined ? {} : { model }) } satisfies Data<'llm.embed'>;
    const message = contracts.write('llm.embed', data, about(call));
    sendJson(call.res, 200, embeddingAnswer(await answered(message.id, model, models.embed(message, call.gone)), encoding ?? 'float'));
  }

  const shown = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'gateway' });
  const PREFIX = '/v1/models/';
  return [
    { method: 'POST', path: '/v1/llm/complete', isAsking: true, does: complete },
    { method: 'POST', path: '/v1/chat/completions', isAsking: true, does: chat },
    { method: 'POST', path: '/v1/embeddings', isAsking: true, does: embed },
    { method: 'GET', path: '/v1/models', does: ({ res }) => sendJson(res, 200, { object: 'list', data: models.names().map(shown) }) },
    {
      method: 'GET',
      path: `${PREFIX}*`,
      does({ req, res }) {
        const id = named(pathOf(req).slice(PREFIX.length));
        if (!models.names().includes(id))
          throw new HttpProblem('unknown-model', `no server has ${id.slice(0, 100)}; /v1/models lists those there are`);
        sendJson(res, 200, shown(id));
      },
    },
  ];
}

/** @throws HttpProblem unreadable */
function named(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new HttpProblem('unreadable', 'the address is not well percent-encoded');
  }
}

/** The request under the name of whoever sent it. @throws HttpProblem forbidden when it speaks for others, or is said to be urgent, without a key for that */
function spokenFor(caller: Caller, given: Omit<z.output<typeof native>, 'game'>): Data<'llm.complete'> {
  const { agent = caller.agent, tenant = caller.tenant, urgency = 'talk' } = given;
  if (!caller.isAdmin && urgency === 'critical')
    throw new HttpProblem('forbidden', 'urgency: critical is for those who run the games; say talk or background, or leave it out');
  if (!caller.isAdmin && (agent !== caller.agent || tenant !== caller.tenant))
    throw new HttpProblem('forbidden', `this key speaks for ${caller.agent} alone; leave agent and tenant out`);
  return { ...given, agent, tenant, urgency, ...(caller.isAdmin ? {} : { kind: kindOf(caller.agent, given.kind) }) };
}

/**
 * What makes two requests one: the same caller, address, key and body. Without an `Idempotency-Key` each is another.
 * @throws HttpProblem unreadable
 */
function idOf(req: IncomingMessage, { agent }: Caller, body: Buffer | undefined): string {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return crypto.randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new HttpProblem('unreadable', 'Idempotency-Key: 1 to 200 visible characters, best a new UUID for every new request');
  const hash = createHash('sha256').update(JSON.stringify([agent, key, pathOf(req)]));
  return hash
    .update(body ?? '')
    .digest('hex')
    .slice(0, 40);
}

/** Server-sent events as clients of the OpenAI protocol read them. The head goes with the first of them: what is refused before has a status of its own. */
function eventsTo(res: ServerResponse): { send(value: object): void; end(): void } {
  const put = (text: string): void => {
    if (res.destroyed || res.writableEnded) return;
    if (!res.headersSent) {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
      metrics.streams.inc({ service: 'llm-gateway' });
      res.once('close', () => metrics.streams.dec({ service: 'llm-gateway' }));
    }
    res.write(`data: ${text}\n\n`);
  };
  return {
    send: (value) => put(JSON.stringify(value)),
    end() {
      put('[DONE]');
      res.end();
    },
  };
}
