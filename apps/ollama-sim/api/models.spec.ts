import { describe, expect, it } from '@jest/globals';
import { MODEL, chat, sim, useSimulator } from '../api.suite.ts';
import { ask, linesOf } from '../http-client.suite.ts';

useSimulator();

describe('the other endpoints', () => {
  it("list and show models with Ollama's key order", async () => {
    await chat({ keep_alive: -1 });
    await chat({ model: 'qwen3:8b' });
    const [tags] = linesOf((await ask(sim.url, '/api/tags')).text);
    const [ps] = linesOf((await ask(sim.url, '/api/ps')).text);
    const [show] = linesOf((await ask(sim.url, '/api/show', { model: 'simulated' })).text);
    const first = (list: unknown): object => (list as object[])[0] ?? {};
    expect(Object.keys(first(tags?.['models']))).toEqual(['name', 'model', 'modified_at', 'size', 'digest', 'details', 'capabilities']);
    expect(Object.keys(first(ps?.['models']))).toEqual([
      'name',
      'model',
      'size',
      'digest',
      'details',
      'expires_at',
      'size_vram',
      'context_length',
    ]);
    const running = (ps?.['models'] ?? []) as { name: string; expires_at: string }[];
    expect(running.map((one) => [one.name, one.expires_at.slice(0, 16)])).toEqual([
      [MODEL, '2318-12-01T18:35'],
      ['qwen3:8b', '2026-08-21T18:53'],
    ]);
    expect(Object.keys(show ?? {})).toEqual([
      'license',
      'modelfile',
      'parameters',
      'template',
      'details',
      'model_info',
      'capabilities',
      'modified_at',
    ]);
  });

  it.each([
    ['/api/show', {}, 400, 'model is required'],
    ['/api/show', { model: 'none' }, 404, "model 'none' not found"],
    ['/api/embed', { model: 'none', input: 'x' }, 404, 'model "none" not found, try pulling it first'],
    ['/api/embed', { model: 'simulated-embed', input: 5 }, 400, 'input: invalid input type'],
    ['/api/embed', { model: 'simulated-embed', input: ['a', 5] }, 400, 'input: invalid input type'],
    [
      '/api/embed',
      { model: 'simulated-embed', input: 'x'.repeat(999), truncate: false },
      400,
      'the input length exceeds the context length',
    ],
  ])('%s answers %j with %i', async (path, body, status, error) => {
    const seen = await ask(sim.url, path, body);
    expect([seen.status, linesOf(seen.text)[0]?.['error']]).toEqual([status, error]);
  });

  it('embed one text or many, truncated on request', async () => {
    const embed = async (body: object): Promise<Record<string, unknown>> =>
      linesOf((await ask(sim.url, '/api/embed', { model: 'simulated-embed', ...body })).text)[0] ?? {};
    expect(await embed({ input: ['a', 'b'], dimensions: 8 })).toEqual({
      model: 'simulated-embed',
      embeddings: [expect.any(Array), expect.any(Array)],
      prompt_eval_count: 2,
    });
    expect(((await embed({ input: 'a', dimensions: 8 }))['embeddings'] as number[][])[0]).toHaveLength(8);
    const [vector] = (await embed({ input: 'a' }))['embeddings'] as number[][];
    expect([vector!.length, Math.hypot(...vector!)]).toEqual([256, expect.closeTo(1, 10)]);
    expect(await embed({ input: '' })).toEqual({ model: 'simulated-embed', embeddings: [] });
  });
});
