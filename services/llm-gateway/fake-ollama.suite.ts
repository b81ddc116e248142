import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import type { ManualClock } from '@maw/ollama-sim/engine/manual-clock.suite.ts';
import type { Simulator } from '@maw/ollama-sim/simulator.ts';
import { parseAddress } from './address.ts';
import { SLOT_PROBE_PROMPT } from './providers/ollama.ts';

/** Resolves with the first truthy value of `probe`; fails after a minute, naming `what`. */
export const eventually = <T>(what: string, probe: () => T | undefined | false | Promise<T | undefined | false>) => pollUntil(what, probe);

/** One `/api/chat` request, which the test answers. */
export interface FakeCall {
  readonly body: { readonly [field: string]: unknown };
  readonly headers: IncomingMessage['headers'];
  /** The content of the last message, by which tests identify calls. */
  readonly last: string;
  isAnswered: boolean;
  /** Whether the client disconnected before the end. */
  isAborted: boolean;
  write(line: object | string | Buffer): void;
  /** Sends a whole answer. */
  answer(content: string, more?: object): void;
  fail(status: number, error: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Ends the response after what was written. */
  end(): void;
  cut(): void;
  /** Calls back when the client has disconnected, or has the whole answer. */
  onClose(then: () => void): void;
}

export interface FakeOllama {
  readonly url: string;
  readonly calls: readonly FakeCall[];
  /** The highest number of concurrent calls. */
  readonly peak: number;
  open(): readonly FakeCall[];
  /** The names of the models that were loaded. */
  readonly loads: string[];
  /** What `/api/ps` reports; empty at first, whatever was loaded. */
  resident: readonly string[];
  /** Requests of `/api/ps`, the last step of a health check. */
  readonly looks: number;
  /** Requests of slot probes. */
  readonly checks: number;
  /** Delays loads until it resolves. */
  gate: Promise<unknown> | undefined;
  call(last: string): Promise<FakeCall>;
  /** Answers open and future calls. */
  answerAll(content: string): void;
  /** Connections ever made. */
  readonly connections: number;
  close(): Promise<void>;
}

const M = [{ name: 'm:latest', digest: '1', capabilities: ['completion'] }];

function answerListing(url: string | undefined, response: ServerResponse, { models, resident }: FakeState): void {
  const answer = {
    '/api/version': { version: '0.33.0' },
    '/api/tags': { models },
    '/api/ps': { models: resident.map((name) => ({ name })) },
  }[url ?? ''];
  if (answer) response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  else response.writeHead(404).end('404 page not found');
}

type ChatBody = { messages: { content: string }[] } & Record<string, unknown>;

function fakeCall(request: IncomingMessage, response: ServerResponse, body: ChatBody): FakeCall {
  const call: FakeCall = {
    body,
    headers: request.headers,
    last: body.messages.at(-1)?.content ?? '',
    isAnswered: false,
    isAborted: false,
    write(line) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(typeof line === 'string' || Buffer.isBuffer(line) ? line : `${JSON.stringify(line)}\n`);
    },
    answer(content, more = {}) {
      call.isAnswered = true;
      const model = body['model'];
      call.write({ model, message: { role: 'assistant', content }, done: false });
      call.write({
        model,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        eval_count: 2,
        ...more,
      });
      response.end();
    },
    fail(status, error, headers = {}) {
      call.isAnswered = true;
      response
        .writeHead(status, { 'content-type': 'application/json', 'location': '/elsewhere', ...headers })
        .end(JSON.stringify({ error }));
    },
    end() {
      call.isAnswered = true;
      response.end();
    },
    cut() {
      call.isAnswered = true;
      request.socket.destroy();
    },
    onClose: (then) => void response.on('close', then),
  };
  return call;
}

/** What the fake server has seen, and what the test wants of it. */
interface FakeState {
  readonly models: readonly unknown[];
  readonly calls: FakeCall[];
  readonly loads: string[];
  resident: readonly string[];
  gate: Promise<unknown> | undefined;
  peak: number;
  looks: number;
  checks: number;
  connections: number;
  /** The answer to every call, if the test wants one. */
  always: string | undefined;
  readonly onCall: ((call: FakeCall) => void) | undefined;
}

