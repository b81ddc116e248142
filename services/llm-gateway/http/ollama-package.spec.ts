import { beforeEach, describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { Ollama } from 'ollama';
import { eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { BOT, type Given, httpGateway, keeper } from './http-server.suite.ts';

// The client of these tests is the published ollama package.

const keep = keeper();

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});

async function open(given: Partial<Given> = {}, key = BOT) {
  const gateway = keep(await httpGateway({ servers: [serverAt(server.url)], ...given }));
  return { ...gateway, ollama: new Ollama({ host: gateway.url, headers: { authorization: `Bearer ${key}` } }) };
}

const user = (content: string) => [{ role: 'user', content }];
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });

describe('the ollama client package', () => {
  it('reads an answer, and its options but not its load options reach the model', async () => {
    const { ollama } = await open({ options: { numCtx: 4096 } });
    const options = { temperature: 0.5, top_p: 0.9, seed: 3, stop: ['END', ''], num_predict: 7, num_ctx: 999_999, num_gpu: 1 };
    const answer = ollama.chat({ model: 'm', messages: user('hello'), options, keep_alive: 0, format: 'json' });
    const call = await server.call('hello');
    const sent = { temperature: 0.5, top_p: 0.9, seed: 3, stop: ['END'], num_predict: 7, num_ctx: 4096 };
    expect(call.body).toMatchObject({ model: 'm:latest', format: 'json', options: sent });
    expect(call.body['keep_alive']).not.toBe(0);
    call.answer('{}', { prompt_eval_count: 5, prompt_eval_duration: 2_000_000, eval_duration: 3_000_000, done_reason: 'length' });
    expect(await answer).toMatchObject({
      model: 'm:latest',
      message: { role: 'assistant', content: '{}' },
      done: true,
      done_reason: 'length',
      prompt_eval_count: 5,
      prompt_eval_duration: 2_000_000,
      eval_count: 2,
      eval_duration: 3_000_000,
    });
  });

  it('reads a stream of lines, the last of which has the counts', async () => {
    const { ollama } = await open();
    const asked = ollama.chat({ model: 'm', messages: user('tell'), stream: true });
    const call = await server.call('tell');
    call.write(piece('Once '));
    call.answer('upon a time.', { prompt_eval_count: 4 });
    const parts: unknown[] = [];
    for await (const { message, done, prompt_eval_count } of await asked) parts.push([message.content, done, prompt_eval_count]);
    expect(parts).toEqual([
      ['Once ', false, undefined],
      ['upon a time.', false, undefined],
      ['', true, 4],
    ]);
  });

  it('streams where it is not told otherwise, as Ollama does', async () => {
    const { ask } = await open();
    const asked = ask('/api/chat', { model: 'm', messages: user('tell') });
    (await server.call('tell')).answer('x');
    const { headers, text } = await asked;
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { done: boolean }).done),
    ).toEqual([false, true]);
  });

  it('calls tools and answers their calls in order', async () => {
    const { ollama } = await open();
    const tool = (name: string) => ({
      type: 'function',
      function: { name, description: 'x', parameters: { type: 'object', properties: {} } },
    });
    const use = (name: string, seat: number) => ({ function: { name, arguments: { seat } } });
    const asked = ollama.chat({
      model: 'm',
      tools: [tool('look'), tool('ask')],
      messages: [
        ...user('go'),
        { role: 'assistant', content: '', tool_calls: [use('look', 1), use('ask', 2)] },
        { role: 'tool', content: 'two', tool_name: 'ask' },
        { role: 'tool', content: 'one' },
      ],
    });
    const call = await server.call('one');
    expect(call.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [use('look', 1), use('ask', 2)] },
      { role: 'tool', content: 'two', tool_name: 'ask' },
      { role: 'tool', content: 'one', tool_name: 'look' },
    ]);
    call.write({ ...piece(''), message: { role: 'assistant', content: '', tool_calls: [use('look', 4)] } });
    call.write({ ...piece(''), done: true, done_reason: 'stop' });
    call.end();
    expect((await asked).message).toEqual({ role: 'assistant', content: '', tool_calls: [use('look', 4)] });
  });

  it('lists and shows models, and embeds', async () => {
    const sim = keep(await startSimulator());
    const { ollama } = await open({ servers: [serverAt(sim.url)] });
    const { models } = await ollama.list();
    expect(models.map(({ name }) => name)).toContain('simulated:latest');
    expect(models[0]).toMatchObject({ model: expect.any(String), digest: expect.any(String), size: 0, details: { format: '' } });
    const shown = await ollama.show({ model: 'simulated' });
    expect(shown.capabilities).toContain('completion');
    await expect(ollama.show({ model: 'nobody' })).rejects.toMatchObject({ status_code: 404, error: "model 'nobody' not found" });
    const { embeddings, model } = await ollama.embed({ model: 'simulated-embed', input: ['one', 'two'] });
    expect([embeddings.length, model]).toEqual([2, 'simulated-embed:latest']);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
  });

  it('is answered without a model when it only loads one', async () => {
    const { ollama } = await open();
    expect(await ollama.chat({ model: 'm', messages: [] })).toMatchObject({ done: true, done_reason: 'load' });
    expect(server.calls).toEqual([]);
  });

  it('reads errors with their status, before a stream and in it', async () => {
    const { ollama, url } = await open();
    const images = [{ role: 'user', content: 'x', images: [Buffer.from('x').toString('base64')] }];
    await expect(ollama.chat({ model: 'm', messages: images })).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringContaining('images'),
    });
    await expect(ollama.chat({ model: 'nobody', messages: user('x') })).rejects.toMatchObject({ status_code: 404 });
    await expect(new Ollama({ host: url }).list()).rejects.toMatchObject({ status_code: 401 });
    await expect(ollama.generate({ model: 'm', prompt: 'x' })).rejects.toMatchObject({ status_code: 404 });
    const asked = ollama.chat({ model: 'm', messages: user('tell'), stream: true });
    const call = await server.call('tell');
    call.write(piece('Once '));
    const stream = await asked;
    const read = async (): Promise<void> => {
      for await (const { message } of stream) if (message.content !== '') call.cut();
    };
    await expect(read()).rejects.toThrow(/connection was/);
  });

  it('aborts the call of the model when it stops reading', async () => {
    const { ollama } = await open();
    const asked = ollama.chat({ model: 'm', messages: user('tell'), stream: true });
    const call = await server.call('tell');
    call.write(piece('Once '));
    (await asked).abort();
    await eventually('the model server to see it', () => call.isAborted);
  });
});

