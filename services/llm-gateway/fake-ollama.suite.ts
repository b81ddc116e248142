import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as after } from 'node:timers/promises';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import type { ManualClock } from '@maw/ollama-sim/engine/manual-clock.ts';
import type { Simulator } from '@maw/ollama-sim/simulator.ts';
import { addressOf } from './address.ts';
import { SLOT_CHECK } from './providers/ollama.ts';

const WAIT_MS = 60_000;

/** Resolves with the first defined, true value of `look`. @throws Error naming `what` when there is none in time */
export async function eventually<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`);
    await after(5);
  }
}

/** One `/api/chat` that a puppet has received and answers only when it is told. */
export interface Call {
  readonly body: { readonly [field: string]: unknown };
  readonly headers: IncomingMessage['headers'];
  /** What the last message says, by which tests know their calls. */
  readonly last: string;
  isOver: boolean;
  /** Whether the client has left before the end. */
  isLeft: boolean;
  write(line: object | string | Buffer): void;
  /** The end: the whole answer. */
  answer(content: string, more?: object): void;
  fail(status: number, error: unknown, headers?: Readonly<Record<string, string>>): void;
  /** The end of what was written. */
  end(): void;
  cut(): void;
}

export interface Puppet {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Most calls in hand at once, ever. */
  readonly peak: number;
  open(): readonly Call[];
  /** Loads of models that were asked for, by the names of the models. */
  readonly loads: string[];
  /** The names of the models it says it has in memory; none at first, whatever is loaded. */
  resident: readonly string[];
  /** How often it was asked what it has in memory: the last question of a look at it. */
  readonly looks: number;
  /** How many requests it was sent to see whether its slots are real. */
  readonly checks: number;
  /** What loads wait for; none at first. */
  gate: Promise<unknown> | undefined;
  call(last: string): Promise<Call>;
  /** Answers by itself from now on: what is open, and what comes. */
  answerAll(content: string): void;
  /** Connections ever made. */
  readonly connections: number;
  close(): Promise<void>;
}

const M = [{ name: 'm:latest', digest: '1', capabilities: ['completion'] }];

/** An Ollama server on strings: it says what it has, and the test answers its chats. Checks of its slots it answers itself. */
export async function puppet(models: readonly unknown[] = M, port = 0): Promise<Puppet> {
  const calls: Call[] = [];
  const loads: string[] = [];
  let peak = 0;
  let looks = 0;
  let checks = 0;
  let connections = 0;
  let always: string | undefined;
  const open = () => calls.filter(({ isOver, isLeft }) => !isOver && !isLeft);

  async function chatted(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as { messages: { content: string }[] } & Record<string, unknown>;
    if (body.messages.length === 0) {
      loads.push(body['model'] as string);
      await made.gate;
      response.end(JSON.stringify({ model: body['model'], message: { content: '' }, done: true, done_reason: 'load' }));
      return;
    }
    if (body.messages[0]!.content.endsWith(SLOT_CHECK)) {
      checks++;
      // It takes no time, so that nothing can be told from it.
      response.end(JSON.stringify({ model: body['model'], message: { content: '' }, done: true, done_reason: 'length' }));
      return;
    }
    const call: Call = {
      body,
      headers: request.headers,
      last: body.messages.at(-1)?.content ?? '',
      isOver: false,
      isLeft: false,
      write(line) {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.write(typeof line === 'string' || Buffer.isBuffer(line) ? line : `${JSON.stringify(line)}\n`);
      },
      answer(content, more = {}) {
        call.isOver = true;
        call.write({ model: 'm:latest', message: { role: 'assistant', content }, done: false });
        call.write({
          model: 'm:latest',
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: 'stop',
          eval_count: 2,
          ...more,
        });
        response.end();
      },
      fail(status, error, headers = {}) {
        call.isOver = true;
        response
          .writeHead(status, { 'content-type': 'application/json', 'location': '/elsewhere', ...headers })
          .end(JSON.stringify({ error }));
      },
      end() {
        call.isOver = true;
        response.end();
      },
      cut() {
        call.isOver = true;
        request.socket.destroy();
      },
    };
    response.on('close', () => (call.isLeft = !call.isOver));
    calls.push(call);
    peak = Math.max(peak, open().length);
    if (always !== undefined) call.answer(always);
  }

  const server = createServer((request, response) => {
    const say = (value: unknown) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    const told = {
      '/api/version': { version: '0.33.0' },
      '/api/tags': { models },
      '/api/ps': { models: made.resident.map((name) => ({ name })) },
    }[request.url ?? ''];
    if (request.url === '/api/ps') looks++;
    if (told) say(told);
    else if (request.url === '/api/chat') void chatted(request, response);
    else response.writeHead(404).end('404 page not found');
  });
  server.on('connection', () => connections++);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const made: Puppet = {
    loads,
    resident: [],
    gate: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    get peak() {
      return peak;
    },
    get looks() {
      return looks;
    },
    get checks() {
      return checks;
    },
    get connections() {
      return connections;
    },
    open,
    answerAll(content) {
      always = content;
      for (const call of open()) call.answer(content);
    },
    call: (last) => eventually(`the call "${last}"`, () => open().find((one) => one.last === last)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

/**
 * Has a simulator whose time is the test's answer chats until `count` of them were asked for in all. Time stands still until they are there, and
 * goes on by `ms` only when each has a slot or waits for one: what is told of waiting and working is exact, however busy the machine is.
 */
export async function served(sim: Simulator, clock: ManualClock, count: number, ms: number): Promise<void> {
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

export const at = (url: string, slots = 1) => ({ ...addressOf(url), slots });

/** A request whose last message is `say`. */
export function asking(
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
