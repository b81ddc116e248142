import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportUsage } from '../measured-process.ts';

/** How the server is started: as JSON in the first argument. */
export interface SlowModel {
  /** How long it takes for an answer, in milliseconds. */
  readonly answerMs: number;
  /** A prompt that ends so is never answered: when its connection was closed is told at `/closed`. */
  readonly never: string;
}

/** The process of a model server that speaks as much of Ollama’s protocol as the gateway asks of it, and the same to a client of its own. */
const { answerMs, never } = JSON.parse(process.argv[2]!) as SlowModel;
const model = 'slow:latest';
const closed: number[] = [];

const server = createServer((request, response) => void serve(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (value: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  switch (request.url ?? '') {
    case '/api/version':
      return void say({ version: '0.33.0' });
    case '/api/tags':
      return void say({ models: [{ name: model, digest: '1', details: { family: 'slow' }, capabilities: ['completion'] }] });
    case '/api/ps':
      return void say({ models: [{ name: model }] });
    case '/closed':
      return void say(closed.splice(0));
    case '/api/chat':
      return chat(await body(request), response);
    case '/v1/chat/completions': // what gateways that know no protocol but this ask
      await body(request);
      setTimeout(() => say(completion()), answerMs);
      return;
    default:
      await body(request); // traces, which nobody reads here
      response.end();
  }
}

function chat(text: string, response: ServerResponse): void {
  const { messages, stream } = JSON.parse(text) as { messages: { content: string }[]; stream?: boolean };
  if (messages.at(-1)?.content.endsWith(never)) {
    response.on('close', () => closed.push(Date.now()));
    return;
  }
  const message = { role: 'assistant', content: '{"vote":"Ada"}' };
  const counters = { prompt_eval_count: 200, prompt_eval_duration: 5e6, eval_count: 8, eval_duration: 14e6 };
  const ends = { model, created_at: new Date().toISOString(), done: true, done_reason: 'stop', ...counters };
  setTimeout(() => {
    if (stream === false) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...ends, message }));
      return;
    }
    const lines = [
      { model, message, done: false },
      { ...ends, message: { ...message, content: '' } },
    ];
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }, answerMs);
}

const completion = () => ({
  id: crypto.randomUUID(),
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: '{"vote":"Ada"}' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 8, total_tokens: 208 },
});

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return text;
}
