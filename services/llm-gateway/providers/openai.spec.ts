import { type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import type { ChatOptions } from './provider.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import { retryAfterMs } from './connections.ts';
import { classifyFailure } from '../scheduler/classify-failure.ts';
import { InvalidAnswer, ServerError } from './errors.ts';
import { ollama } from './ollama.ts';
import { isStrict } from './openai.ts';
import { defaultOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from '../fake-ollama.suite.ts';
import { parseServer } from '../server-config/parse-server.ts';

import { call, chatOptions, delta, failing, lines, openaiTools, thrown, whole } from './openai.suite.ts';

const { keep, startScheduler } = testResources();
const { scripted, providerAt } = openaiTools(keep);

describe('openai', () => {
  it('sends only known request fields, with its key', async () => {
    const server = await scripted(whole('{"vote":"Ada"}'));
    const format = { type: 'object', properties: { vote: { type: 'string' } }, required: ['vote'], additionalProperties: false };
    const { data } = completionMessage('hello', { format, temperature: 2.5, seed: 7, maxTokens: 99, think: true });
    const smuggled = { ...data, audio: [1], messages: [{ ...data.messages[0]!, images: ['/etc/passwd'] }] };
    const provider = providerAt({ url: server.url, key: 'sk-1' });
    await provider.chat(smuggled, chatOptions(), call);
    expect(server.asked).toEqual([
      {
        path: '/v1/chat/completions',
        headers: expect.objectContaining({
          'authorization': 'Bearer sk-1',
          'content-type': 'application/json',
          'traceparent': '00-1-2-01',
        }),
        body: {
          model: 'm',
          messages: [{ role: 'user', content: 'hello' }],
          stream: true,
          stream_options: { include_usage: true },
          max_tokens: 99,
          temperature: 2,
          seed: 7,
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: format } },
        },
      },
    ]);
    await provider.chat({ ...data, format: 'json' }, chatOptions({ repairHint: { answer: 'no', problem: 'not JSON' } }), call);
    expect(server.asked[1]!.body).toMatchObject({
      seed: 8,
      response_format: { type: 'json_object' },
      messages: [{ role: 'user' }, { role: 'assistant', content: 'no' }, { role: 'user', content: expect.stringContaining('not JSON') }],
    });
    await provider.chat(completionMessage('plain').data, chatOptions(), call);
    expect(Object.keys(server.asked[2]!.body)).toEqual(['model', 'messages', 'stream', 'max_tokens', 'stream_options']);
  });

  it('accepts addresses with and without /v1, and sends no key without one', async () => {
    const server = await scripted(whole('x'));
    for (const url of [server.url, `${server.url}/`, `${server.url}/v1`, `${server.url}/v1/`]) {
      const parsed = parseServer({ url, kind: 'openai', slots: 1 });
      expect([parsed.url, parsed.name]).toEqual([server.url, server.url.slice(7)]);
      await providerAt({ url }).chat(completionMessage('x').data, chatOptions(), call);
    }
    expect(new Set(server.asked.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined, undefined]);
    expect(parseServer({ url: 'https://api.example.com/openai/v1', kind: 'openai', slots: 1 })).toMatchObject({
      url: 'https://api.example.com:443/openai',
      name: 'api.example.com:443/openai',
    });
    expect(() => parseServer({ url: 'api.example.com', kind: 'openai', slots: 1 })).toThrow('write the whole address');
    expect(parseServer({ url: 'a', kind: 'ollama', slots: 1, keyFile: 'k' })).toMatchObject({ kind: 'ollama', keyFile: 'k' });
  });

  it('streams content and reasoning at any chunk boundary, with tokens and times', async () => {
    const events = [
      ': a comment',
      `data: ${JSON.stringify(delta({ role: 'assistant', content: '' }))}`,
      `data: ${JSON.stringify(delta({ reasoning_content: 'Bo lies. ' }))}`,
      `data:${JSON.stringify(delta({ reasoning: 'Surely.' }))}`,
      `data: ${JSON.stringify(delta({ content: 'Grüße ' }))}`,
      `data: ${JSON.stringify(delta({ content: '😀' }))}`,
      `data: ${JSON.stringify(delta({}, 'length'))}`,
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 5 } })}`,
      'data: [DONE]',
    ].join('\r\n\r\n');
    const server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      void (async () => {
        for (const byte of Buffer.from(`${events}\r\n\r\n`)) {
          response.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      })();
    });
    // A busy machine may not read the token counts within half a second after the answer.
    const pieces: string[] = [];
    const chatted = await pollUntil('an answer with its token counts', async () => {
      let now = 1_000;
      pieces.length = 0;
      const options = chatOptions({ onPiece: (piece) => void pieces.push(piece) });
      const answer = await providerAt({ url: server.url }, () => (now += 10)).chat(completionMessage('x').data, options, call);
      return answer.tokens.completion === 5 && answer;
    });
    // The clock advances by 10 ms per reading: once when the request is sent, then with each of the four pieces.
    expect(chatted).toEqual({
      content: 'Grüße 😀',
      thinking: 'Bo lies. Surely.',
      model: 'm-0613',
      tokens: { prompt: 11, completion: 5 },
      times: { load: 0, prefill: 10, decode: 30 },
      reason: 'length',
    });
    expect(pieces).toEqual(['', '', 'Grüße ', '😀']);
  });

  it('estimates missing token counts, and reads an answer that is not streamed', async () => {
    const server = await scripted(
      whole('12345'),
      failing(200, { model: 'm', choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }] }),
    );
    const provider = providerAt({ url: server.url });
    expect(await provider.chat(completionMessage('123456789').data, chatOptions(), call)).toMatchObject({
      tokens: { prompt: 3, completion: 2 },
    });
    expect(await provider.chat(completionMessage('x').data, chatOptions(), call)).toMatchObject({
      content: 'all at once',
      model: 'm',
      reason: 'stop',
    });
  });

  it('finishes at finish_reason, even when the stream then hangs or breaks', async () => {
    const ended = [delta({ content: 'all' }), delta({}, 'stop')].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 5 } })}\n\n`;
    const open = (text: string, then: (response: ServerResponse) => void) => (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text);
      then(response);
    };
    const server = await scripted(
      open(ended, (response) => void setImmediate(() => response.write(usage))), // and hangs then
      open(ended, () => undefined),
      open(ended, (response) => void setTimeout(() => response.destroy(), 50)),
      open(ended.split('\n\n')[0]! + '\n\n', (response) => void setTimeout(() => response.destroy(), 50)),
    );
    const provider = providerAt({ url: server.url });
    const ask = () =>
      thrown(provider.chat(completionMessage('123456789').data, chatOptions(), call).then((chatted) => Promise.reject(chatted)));
    expect(await ask()).toMatchObject({ content: 'all', reason: 'stop', tokens: { prompt: 11, completion: 5 } });
    await eventually('the close', () => server.left.length === 1);
    expect(await ask()).toMatchObject({ content: 'all', reason: 'stop', tokens: { prompt: 3, completion: 1 } });
    expect(await ask()).toMatchObject({ content: 'all', reason: 'stop' });
    expect(classifyFailure(await ask(), 's')).toMatchObject({ outcome: 'failed', blames: 'server' });
    await eventually('all of them to be closed', () => server.left.every((one) => one) && server.left.length === 4);
  });

  it('frees the slot at finish_reason even when the stream stays open', async () => {
    const server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([delta({ content: 'x' }), delta({}, 'stop')].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
    });
    const options = { ...defaultOptions, agentRpm: 0, servers: [parseServer({ url: server.url, kind: 'openai', slots: 1 })] };
    const gateway = await startScheduler(options);
    const both = ['a', 'b'].map((say) => gateway.complete(completionMessage(say), never));
    expect(await Promise.all(both)).toMatchObject([{ content: 'x' }, { content: 'x' }]);
    expect(gateway.busySlots()).toBe(0);
  });

  it('splits think tags from streamed text, but not from an answer with a schema', async () => {
    const say = ['<th', 'ink>Bo ', 'lies.</thi', 'nk>\n\nI trust', ' Ada <', 'think>'];
    const server = await scripted(lines(...say.map((content) => delta({ content })), delta({}, 'stop'), '[DONE]'));
    const provider = providerAt({ url: server.url });
    const ollamas = keep(await fakeOllama());
    const other = keep(ollama(serverAt(ollamas.url), 5_000, Date.now));
    for (const chat of [provider.chat, other.chat]) {
      const pieces: string[] = [];
      const onPiece = (piece: string) => void pieces.push(piece);
      const answer = chat(completionMessage('x').data, chatOptions({ onPiece }), call);
      if (chat === other.chat) {
        const asked = await ollamas.call('x');
        for (const content of say) asked.write({ message: { content }, done: false });
        asked.answer('');
      }
      expect(await answer).toMatchObject({ content: 'I trust Ada <think>', thinking: 'Bo lies.' });
      expect(pieces.filter((piece) => piece !== '')).toEqual(['I trust', ' Ada <', 'think>']);
    }
    const shaped = await provider.chat(completionMessage('x', { format: 'json' }).data, chatOptions(), call);
    expect(shaped).not.toHaveProperty('thinking');
    expect(shaped.content).toBe(say.join(''));
  });

  it('leaves tags in the text when the server sends reasoning separately', async () => {
    const server = await scripted(
      lines(delta({ reasoning: 'Bo lies.' }), delta({ content: '<think>a</think>b' }), delta({}, 'stop'), '[DONE]'),
      lines(delta({ content: '<thi' }), delta({}, 'stop'), '[DONE]'),
    );
    const provider = providerAt({ url: server.url });
    expect(await provider.chat(completionMessage('x').data, chatOptions(), call)).toMatchObject({
      content: '<think>a</think>b',
      thinking: 'Bo lies.',
    });
    const pieces: string[] = [];
    const onPiece = (piece: string) => void pieces.push(piece);
    expect(await provider.chat(completionMessage('x').data, chatOptions({ onPiece }), call)).toMatchObject({ content: '<thi' });
    expect(pieces.join('')).toBe('<thi');
  });

  it('lists models with capabilities guessed from their names, all as resident', async () => {
    const server = await scripted(whole('x'));
    const ids = ['meta-llama/Llama-3.1-8B', 'text-embedding-3-small', 'BAAI/bge-m3', 'whisper-1', 'gpt-4o-mini'];
    server.lists((response) => void response.end(JSON.stringify({ object: 'list', data: [...ids.map((id) => ({ id })), 7, { id: 8 }] })));
    const provider = providerAt({ url: server.url });
    expect((await provider.list(never)).map(({ name, capabilities }) => [name, capabilities?.join()])).toEqual([
      ['meta-llama/Llama-3.1-8B', 'completion'],
      ['text-embedding-3-small', 'embedding'],
      ['BAAI/bge-m3', 'embedding'],
      ['whisper-1', ''],
      ['gpt-4o-mini', 'completion'],
    ]);
    expect(await provider.resident(never)).toBe('all');
    server.lists((response) => void response.end('{"models":[]}'));
    expect(await thrown(provider.list(never))).toMatchObject({ message: 'its /v1/models is no list of models' });
  });

  it('returns embeddings in input order, and rejects incomplete ones', async () => {
    const vectors = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    const server = await scripted(
      failing(200, { data: vectors, model: 'e', usage: { prompt_tokens: 4, total_tokens: 4 } }),
      failing(200, { data: vectors.slice(1), model: 'e' }),
      failing(200, { data: [vectors[0], vectors[0]], model: 'e' }),
    );
    const provider = providerAt({ url: server.url });
    const ask = () => provider.embed(['a', 'b'], { model: 'e', numCtx: 1, keepAlive: 1 }, call);
    expect(await ask()).toMatchObject({
      embeddings: [
        [1, 0],
        [0, 1],
      ],
      model: 'e',
      promptTokens: 4,
    });
    expect(server.asked[0]).toMatchObject({ path: '/v1/embeddings', body: { model: 'e', input: ['a', 'b'] } });
    for (const _ of [1, 2]) expect(await thrown(ask())).toEqual(new InvalidAnswer('it has no vectors for 2 texts'));
  });
});

