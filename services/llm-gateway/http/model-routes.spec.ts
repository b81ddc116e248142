import { beforeEach, describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { ADMIN, BOT, type Given, httpGateway, type HttpGateway, keeper } from './http-server.suite.ts';

const keep = keeper();

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});
const open = async (given: Partial<Given> = {}): Promise<HttpGateway> =>
  keep(await httpGateway({ servers: [serverAt(server.url)], ...given }));
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });

describe('an answer to a caller', () => {
  it('names no server and no address, in whatever goes wrong, but to administrators', async () => {
    const { ask, chat } = await open();
    const address = new URL(server.url);
    const isTold = (text: string): boolean => text.includes(address.port) || text.includes(address.hostname);
    const body = { messages: [{ role: 'user', content: 'x' }] };
    const unknown = { ...body, model: 'nope' };
    for (const path of ['/v1/chat/completions', '/v1/llm/complete', '/v1/embeddings']) {
      const asked = path === '/v1/embeddings' ? { input: 'x', model: 'nope' } : unknown;
      const told = await ask(path, asked, { key: BOT });
      expect([path, told.status, isTold(told.text)]).toEqual([path, 404, false]);
      expect(told.text).toContain('on a model server');
      expect(isTold((await ask(path, asked, { key: ADMIN })).text)).toBe(true);
    }
    const failing = chat('fails', {}, { key: BOT });
    (await server.call('fails')).fail(500, `no disk at ${address.host}`);
    const failed = await failing;
    expect([failed.status, isTold(failed.text)]).toEqual([502, false]);
    expect(failed.text).toContain('a model server answered with 500');
    const native = ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'works' }] }, { key: BOT });
    (await server.call('works')).answer('Yes.');
    expect((await native).body).toMatchObject({ content: 'Yes.', server: 'a model server' });
    expect((await ask('/v1/models', undefined, { key: BOT })).body.data).toHaveLength(1);
  });
});

