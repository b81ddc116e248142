import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FakeCall, fakeOllama } from '@maw/llm-gateway/fake-ollama.suite.ts';
import { reportUsage } from '../measured-process.ts';

/** How the server is started: as JSON in the first argument. */
export interface SlowModel {
  /** How long it takes for an answer, in milliseconds. */
  readonly answerMs: number;
  /** A prompt that ends so is never answered: when its connection was closed is told at `/closed`. */
  readonly never: string;
}

/** The process of the fake Ollama server with one model that takes its time. It also answers clients that know no protocol but OpenAI's. */
const { answerMs, never } = JSON.parse(process.argv[2]!) as SlowModel;
const model = 'slow:latest';
const content = '{"vote":"Ada"}';
const closed: number[] = [];

const answer = (call: FakeCall): void => {
  const counters = { model, prompt_eval_count: 200, prompt_eval_duration: 5e6, eval_count: 8, eval_duration: 14e6 };
  if (call.last.endsWith(never)) return call.onClose(() => closed.push(Date.now()));
  setTimeout(() => {
    if (call.body['stream'] !== false) return call.answer(content, counters);
    call.write({ ...counters, message: { role: 'assistant', content }, done: true, done_reason: 'stop' });
    call.end();
  }, answerMs);
};

const answerOther = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const say = (value: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/closed') return void say(closed.splice(0));
  await text(request);
  if (request.url === '/v1/chat/completions') setTimeout(() => say(completion()), answerMs);
  else response.end(); // traces, which nobody reads here
};

const completion = () => ({
  id: crypto.randomUUID(),
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 8, total_tokens: 208 },
});

const models = [{ name: model, digest: '1', details: { family: 'slow' }, capabilities: ['completion'] }];
const server = await fakeOllama(models, 0, { onCall: answer, onOther: (request, response) => void answerOther(request, response) });
server.resident = [model];
reportUsage(server.url);
