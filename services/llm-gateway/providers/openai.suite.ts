import { USUAL } from './families/families.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatOptions } from './provider.ts';
import { never } from '../scheduler/completions.suite.ts';
import { openai } from './openai.ts';
import { parseServer, type ServerSpec } from '../server-config/parse-server.ts';

/** Helpers of the specs of the OpenAI provider. */
export function openaiTools(keep: <T extends { close(): Promise<unknown> | void }>(one: T) => T) {
  return {
    scripted: (...answers: Answer[]) => scripted(keep, ...answers),
    providerAt: (spec: Partial<ServerSpec> & { url: string }, now?: () => number) => providerAt(keep, spec, now),
  };
}

type Keep = Parameters<typeof openaiTools>[0];
type Answer = (response: ServerResponse) => void;

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly [field: string]: unknown };
}

/** A scripted server: gives `answers` in order and repeats the last one; `/v1/models` has its own answer. */
async function scripted(keep: Keep, ...answers: Answer[]) {
  const asked: Asked[] = [];
  let models: (response: ServerResponse) => void = (response) =>
    void response.end(JSON.stringify({ data: [{ id: 'm' }, { id: 'm-embed' }] }));
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      asked.push({ path: request.url ?? '', headers: request.headers, body: text === '' ? {} : (JSON.parse(text) as Asked['body']) });
      response.on('close', () => left.push(!response.writableFinished));
      if (request.url === '/v1/models') models(response);
      else (answers.length > 1 ? answers.shift()! : answers[0]!)(response);
    })();
  });
  const left: boolean[] = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return keep({
    asked,
    /** For each answer, whether the client disconnected before its end. */
    left,
    chats: () => asked.filter(({ path }) => path === '/v1/chat/completions'),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lists: (how: typeof models) => void (models = how),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

export const lines =
  (...events: readonly (object | string)[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''));
  };
export const delta = (given: object, finish_reason: string | null = null) => ({
  model: 'm-0613',
  choices: [{ index: 0, delta: given, finish_reason }],
});
export const whole = (content: string) => lines(delta({ role: 'assistant', content }), delta({}, 'stop'), '[DONE]');
export const failing =
  (status: number, body: object | string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const chatOptions = (more: Partial<ChatOptions> = {}): ChatOptions => ({
  model: 'm',
  takes: USUAL,
  numCtx: 1_024,
  keepAlive: -1,
  check: undefined,
  maxTokens: 99,
  repairHint: undefined,
  onPiece: () => undefined,
  ...more,
});

const providerAt = (keep: Keep, spec: Partial<ServerSpec> & { url: string }, now: () => number = Date.now) =>
  keep(openai(parseServer({ kind: 'openai', slots: 1, ...spec }), 5_000, now));
export const call = { signal: never, headers: { traceparent: '00-1-2-01' } };
export const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
