import { describe, expect, it } from '@jest/globals';
import { HI, MODEL, chat, sim, useSimulator } from '../api.suite.ts';
import { manualClock } from '../engine/manual-clock.suite.ts';
import { ask, linesOf, until } from '../http-client.suite.ts';
import { startSimulator } from '../simulator.ts';

useSimulator();

describe('/api/chat', () => {
  const COUNTERS = ['total_duration', 'load_duration', 'prompt_eval_count', 'prompt_eval_duration', 'eval_count', 'eval_duration'];

  it("keeps Ollama's key order", async () => {
    const real = await startSimulator({ prefillMsPerToken: 0.1, decodeMsPerToken: 0.1 });
    const seen = await ask(real.url, '/api/chat', { model: MODEL, messages: HI, stream: false });
    await real.close();
    const [answer] = linesOf(seen.text);
    expect(Object.keys(answer ?? {})).toEqual(['model', 'created_at', 'message', 'done', 'done_reason', ...COUNTERS]);
    expect(Object.keys(answer?.['message'] ?? {})).toEqual(['role', 'content']);
    for (const name of COUNTERS) expect(Number.isInteger(answer?.[name])).toBe(true);
  });

  it('matches byte for byte on a manual clock', async () => {
    const seen = await ask(sim.url, '/api/chat', { model: MODEL, messages: HI, stream: false, format: { const: 'a' } });
    expect(seen.text).toBe(
      '{"model":"simulated:latest","created_at":"2026-08-21T18:48:22.000Z","message":{"role":"assistant","content":"\\"a\\""},' +
        '"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":3}',
    );
  });

  it('streams by default: pieces without counters, then the end', async () => {
    const seen = await ask(sim.url, '/api/chat', { model: MODEL, messages: HI, format: { const: 'a b' } });
    expect(seen.headers['content-type']).toBe('application/x-ndjson');
    expect(seen.headers['transfer-encoding']).toBe('chunked');
    const head = '{"model":"simulated:latest","created_at":"2026-08-21T18:48:22.000Z","message":{"role":"assistant","content":';
    expect(seen.text).toBe(
      `${head}"\\""},"done":false}\n${head}"a"},"done":false}\n${head}" b"},"done":false}\n${head}"\\""},"done":false}\n${head}""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":4}\n`,
    );
  });

  it('counts in nanoseconds', async () => {
    const clock = manualClock();
    const slow = await startSimulator({ clock, loadMs: 1.5, prefillMsPerToken: 2, decodeMsPerToken: 0.25 });
    const sent = ask(slow.url, '/api/chat', { model: MODEL, messages: HI, stream: false, format: { const: 12 } });
    for (const ms of [1.5, 10, 0.25]) {
      await until('it waits', () => clock.sleepers() === 1);
      clock.advance(ms);
    }
    const [answer] = linesOf((await sent).text);
    await slow.close();
    expect(answer).toMatchObject({
      total_duration: 11_750_000,
      load_duration: 1_500_000,
      prompt_eval_count: 5,
      prompt_eval_duration: 10_000_000,
      eval_count: 1,
      eval_duration: 250_000,
    });
  });

  it('marks the model name as simulated, and accepts that name', async () => {
    expect((await chat({ model: 'qwen3:8b' })).json['model']).toBe('simulated/qwen3:8b');
    expect((await chat({ model: 'simulated/qwen3:8b' })).json['model']).toBe('simulated/qwen3:8b');
    expect((await chat({ model: 'simulated' })).json['model']).toBe('simulated');
  });

  it('stops at num_predict with the reason length', async () => {
    const { json } = await chat({ options: { num_predict: 2 } });
    expect(json).toMatchObject({ done_reason: 'length', eval_count: 2 });
    expect((await chat({ options: { num_predict: 1000 } })).json['done_reason']).toBe('stop');
  });

  it('stops before a stop text', async () => {
    const { json } = await chat({ format: { const: 'one two three' }, options: { stop: [' two'] } });
    expect(json).toMatchObject({ message: { content: '"one' }, done_reason: 'stop' });
  });

  it('meets the schema; any object for "json"', async () => {
    const format = { type: 'object', properties: { target: { enum: ['Ann', 'Bob'] } }, required: ['target'], additionalProperties: false };
    const content = ({ json }: { json: Record<string, unknown> }): unknown => JSON.parse((json['message'] as { content: string }).content);
    expect(content(await chat({ format }))).toEqual({ target: expect.stringMatching(/^(Ann|Bob)$/) });
    expect(content(await chat({ format: 'json' }))).toEqual(expect.any(Object));
  });

  it('depends on request and seed alone', async () => {
    const content = async (body: object): Promise<unknown> => (await chat(body)).json['message'];
    const format = { type: 'array', minItems: 8, items: { type: 'integer' } };
    expect(await content({ format, options: { seed: 1 } })).toEqual(await content({ format, options: { seed: 1 } }));
    expect(await content({ format, options: { seed: 1 } })).not.toEqual(await content({ format, options: { seed: 2 } }));
    expect(await content({ format })).toEqual(await content({ format }));
    expect(await content({ format })).not.toEqual(await content({ format, messages: [{ role: 'user', content: 'Bye.' }] }));
  });

  it('thinks by default if the model can', async () => {
    const think = async (body: object): Promise<unknown> => (await chat({ model: 'simulated-thinking', ...body })).json['message'];
    expect(await think({})).toEqual({ role: 'assistant', content: expect.any(String), thinking: expect.stringMatching(/\w/) });
    expect(Object.keys((await think({ think: 'high' })) as object)).toEqual(['role', 'content', 'thinking']);
    expect(await think({ think: false })).toEqual({ role: 'assistant', content: expect.any(String) });
  });

  it('streams thinking apart', async () => {
    const seen = await ask(sim.url, '/api/chat', { model: 'simulated-thinking', messages: HI, format: { const: 'x' } });
    const lines = linesOf(seen.text);
    const thoughts = lines.filter((line) => 'thinking' in (line['message'] as object));
    expect(thoughts.length).toBeGreaterThan(5);
    expect(lines.at(-1)).toMatchObject({ done: true, prompt_eval_count: 5, eval_count: thoughts.length + 3 });
  });

  it('loads without messages, and unloads at keep_alive 0', async () => {
    const load = await ask(sim.url, '/api/chat', { model: MODEL });
    expect(load.text).toBe(
      '{"model":"simulated:latest","created_at":"2026-08-21T18:48:22.000Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}',
    );
    expect(sim.state().models.map((one) => one.name)).toEqual([MODEL]);
    expect((await chat({ messages: [], keep_alive: 0 })).json['done_reason']).toBe('unload');
    expect(sim.state().models).toEqual([]);
  });
});
