import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../engine/manual-clock.suite.ts';
import { ask, type Seen } from '../http-client.suite.ts';
import { type Simulator, startSimulator } from '../simulator.ts';

const MODEL = 'simulated:latest';
const messages = [{ role: 'user', content: 'Hello there.' }];

let sim: Simulator;
beforeEach(async () => {
  sim = await startSimulator({ clock: manualClock() });
});
afterEach(() => sim.close());

const post = (body: object, fault?: string): Promise<Seen> =>
  ask(
    sim.url,
    '/v1/chat/completions',
    { model: MODEL, messages, ...body },
    fault === undefined ? {} : { headers: { 'x-sim-fault': fault } },
  );
const parsed = (text: string): Record<string, unknown> => {
  const value: Record<string, unknown> = JSON.parse(text);
  return value;
};
const chunks = (seen: Seen): readonly string[] =>
  seen.text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => one.replace(/^data: /, ''));

describe('/v1/chat/completions', () => {
  it("answers in OpenAI's format", async () => {
    const response_format = { type: 'json_schema', json_schema: { schema: { const: 1 } } };
    expect((await post({ response_format })).text).toMatch(
      /^\{"id":"chatcmpl-\d{1,3}","object":"chat\.completion","created":1787338102,"model":"simulated:latest","system_fingerprint":"fp_ollama","choices":\[\{"index":0,"message":\{"role":"assistant","content":"1"\},"finish_reason":"stop"\}\],"usage":\{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6\}\}$/,
    );
  });

  it('streams the role, the finish, usage on request, and DONE', async () => {
    const response_format = { type: 'json_schema', json_schema: { schema: { const: 'a' } } };
    const seen = await post({ stream: true, stream_options: { include_usage: true }, response_format });
    expect(seen.headers['content-type']).toBe('text/event-stream');
    const all = chunks(seen);
    expect(all.at(-1)).toBe('[DONE]');
    const choices = all.slice(0, -1).map((one) => parsed(one)['choices']);
    expect(choices).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: '"' }, finish_reason: null }],
      [{ index: 0, delta: { content: 'a' }, finish_reason: null }],
      [{ index: 0, delta: { content: '"' }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: 'stop' }],
      [],
    ]);
    expect(parsed(all.at(-2) ?? '')['usage']).toEqual({ prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 });
    expect(chunks(await post({ stream: true })).filter((one) => one.includes('"usage"'))).toEqual([]);
  });

  it("maps OpenAI's option names", async () => {
    const choice = async (body: object): Promise<unknown> => (parsed((await post(body)).text)['choices'] as unknown[])[0];
    expect(await choice({ max_tokens: 1 })).toMatchObject({ finish_reason: 'length' });
    expect(await choice({ response_format: { type: 'json_object' } })).toMatchObject({
      message: { content: expect.stringMatching(/^\{.*\}$/) },
    });
    expect(await choice({ model: 'simulated-thinking' })).toMatchObject({ message: { reasoning: expect.any(String) } });
    expect(await choice({ model: 'simulated-thinking', reasoning_effort: 'none' })).not.toHaveProperty('message.reasoning');
    expect(await choice({ seed: 3 })).toEqual(await choice({ seed: 3 }));
    const parts = [{ role: 'user', content: [{ type: 'text', text: 'Hello there.' }] }];
    expect(await choice({ messages: parts })).toEqual(await choice({}));
  });

  it.each([
    [{ messages: [] }, 400, 'invalid_request_error', "messages: [] is too short - 'messages'"],
    [{ model: 'none' }, 404, 'not_found_error', "model 'none' not found"],
    [{ reasoning_effort: 'some' }, 400, 'invalid_request_error', 'reasoning_effort: invalid reasoning value'],
  ])("answers %j with %i in OpenAI's error format", async (body, status, type, message) => {
    const seen = await post(body);
    expect([seen.status, parsed(seen.text)]).toEqual([status, { error: { message, type, param: null, code: null } }]);
  });

  it('applies faults; an error in the middle is lost', async () => {
    expect(parsed((await post({}, 'error-mid-stream')).text)).toMatchObject({ error: { type: 'api_error' } });
    const seen = await post({ stream: true }, 'error-mid-stream');
    expect(seen.complete).toBe(true);
    expect(seen.text).not.toMatch(/DONE|encountered/);
    for (const fault of ['end-without-done', 'done-false']) expect((await post({ stream: true }, fault)).text).not.toMatch(/DONE|"stop"/);
    expect((await post({ stream: true }, 'reset-mid-stream')).complete).toBe(false);
  });
});

describe('the other endpoints of /v1', () => {
  it('list the models', async () => {
    const list = parsed((await ask(sim.url, '/v1/models')).text);
    const one = { id: MODEL, object: 'model', created: expect.any(Number), owned_by: 'library' };
    expect(list).toEqual({ object: 'list', data: expect.arrayContaining([one]) });
  });

  it('embed, as numbers or base64', async () => {
    const embed = async (more: object): Promise<Record<string, unknown>> =>
      parsed((await ask(sim.url, '/v1/embeddings', { model: 'simulated-embed', input: 'a wolf', ...more })).text);
    const plain = await embed({});
    const packed = await embed({ encoding_format: 'base64' });
    const vector = (answer: Record<string, unknown>): unknown => (answer['data'] as { embedding: unknown }[])[0]?.embedding;
    expect(plain).toEqual({
      object: 'list',
      data: [{ object: 'embedding', embedding: expect.any(Array), index: 0 }],
      model: 'simulated-embed',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    const bytes = Buffer.from(String(vector(packed)), 'base64');
    expect([...new Float32Array(new Uint8Array(bytes).buffer)]).toEqual([...Float32Array.from(vector(plain) as number[])]);
  });
});