describe('the OpenAI routes', () => {
  it('answer a chat completion', async () => {
    const { chat } = await open();
    const answer = chat('hello', { temperature: 0.5, top_p: 0.9, seed: 7, max_tokens: 9, stop: '\n', user: 'u', store: false });
    const call = await server.call('hello');
    expect(call.body).toMatchObject({
      model: 'm:latest',
      messages: [{ role: 'user', content: 'hello' }],
      options: { num_predict: 9, temperature: 0.5, top_p: 0.9, seed: 7, stop: ['\n'] },
    });
    expect(call.body).not.toHaveProperty('format');
    call.answer('Hello.', { prompt_eval_count: 5 });
    const { status, headers, body } = await answer;
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-./),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'm:latest',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.', refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    expect(Math.abs(body.created * 1000 - Date.now())).toBeLessThan(60_000);
  });

  it('stream the answer as the model produces it', async () => {
    const { stream } = await open();
    const asked = stream('tell');
    const call = await server.call('tell');
    call.write(piece('Once '));
    const heard = await asked;
    expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await heard.hears('Once ');
    expect(call.isAnswered).toBe(false);
    call.write(piece('upon'));
    await heard.hears('upon');
    call.answer(' a time.', { done_reason: 'length' });
    expect(await heard.ended()).toBe('done');
    const chunk = (delta: object, finish: string | null = null) => ({
      id: heard.events[0].id,
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'm:latest',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    });
    expect(heard.events).toEqual([
      chunk({ role: 'assistant', content: '' }),
      ...['Once ', 'upon', ' a time.'].map((content) => chunk({ content })),
      chunk({}, 'length'),
    ]);
  });

  it('send the usage at the end of a stream when requested', async () => {
    const { stream } = await open();
    const asked = stream('tell', { stream_options: { include_usage: true } });
    (await server.call('tell')).answer('Hi', { prompt_eval_count: 3 });
    const heard = await asked;
    expect(await heard.ended()).toBe('done');
    expect(heard.events.map(({ usage }) => usage)).toEqual([null, null, null, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }]);
    expect(heard.events.at(-1).choices).toEqual([]);
  });

  const schema = { type: 'object', properties: { vote: { type: 'string' } }, required: ['vote'], additionalProperties: false };
  it.each([
    [{ type: 'json_schema', json_schema: { name: 'vote', strict: true, schema } }, schema],
    [{ type: 'json_object' }, 'json'],
    [{ type: 'text' }, undefined],
  ])('pass response_format %j to the model', async (response_format, format) => {
    const { chat } = await open();
    const answer = chat('vote', { response_format });
    const call = await server.call('vote');
    expect(call.body['format']).toEqual(format);
    call.answer('{"vote":"Ada"}');
    expect((await answer).body.choices[0].message.content).toBe('{"vote":"Ada"}');
  });

  it.each([
    [{}, { num_predict: 2_048 }],
    [{ max_tokens: 7, max_completion_tokens: 8 }, { num_predict: 8 }],
    [{ max_tokens: 100_000 }, { num_predict: 8_192 }],
    [
      { stop: ['a', 'b'], seed: null, temperature: null, tools: [], n: 1, logprobs: false },
      { num_predict: 2_048, stop: ['a', 'b'] },
    ],
  ])('map %j to model options', async (more, options) => {
    const { chat } = await open();
    const answer = chat('hello', more);
    const call = await server.call('hello');
    expect(call.body['options']).toEqual({ num_ctx: 8_192, ...options });
    call.answer('x');
    expect((await answer).status).toBe(200);
  });

  it('accept every form of text message', async () => {
    const { ask } = await open();
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one ' },
          { type: 'text', text: 'two' },
        ],
        name: 'ann',
      },
      { role: 'assistant', content: null },
      { role: 'user', content: 'go on' },
    ];
    const answer = ask('/v1/chat/completions', { model: 'default', messages });
    const call = await server.call('go on');
    expect(call.body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one two' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'go on' },
    ]);
    call.answer('x');
    expect((await answer).status).toBe(200);
  });

  it('let the model think unless reasoning_effort is none, minimal or unset', async () => {
    const thinker = keep(await fakeOllama([{ name: 'm:latest', digest: '1', capabilities: ['completion', 'thinking'] }]));
    const { chat } = await open({ servers: [serverAt(thinker.url)] });
    for (const [effort, think] of [
      ['low', true],
      ['none', false],
      ['minimal', false],
      [undefined, false],
    ] as const) {
      const answer = chat('hm', effort === undefined ? {} : { reasoning_effort: effort });
      const call = await thinker.call('hm');
      expect([effort, call.body['think']]).toEqual([effort, think]);
      call.write({ ...piece(''), message: { role: 'assistant', content: '', thinking: 'so' } });
      call.answer('x');
      expect((await answer).body.choices[0].message).toMatchObject({ content: 'x', reasoning_content: 'so' });
    }
  });

  it.each<readonly [string, object]>([
    ['tools.0.function: ', { tools: [{ type: 'function' }] }],
    ['n: only one answer is supported', { n: 2 }],
    ['logprobs: probabilities', { logprobs: true }],
    ['messages:', { messages: [] }],
    ['messages.0.role: one of system, developer, user, assistant, tool', { messages: [{ role: 'function', content: 'x' }] }],
    [
      'images, audio and files are not supported',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }] },
    ],
    ['messages.0.content: ', { messages: [{ role: 'user', content: 'x'.repeat(400_001) }] }],
    ['temperature: ', { temperature: 5.1 }],
    ['top_p: ', { top_p: 1.1 }],
    ['max_tokens: ', { max_tokens: 0 }],
    ['stop: ', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['response_format', { response_format: { type: 'grammar' } }],
  ])('refuse with a reason: %s', async (why, more) => {
    const { chat } = await open();
    const { status, body } = await chat('hello', more);
    expect([status, body.error.type, body.error.code, body.error.param]).toEqual([400, 'invalid_request_error', 'unreadable', null]);
    expect(body.error.message).toContain(why);
    expect(server.calls).toEqual([]);
  });

  it('refuse unusable schemas and unknown models', async () => {
    const { chat, ask } = await open();
    const bad = { type: 'json_schema', json_schema: { schema: { pattern: '(a+' } } };
    expect(await chat('a', { response_format: bad })).toMatchObject({ status: 400, body: { error: { code: 'unreadable' } } });
    // A schema too deep for any stack, and an asynchronous one; as text, because JSON.stringify would overflow.
    for (const hostile of [`{"const":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, '{"$async":true,"type":"object"}']) {
      const body = `{"messages":[{"role":"user","content":"a"}],"response_format":{"type":"json_schema","json_schema":{"schema":${hostile}}}}`;
      expect(await ask('/v1/chat/completions', body)).toMatchObject({ status: 400, body: { error: { code: 'unreadable' } } });
    }
    expect(server.calls).toEqual([]);
    for (const model of ['nobody', 'gpt-5:cloud'])
      expect(await chat('a', { model })).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown-model', type: 'not_found_error' } },
      });
    expect((await ask('/v1/models/nobody')).status).toBe(404);
  });

  it('list models and return one by name', async () => {
    const { ask } = await open();
    const model = { id: 'm:latest', object: 'model', created: 0, owned_by: 'gateway' };
    expect((await ask('/v1/models')).body).toEqual({ object: 'list', data: [model] });
    for (const path of ['/v1/models/m%3Alatest', '/v1/models/m:latest', '//v1//models/m:latest/'])
      expect((await ask(path)).body).toEqual(model);
    expect((await ask('/v1/models/%E0')).status).toBe(400);
  });

  it('return embeddings as numbers or base64', async () => {
    const sim = keep(await startSimulator());
    const { ask } = await open({ servers: [serverAt(sim.url)] });
    const asked = { model: 'simulated-embed', input: ['one', 'two'] };
    const plain = (await ask('/v1/embeddings', asked)).body;
    expect(plain).toMatchObject({
      object: 'list',
      model: 'simulated-embed:latest',
      data: [{ object: 'embedding', index: 0 }, { index: 1 }],
    });
    expect(plain.usage).toEqual({ prompt_tokens: expect.any(Number), total_tokens: plain.usage.prompt_tokens });
    const packed = (await ask('/v1/embeddings', { ...asked, encoding_format: 'base64' })).body;
    for (const [n, { embedding }] of packed.data.entries()) {
      const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
      expect([...new Float32Array(bytes.buffer)]).toEqual(plain.data[n].embedding.map(Math.fround));
    }
    const one = await ask('/v1/embeddings', { ...asked, input: 'one', encoding_format: 'float' });
    expect(one.body.data).toEqual([plain.data[0]]);
    for (const [more, why] of [
      [{ dimensions: 2 }, 'dimensions: '],
      [{ input: [[1, 2]] }, 'token numbers are not supported'],
      [{ input: [] }, 'input: '],
    ] as const)
      expect(await ask('/v1/embeddings', { ...asked, ...more })).toMatchObject({ status: 400, text: expect.stringContaining(why) });
  });
});

describe('the native route', () => {
  it('answers as llm.complete does', async () => {
    const { ask } = await open();
    const answer = ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'hello' }], maxTokens: 9, kind: 'say', game: 'g' });
    const call = await server.call('hello');
    call.answer('Hello.');
    expect((await answer).body).toEqual({
      content: 'Hello.',
      model: 'm:latest',
      server: 'a model server',
      tokens: { prompt: 0, completion: 2 },
      times: expect.objectContaining({ total: expect.any(Number) }),
      reason: 'stop',
      attempts: 1,
      repaired: false,
      context: 8192,
    });
  });

  it('restricts a key to its agent and own games; administrators act for all', async () => {
    const { ask, status } = await open();
    const asked = (say: string, more: object, key = BOT) =>
      ask('/v1/llm/complete', { messages: [{ role: 'user', content: say }], ...more }, { key });
    const running = asked('first', {});
    await server.call('first');
    for (const [more, why] of [
      [{ urgency: 'critical' }, 'urgency: critical is for those who run the games'],
      [{ agent: 'lab/other' }, 'this key speaks only for lab/bot'],
      [{ tenant: 'other' }, 'this key speaks only for lab/bot'],
    ] as const)
      expect(await asked('x', more)).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden', message: expect.stringContaining(why) } },
      });
    const waiting = [
      asked('own', { game: 't1', urgency: 'background' }),
      asked('talks', {}),
      asked('urgent', { game: 't1', urgency: 'critical', agent: 't1:2', tenant: 'league' }, ADMIN),
    ];
    await eventually('three waiting requests', async () => (await status()).games.reduce((sum, one) => sum + one.waiting, 0) === 3);
    const { waiting: waitingCounts, games } = await status();
    expect(waitingCounts).toMatchObject({ critical: 1, talk: 1, background: 1 });
    expect(games.map(({ game }) => game).toSorted()).toEqual(['lab/bot', 't1']);
    for (const say of ['first', 'urgent', 'talks', 'own']) (await server.call(say)).answer('x');
    for (const answer of [running, ...waiting]) expect((await answer).status).toBe(200);
  });

  it('keeps the length estimates of one caller out of those of others', async () => {
    const { ask } = await open();
    const asked = (say: string, key: string, within: number) =>
      ask(
        '/v1/llm/complete',
        { messages: [{ role: 'user', content: say }], kind: 'vote', maxTokens: 32_768 },
        { key, headers: { 'X-Maw-Deadline-Ms': String(within) } },
      );
    const counted = (tokens: number) => ({ eval_count: tokens, eval_duration: tokens * 1e6 });
    for (const [say, key, tokens] of [
      ['vote', ADMIN, 20],
      ['tale', BOT, 30_000],
    ] as const) {
      const answer = asked(say, key, 60_000);
      (await server.call(say)).answer('x', counted(tokens));
      expect((await answer).status).toBe(200);
    }
    // The tale took half a minute; a vote takes 20 ms.
    const vote = asked('another vote', ADMIN, 5_000);
    (await server.call('another vote')).answer('x', counted(20));
    expect((await vote).status).toBe(200);
  });

  it.each([
    [{ max_tokens: 5 }, 'max_tokens'],
    [{ game: 'a/b' }, 'game: must be 1 to 60 letters'],
    [{ messages: [{ role: 'developer', content: 'x' }] }, 'messages.0.role'],
  ])('refuses %j, naming the field', async (more, why) => {
    const { ask } = await open();
    const { status, body } = await ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'x' }], ...more });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(why)]);
  });
});