describe('a key with models', () => {
  it('sees and asks no others, by any protocol', async () => {
    const two = keep(
      await fakeOllama(['m', 'n'].map((name) => ({ name: `${name}:latest`, digest: name, capabilities: ['completion', 'embedding'] }))),
    );
    const keys = [{ key: BOT, agent: 'bot', models: ['n'] }];
    const { ollama, ask } = await open({ servers: [serverAt(two.url)], http: { keys } });
    expect((await ollama.list()).models.map(({ name }) => name)).toEqual(['n:latest']);
    expect((await ask('/v1/models')).body.data).toMatchObject([{ id: 'n:latest' }]);
    await expect(ollama.show({ model: 'm' })).rejects.toMatchObject({ status_code: 404 });
    await expect(ollama.chat({ model: 'm', messages: user('x') })).rejects.toMatchObject({ status_code: 403 });
    const asked = [
      ask('/v1/chat/completions', { model: 'm', messages: user('x') }),
      ask('/v1/llm/complete', { model: 'm', messages: user('x') }),
      ask('/v1/embeddings', { model: 'm', input: 'x' }),
    ];
    for (const answer of asked) expect(await answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    two.answerAll('x');
    for (const path of ['/v1/chat/completions', '/v1/llm/complete']) expect((await ask(path, { messages: user('x') })).status).toBe(200);
    expect(two.calls.map(({ body }) => body['model'])).toEqual(['n:latest', 'n:latest']);
  });
});

describe('/health', () => {
  it('needs no key, and tells nothing but that requests are taken', async () => {
    const { ask } = await open({ servers: [] });
    const { status, body } = await ask('/health', undefined, { key: null });
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });
});

describe('a server that is busy', () => {
  it('is waited for until the deadline, and is 503 with Retry-After when that is too near', async () => {
    const { chat } = await open();
    const patient = chat('patient');
    (await server.call('patient')).fail(503, 'busy', { 'retry-after': '1' });
    (await server.call('patient')).answer('x');
    expect((await patient).status).toBe(200);
    const hasty = chat('hasty', {}, { headers: { 'x-maw-deadline-ms': '2000' } });
    (await server.call('hasty')).fail(503, 'server busy, please try again.  maximum pending requests exceeded');
    const { status, headers, body } = await hasty;
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '3', 'failed']);
  });
});