describe('an answer of an OpenAI server', () => {
  const asked = async (answer: (response: ServerResponse) => void, more: Partial<ChatOptions> = {}, now = Date.now): Promise<unknown> => {
    const server = await scripted(answer);
    return thrown(providerAt({ url: server.url, key: 'sk-secret' }, now).chat(completionMessage('x').data, chatOptions(more), call));
  };

  it.each<[string, string, (response: ServerResponse) => void, 'model' | 'nobody']>([
    ['has no finish_reason', 'the stream ended without finish_reason', lines(delta({ content: 'a' }), '[DONE]'), 'nobody'],
    ['ends early', 'the stream ended without finish_reason', lines(delta({ content: 'a' })), 'nobody'],
    ['was filtered', 'it ended with "content_filter"', lines(delta({ content: 'a' }), delta({}, 'content_filter'), '[DONE]'), 'nobody'],
    ['calls a tool', 'it ended with "tool_calls"', lines(delta({ content: 'a' }), delta({}, 'tool_calls'), '[DONE]'), 'nobody'],
    ['is empty', 'it is empty', lines(delta({ reasoning_content: 'hm' }), delta({}, 'stop'), '[DONE]'), 'nobody'],
    ['is not JSON', 'a line of the stream is not JSON', lines('{"choices":', '[DONE]'), 'model'],
    ['is not an object', 'a line of the stream is not an object', lines('7', '[DONE]'), 'model'],
    ['is not JSON as a whole', 'the answer is not JSON', failing(200, '<html>'), 'model'],
    [
      'never ends a line',
      'it is far too long',
      (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('x'.repeat(2_500_000)),
      'model',
    ],
    ['is an HTML page', 'the stream ended without finish_reason', (response) => void response.end('<html>\n'), 'model'],
  ])('that %s is invalid: %s', async (_, wrong, answer, blames) => {
    const error = await asked(answer);
    expect(error).toBeInstanceOf(InvalidAnswer);
    expect(error).toMatchObject({ message: wrong });
    expect(classifyFailure(error, 's')).toMatchObject({ again: 'repaired', blames });
  });

  it('that is too long blames the server only for an error response', async () => {
    const embedding = Array.from({ length: 2_000_000 }, () => 0.5);
    const data = (status: number) => failing(status, { data: [{ index: 0, embedding }] });
    const server = await scripted(data(200), data(500));
    const errors: unknown[] = [];
    for (let n = 0; n < 2; n++) errors.push(await thrown(providerAt({ url: server.url }).embed(['x'], chatOptions(), call)));
    expect(errors).toMatchObject([
      { name: 'InvalidAnswer', message: 'it has more than 8000000 bytes' },
      { name: 'ServerError', status: 500, message: 'it has more than 64000 bytes' },
    ]);
    expect(errors.map((error) => classifyFailure(error, 's').blames)).toEqual(['nobody', 'server']);
  });

  it('that fails the check is quoted in the error, for the repair', async () => {
    const error = await asked(whole('{"vote":"Bo"}'), { check: () => 'vote is wrong' });
    expect(error).toMatchObject({ name: 'InvalidAnswer', message: 'vote is wrong', answer: '{"vote":"Bo"}' });
  });

  it.each<[string, (response: ServerResponse) => void, object, object]>([
    [
      'to a bad request',
      failing(400, { error: { message: 'bad schema', code: null } }),
      { status: 400, message: 'bad schema' },
      { again: 'never', blames: 'nobody' },
    ],
    [
      'to a missing key',
      failing(401, { error: { message: 'no key' } }),
      { status: 401 },
      { again: 'elsewhere', blames: 'server', shows: 'doubtful' },
    ],
    [
      'about an unknown model',
      failing(404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }),
      { status: 404 },
      { again: 'elsewhere', blames: 'nobody', shows: 'model-absent', refusal: expect.objectContaining({ reason: 'no-server' }) },
    ],
    [
      'of an overloaded server',
      failing(429, { error: { message: 'slow down' } }),
      { status: 429, restMs: undefined },
      { again: 'later', openMs: expect.any(Number) },
    ],
    ['of a failed server', failing(500, 'oops'), { status: 500, message: 'oops' }, { again: 'elsewhere', blames: 'server' }],
    ['with an empty error body', failing(503, ''), { status: 503, message: 'Service Unavailable' }, { again: 'later', blames: 'server' }],
    [
      'with an error mid-stream',
      lines(delta({ content: 'a' }), { error: { message: 'the engine died' } }),
      { status: 200, message: 'the engine died' },
      { again: 'elsewhere' },
    ],
    [
      'with an error and status mid-stream',
      lines({ error: { message: 'too long', code: 400 } }),
      { status: 400, message: 'too long' },
      { again: 'never' },
    ],
    ['that redirects', failing(302, '', { location: 'http://127.0.0.1:1/' }), { status: 302 }, { again: 'elsewhere', blames: 'server' }],
  ])('%s is classified by status and error body', async (_, answer, said, fault) => {
    const error = await asked(answer);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject(said);
    expect(classifyFailure(error, 's')).toMatchObject(fault);
  });

  it('sets the rest from Retry-After, in seconds or as date, ten minutes at most', async () => {
    const noon = Date.parse('2026-11-21T12:00:00Z');
    const rest = async (after: string) => (await asked(failing(429, {}, { 'retry-after': after }), {}, () => noon)) as ServerError;
    expect(classifyFailure(await rest('7'), 's')).toMatchObject({ openMs: 7_000 });
    expect((await rest('Sat, 21 Nov 2026 12:01:30 GMT')).restMs).toBe(90_000);
    for (const [text, ms] of [
      [null, undefined],
      ['0', undefined],
      ['-5', undefined],
      ['soon', undefined],
      ['Sat, 21 Nov 2026 12:00:00 GMT', undefined],
      ['0.5', 500],
      ['600', 600_000],
      ['601', 600_000],
    ] as const)
      expect([text, retryAfterMs(text, noon)]).toEqual([text, ms]);
  });

  it('is aborted by the signal, which closes the connection', async () => {
    const server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\n`);
    });
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const answer = thrown(
      providerAt({ url: server.url }).chat(completionMessage('x').data, chatOptions({ onPiece: () => heard.resolve() }), {
        ...call,
        signal: stop.signal,
      }),
    );
    await heard.promise;
    stop.abort(new Error('cancelled'));
    expect(await answer).toMatchObject({ message: 'cancelled' });
    await eventually('the close', () => server.left.includes(true));
  });
});

describe('an OpenAI server behind the scheduler', () => {
  it('rests for the Retry-After of a 429 while another server works', async () => {
    let now = Date.now();
    const server = await scripted(failing(429, {}, { 'retry-after': '7' }), whole('rested'));
    const other = keep(await fakeOllama([{ name: 'm', digest: '1', capabilities: ['completion'] }]));
    const gateway = await startScheduler(
      { servers: [parseServer({ url: server.url, kind: 'openai', slots: 1 }), serverAt(other.url)] },
      { now: () => now },
    );
    const servers = gateway.registry;
    const replyBy = now + 600_000;
    const ask = (say: string) => gateway.complete(completionMessage(say, { replyBy }), never);
    const first = ask('1');
    (await other.call('1')).answer('elsewhere');
    expect(await first).toMatchObject({ content: 'elsewhere', attempts: 2 });
    now += 6_999;
    const second = ask('2');
    (await other.call('2')).answer('still there');
    expect(await second).toMatchObject({ content: 'still there', attempts: 1 });
    expect([servers.all[0]!.breakers.stateOf(), servers.all[0]!.breakers.stateOf('m:latest')]).toEqual(['closed', 'open']);
    now += 1;
    servers.drain(servers.all[1]!.name);
    expect(await ask('3')).toMatchObject({ content: 'rested' });
    expect(server.chats()).toHaveLength(2);
  });

  it('serves schema, thinking, length limit and repair as Ollama does', async () => {
    const sim = keep(await startSimulator());
    const gateway = await startScheduler({ servers: [parseServer({ url: `${sim.url}/v1`, kind: 'openai', slots: 2 })] });
    const servers = gateway.registry;
    expect(servers.all[0]).toMatchObject({ health: { isUp: true, version: undefined }, provider: { kind: 'openai' } });
    expect(servers.defaultModel()).toBe('simulated:latest');
    const format = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };
    const voted = await gateway.complete(completionMessage('vote', { format }), never);
    expect(JSON.parse(voted.content)).toEqual({ vote: expect.stringMatching(/^(Ada|Bo)$/) });
    expect(voted).toMatchObject({ model: 'simulated:latest', reason: 'stop', attempts: 1 });
    expect(voted.tokens.prompt).toBeGreaterThan(0);
    expect(await gateway.complete(completionMessage('cut', { maxTokens: 1 }), never)).toMatchObject({
      reason: 'length',
      tokens: { completion: 1 },
    });
    const thought = await gateway.complete(completionMessage('think', { model: 'simulated-thinking', maxTokens: 2_000 }), never);
    expect(thought.thinking).toMatch(/\w/);
    await sim.arm({ name: 'end-without-done' });
    expect(await gateway.complete(completionMessage('repaired', { format }), never)).toMatchObject({ attempts: 2, repaired: true });
    expect(await thrown(gateway.complete(completionMessage('none', { model: 'absent' }), never))).toMatchObject({ reason: 'no-server' });
  });
});

describe('isStrict', () => {
  it('is true only when every object is closed and requires all properties', () => {
    const closed = (properties: object, more: object = {}) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
      ...more,
    });
    expect(isStrict(closed({ a: { type: 'string' }, b: { type: 'array', items: closed({ c: {} }) } }))).toBe(true);
    expect(isStrict({ enum: ['a'] })).toBe(true);
    expect(isStrict(closed({ a: {} }, { required: [] }))).toBe(false);
    expect(isStrict(closed({ a: {} }, { additionalProperties: true }))).toBe(false);
    expect(isStrict(closed({ a: { type: 'object' } }))).toBe(false);
    expect(isStrict(closed({ a: { anyOf: [{ type: 'object', properties: { b: {} }, required: ['b'] }] } }))).toBe(false);
  });
});
