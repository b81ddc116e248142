import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arm, chat, clock, free, MODEL, sim, start } from '../engine/engine.suite.ts';
import { ask, linesOf, type Probe, probe, until } from '../http-client.suite.ts';
import { startSimulator } from '../simulator.ts';

beforeEach(() => start({}));
afterEach(() => sim.close());

const messages = [{ role: 'user', content: 'Say something to the table.' }];
const whole = { stream: false };
const codeOf = async (sent: Probe): Promise<unknown> =>
  sent.seen.then(
    () => 'answered',
    (error: { code: unknown }) => error.code,
  );

describe('a fault before the response', () => {
  it('accept-and-hang: never answers and takes no slot', async () => {
    const sent = chat({}, 'accept-and-hang');
    await until('it has come', () => sim.state().faults.tripped['accept-and-hang'] === 1);
    clock.advance(1e9);
    await ask(sim.url, '/api/version');
    expect([sent.body(), sim.state().models]).toEqual(['', []]);
    sent.leave();
    await free();
  });

  it('reset-before-headers: the connection is reset', async () => {
    expect(await codeOf(chat({}, 'reset-before-headers'))).toBe('ECONNRESET');
    await free();
  });

  it('connection-refused: closes the listener for a while', async () => {
    expect(await codeOf(chat({}, 'connection-refused=500'))).toBe('ECONNRESET');
    expect(await codeOf(chat({}))).toBe('ECONNREFUSED');
    clock.advance(500);
    await until('it is back', async () => (await codeOf(chat(whole))) === 'answered');
    await arm({ name: 'connection-refused', ms: 300 });
    await until('it is gone', async () => (await codeOf(chat({}))) === 'ECONNREFUSED');
    clock.advance(300);
    await until('it is back again', async () => (await codeOf(chat(whole))) === 'answered');
  });

  it('connection-refused: reopens once when injected twice, and not after close', async () => {
    const other = await startSimulator({ clock });
    const asked = () => codeOf(probe(other.url, '/api/chat', { model: MODEL, messages, ...whole }));
    for (const _ of [1, 2]) await other.arm({ name: 'connection-refused', ms: 500 });
    clock.advance(500);
    await until('it is back', async () => (await asked()) === 'answered');
    await other.close();
    expect(await asked()).toBe('ECONNREFUSED');
  });

  it('connection-refused: requests in flight go on', async () => {
    const slow = await startSimulator({ clock, decodeMsPerToken: 10 });
    const sent = probe(slow.url, '/api/chat', { model: MODEL, messages, ...whole });
    await until('it runs', () => slow.state().models[0]?.busy === 1);
    await slow.arm({ name: 'connection-refused', ms: 1e9 });
    let over = false;
    void sent.seen.finally(() => {
      over = true;
    });
    await until('it is answered', () => {
      clock.advance(10);
      return over;
    });
    expect((await sent.seen).status).toBe(200);
    await slow.close();
  });

  it('sigterm: closes listener and connections for good', async () => {
    const other = chat({}, 'accept-and-hang');
    await until('another hangs', () => sim.state().open === 1);
    expect(await codeOf(chat({}, 'sigterm'))).toBe('ECONNRESET');
    expect(await codeOf(other)).toBe('ECONNRESET');
    expect(await codeOf(chat({}))).toBe('ECONNREFUSED');
  });

  it('sigterm by the admin endpoint works at once', async () => {
    await arm({ name: 'sigterm' });
    await until('it is gone', async () => (await codeOf(chat({}))) === 'ECONNREFUSED');
    expect(sim.state().open).toBe(0);
  });

  it.each([
    ['bad-input', 500, /^option "num_ctx" must be of type integer$/],
    ['nested-400', 400, /^\{"error":\{"code":400,"message":/],
    ['load-failed', 500, /^llama-server process has terminated: /],
    ['out-of-memory', 500, /out of memory/],
    ['runner-crash', 500, /^model runner has unexpectedly stopped, this may be due to resource limitations/],
    ['error-mid-stream', 500, /^an error was encountered while running the model: /],
  ])('%s: responds %i without streaming', async (fault, status, error) => {
    const seen = await chat(whole, fault).seen;
    expect([seen.status, linesOf(seen.text)[0]]).toEqual([status, { error: expect.stringMatching(error) }]);
    await free();
  });

  it('out-of-memory and runner-crash: apply to embeddings', async () => {
    for (const [fault, error] of [
      ['out-of-memory', /out of memory/],
      ['runner-crash', /^model runner/],
      ['load-failed', /^llama-server process/],
    ] as const) {
      const seen = await ask(sim.url, '/api/embed', { model: MODEL, input: 'x' }, { headers: { 'x-sim-fault': fault } });
      expect([seen.status, linesOf(seen.text)[0]]).toEqual([500, { error: expect.stringMatching(error) }]);
      await until('no model is left', () => sim.state().models.length === 0);
    }
  });
});
