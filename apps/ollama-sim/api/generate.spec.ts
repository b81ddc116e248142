import { describe, expect, it } from '@jest/globals';
import { chat, sim, useSimulator } from '../api.suite.ts';
import { ask, linesOf } from '../http-client.suite.ts';

useSimulator();

describe('/api/generate', () => {
  it('returns response instead of message, and the context at the end', async () => {
    const { json } = await chat({ messages: undefined, prompt: 'Hello', format: { const: 1 } }, '/api/generate');
    expect(Object.keys(json)).toEqual([
      'model',
      'created_at',
      'response',
      'done',
      'done_reason',
      'context',
      'prompt_eval_count',
      'eval_count',
    ]);
    expect(json['context']).toHaveLength(Number(json['prompt_eval_count']) + 1);
  });

  it('streams, thinking included', async () => {
    const seen = await ask(sim.url, '/api/generate', { model: 'simulated-thinking', prompt: 'Hello', raw: true });
    const lines = linesOf(seen.text);
    expect(Object.keys(lines[0] ?? {})).toEqual(['model', 'created_at', 'response', 'thinking', 'done']);
    expect(lines.at(-1)).not.toHaveProperty('context');
    expect(lines.at(-1)).toMatchObject({ response: '', done: true, done_reason: 'stop' });
  });

  it.each([
    [{ model: '' }, 404, "model '' not found"],
    [{ model: 'none' }, 404, "model 'none' not found"],
    [{ raw: true, system: 'x' }, 400, 'raw mode does not support template, system, or context'],
    [{ model: 'simulated-embed' }, 400, '"simulated-embed" does not support generate'],
    [{ suffix: 'x' }, 400, 'registry.ollama.ai/library/simulated:latest does not support insert'],
  ])('answers %j with %i', async (body, status, error) => {
    expect(await chat({ prompt: 'x', ...body }, '/api/generate')).toMatchObject({ status, error });
  });

  it('loads for an empty prompt and unloads at keep_alive 0', async () => {
    expect((await chat({}, '/api/generate')).json).toMatchObject({ response: '', done: true, done_reason: 'load' });
    expect((await chat({ keep_alive: 0 }, '/api/generate')).json).toMatchObject({ response: '', done_reason: 'unload' });
  });
});
