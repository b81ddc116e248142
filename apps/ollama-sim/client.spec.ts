import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ollama } from 'ollama';
import { type Simulator, startSimulator } from './simulator.ts';
import { until } from './http-client.suite.ts';

const MODEL = 'simulated:latest';
const messages = [
  { role: 'system', content: 'You are Ann. Your role is villager.' },
  { role: 'user', content: 'Bob: I think Cid is lying.\nWhat do you say?' },
];

let sim: Simulator;
let ollama: Ollama;
beforeEach(async () => {
  sim = await startSimulator();
  ollama = new Ollama({ host: sim.url });
});
afterEach(() => sim.close());

describe('the published Ollama client', () => {
  it('chats', async () => {
    const answer = await ollama.chat({ model: MODEL, messages });
    expect(answer).toMatchObject({
      model: MODEL,
      done: true,
      done_reason: 'stop',
      message: { role: 'assistant', content: expect.stringMatching(/\w/) },
    });
    expect(answer.total_duration).toBeGreaterThan(0);
  });

  it('streams the same chat answer', async () => {
    const whole = await ollama.chat({ model: MODEL, messages });
    let text = '';
    for await (const part of await ollama.chat({ model: MODEL, messages, stream: true })) text += part.message.content;
    expect(text).toBe(whole.message.content);
  });

  it('gets structured output', async () => {
    const format = { type: 'object', properties: { target: { enum: ['Bob', 'Cid'] } }, required: ['target'] };
    const answer = await ollama.chat({ model: MODEL, messages, format });
    expect(JSON.parse(answer.message.content)).toEqual({ target: expect.stringMatching(/^(Bob|Cid)$/) });
  });

  it('lists, shows, and reports running models and version', async () => {
    const { models } = await ollama.list();
    expect(models.map((one) => one.name)).toEqual(['simulated:latest', 'simulated-thinking:latest', 'simulated-embed:latest']);
    expect((await ollama.show({ model: 'simulated-thinking' })).capabilities).toContain('thinking');
    expect((await ollama.ps()).models).toEqual([]);
    await ollama.chat({ model: MODEL });
    expect((await ollama.ps()).models.map((one) => one.name)).toEqual([MODEL]);
    expect((await ollama.version()).version).toBe('0.33.0');
  });

  it('embeds', async () => {
    const { embeddings } = await ollama.embed({ model: 'simulated-embed', input: ['a wolf', 'a wolf', 'rain'] });
    expect(embeddings[0]).toEqual(embeddings[1]);
    expect(embeddings[0]).not.toEqual(embeddings[2]);
  });

  it("gets errors in Ollama's format", async () => {
    await expect(ollama.chat({ model: 'none', messages })).rejects.toMatchObject({ error: "model 'none' not found", status_code: 404 });
    await expect(ollama.chat({ model: MODEL, messages, think: true })).rejects.toMatchObject({ status_code: 400 });
    await expect(ollama.embed({ model: 'none', input: '' })).rejects.toMatchObject({ status_code: 404 });
  });
});

describe('the published Ollama client and faults', () => {
  const streamed = async (fault: string): Promise<string> => {
    const client = new Ollama({ host: sim.url, headers: { 'x-sim-fault': fault } });
    let text = '';
    for await (const part of await client.chat({ model: MODEL, messages, stream: true })) text += part.message.content;
    return text;
  };
  const whole = (fault: string): Promise<unknown> =>
    new Ollama({ host: sim.url, headers: { 'x-sim-fault': fault } }).chat({ model: MODEL, messages });

  it.each([
    ['error-mid-stream', 'an error was encountered while running the model: unexpected EOF'],
    ['end-without-done', 'Did not receive done or success response in stream.'],
    ['done-false', 'Did not receive done or success response in stream.'],
    ['reset-mid-stream', 'terminated'],
    ['half-line', 'terminated'],
    ['reset-before-headers', 'fetch failed'],
    ['runner-crash', expect.stringMatching(/^model runner has unexpectedly stopped/)],
    ['out-of-memory', expect.stringMatching(/out of memory/)],
  ])('%s fails a stream as the real server would', async (fault, message) => {
    await expect(streamed(fault)).rejects.toMatchObject({ message });
  });

  it.each([
    ['error-mid-stream', { status_code: 500 }],
    ['runner-crash', { status_code: 500 }],
    ['load-failed', { status_code: 500, error: expect.stringMatching(/^llama-server process has terminated/) }],
    ['bad-input', { status_code: 500, error: 'option "num_ctx" must be of type integer' }],
    ['nested-400', { status_code: 400, error: expect.stringMatching(/^\{"error":\{"code":400,/) }],
    ['reset-before-headers', { message: 'fetch failed', cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) } }],
  ])('%s fails a whole response as the real server would', async (fault, error) => {
    await expect(whole(fault)).rejects.toMatchObject(error);
  });

  it('skips an invalid JSON line with a warning', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const text = await streamed('invalid-json-line');
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    expect(text).toBe(await streamed('clock-skew'));
  });

  it('leaves all slots free', async () => {
    for (const fault of ['error-mid-stream', 'reset-mid-stream', 'half-line', 'runner-crash', 'done-false'])
      await streamed(fault).catch(() => undefined);
    await until('no slot is busy', () => sim.state().models.every((one) => one.busy === 0 && one.uses === 0));
    expect(sim.state().open).toBe(0);
  });
});