const openCalls = ({ calls }: FakeState) => calls.filter(({ isAnswered, isAborted }) => !isAnswered && !isAborted);

async function answerChat(state: FakeState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body = JSON.parse(text) as ChatBody;
  if (body.messages.length === 0) {
    state.loads.push(body['model'] as string);
    await state.gate;
    response.end(JSON.stringify({ model: body['model'], message: { content: '' }, done: true, done_reason: 'load' }));
    return;
  }
  if (body.messages[0]!.content.endsWith(SLOT_PROBE_PROMPT)) {
    state.checks++;
    // Takes no time, so the probe is inconclusive.
    response.end(JSON.stringify({ model: body['model'], message: { content: '' }, done: true, done_reason: 'length' }));
    return;
  }
  const call = fakeCall(request, response, body);
  if (state.onCall) return state.onCall(call);
  response.on('close', () => (call.isAborted = !call.isAnswered));
  state.calls.push(call);
  state.peak = Math.max(state.peak, openCalls(state).length);
  if (state.always !== undefined) call.answer(state.always);
}

interface FakeOptions {
  /** Takes the calls, which are then not kept. */
  readonly onCall?: (call: FakeCall) => void;
  /** Answers what is not of Ollama. */
  readonly onOther?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A fake Ollama server: the test answers its chats, it answers slot probes itself. */
export async function fakeOllama(models: readonly unknown[] = M, port = 0, { onCall, onOther }: FakeOptions = {}): Promise<FakeOllama> {
  const counts = { peak: 0, looks: 0, checks: 0, connections: 0 };
  const state: FakeState = { models, calls: [], loads: [], resident: [], gate: undefined, always: undefined, onCall, ...counts };
  // Ollama closes no idle connection; on a busy machine a test may pause for longer than Node's five seconds.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.url === '/api/ps') state.looks++;
    if (request.url === '/api/chat') void answerChat(state, request, response);
    else if (onOther && !request.url!.startsWith('/api/')) onOther(request, response);
    else answerListing(request.url, response, state);
  });
  server.on('connection', () => state.connections++);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => openCalls(state),
    answerAll(content: string) {
      state.always = content;
      for (const call of openCalls(state)) call.answer(content);
    },
    call: (last: string) => eventually(`the call "${last}"`, () => openCalls(state).find((one) => one.last === last)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/**
 * Lets a simulator with a manual clock answer chats until it has received `count` in all. Time stands still until they have arrived, and advances
 * by `ms` only when each has a slot or waits for one, so that waiting and working times are exact on a busy machine.
 */
export async function serveChats(sim: Simulator, clock: ManualClock, count: number, ms: number): Promise<void> {
  const look = () => {
    const { open, models, byPath } = sim.state();
    const atWork = open - models.reduce((sum, { waiting }) => sum + waiting, 0);
    const chats = byPath['/api/chat'] ?? 0;
    return { chats, ended: chats - open, isSettled: atWork > 0 && atWork === clock.sleepers() };
  };
  await eventually(`chat ${count}`, () => look().chats === count && look().isSettled);
  for (let now = look(); now.ended < count; now = look()) {
    if (now.isSettled) clock.advance(ms);
    await turn();
  }
}

export const serverAt = (url: string, slots = 1) => ({ ...parseAddress(url), slots });

/** A request with `say` as its last message. */
export function completionMessage(
  say: string,
  given: Partial<Data<'llm.complete'>> & { id?: string; replyBy?: number } = {},
): Message<'llm.complete'> {
  const { id = `id of ${say}`, replyBy = Date.now() + 60_000, ...data } = given;
  const messages = [{ role: 'user' as const, content: say }];
  return contracts.write(
    'llm.complete',
    { agent: 't:1', messages, ...data },
    { id, source: 'player', subject: 't', at: Date.now(), replyBy },
  );
}
