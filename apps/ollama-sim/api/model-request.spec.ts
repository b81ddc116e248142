import { describe, expect, it } from '@jest/globals';
import { MODEL, chat, sim, useSimulator } from '../api.suite.ts';
import { ask, linesOf } from '../http-client.suite.ts';

useSimulator();

describe('an invalid request to /api/chat', () => {
  const raw = async (body: string): Promise<readonly [number, unknown]> => {
    const seen = await ask(sim.url, '/api/chat', body, { method: 'POST' });
    return [seen.status, linesOf(seen.text)[0]?.['error']];
  };

  it.each([
    ['', 'missing request body'],
    ['{"model": x}', expect.stringContaining('is not valid JSON')],
    ['[]', 'Invalid input: expected object, received array'],
    ['{"model":1}', 'model: Invalid input: expected string, received number'],
    ['{"stream":"yes"}', 'stream: Invalid input: expected boolean, received string'],
    ['{"keep_alive":"-1"}', 'keep_alive: Invalid input'],
    ['{"keep_alive":"soon"}', 'keep_alive: Invalid input'],
    ['{"think":"hard"}', 'think: Invalid input'],
    ['{}', 'model is required'],
  ])('answers %j with 400', async (body, error) => {
    expect(await raw(body)).toEqual([400, error]);
  });

  it.each([
    [{ model: 'none' }, 404, "model 'none' not found"],
    [{ think: true }, 400, '"simulated:latest" does not support thinking'],
    [{ think: 'low' }, 400, '"simulated:latest" does not support thinking'],
    [{ model: 'simulated-embed' }, 400, '"simulated-embed" does not support chat'],
    [{ options: { num_ctx: '4096' } }, 500, 'option "num_ctx": Invalid input: expected number, received string'],
    [{ options: { stop: [1] } }, 500, 'option "stop": Invalid input: expected string, received number'],
    [{ format: 'yaml' }, 500, 'invalid format: "\\"yaml\\""; expected "json" or a valid JSON Schema object'],
    [{ format: [1] }, 500, 'invalid format: "[1]"; expected "json" or a valid JSON Schema object'],
  ])('answers %j with %i', async (body, status, error) => {
    expect(await chat(body)).toMatchObject({ status, error });
  });

  it("is checked in Ollama's order", async () => {
    const wrong = { stream: 99, model: 'none', think: 'low', options: { num_ctx: 'x' }, format: 'yaml' };
    const errors: unknown[] = [];
    for (const cure of [{}, { stream: false }, { model: MODEL }, { think: false }, { options: {} }]) {
      Object.assign(wrong, cure);
      errors.push((await chat(wrong)).error);
    }
    expect(errors).toEqual([
      'stream: Invalid input: expected boolean, received number',
      "model 'none' not found",
      '"simulated:latest" does not support thinking',
      expect.stringContaining('option "num_ctx"'),
      expect.stringContaining('invalid format'),
    ]);
    expect(sim.state().models).toHaveLength(1);
  });

  it('has unknown options ignored and integers truncated', async () => {
    expect((await chat({ options: { wings: 2, num_ctx: 50.9, seed: null } })).status).toBe(200);
    expect(sim.state().models[0]?.numCtx).toBe(50);
  });

  it("is refused in llama-server's words for an impossible schema", async () => {
    const { status, error } = await chat({ format: { $ref: '#/nowhere' } });
    expect(status).toBe(400);
    expect(JSON.parse(String(error))).toMatchObject({ error: { code: 400, type: 'invalid_request_error' } });
  });
});
