import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arm, chat, clock, free, MODEL, model, sim, start } from './engine/engine.suite.ts';
import { FAULTS } from './faults.ts';
import { ask, linesOf, type Probe, probe, until } from './http-client.suite.ts';
import { startSimulator } from './simulator.ts';

beforeEach(() => start({}));
afterEach(() => sim.close());

const messages = [{ role: 'user', content: 'Say something to the table.' }];
const whole = { stream: false };

describe('faults', () => {
  const failed = async (): Promise<boolean> => (await chat(whole).seen).status === 500;

  it('are injected by header into one request', async () => {
    expect((await chat(whole, 'bad-input').seen).status).toBe(500);
    expect(await failed()).toBe(false);
  });

  it('are injected the given number of times, into inference only', async () => {
    await arm({ name: 'bad-input', times: 2 });
    await ask(sim.url, '/api/tags');
    await ask(sim.url, '/api/version');
    expect([await failed(), await failed(), await failed()]).toEqual([true, true, false]);
    await arm({ name: 'bad-input' });
    expect([await failed(), await failed()]).toEqual([true, false]);
  });

  it('are injected in the order of arming', async () => {
    await arm({ name: 'nested-400' });
    await arm({ name: 'bad-input' });
    expect([(await chat(whole).seen).status, (await chat(whole).seen).status, (await chat(whole).seen).status]).toEqual([400, 500, 200]);
  });

  it('are limited to one path', async () => {
    await arm({ name: 'reset-before-headers', path: '/api/version' });
    expect(await failed()).toBe(false);
    await expect(ask(sim.url, '/api/version')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('are injected by probability, determined by the seed', async () => {
    const run = async (seed: number): Promise<string> => {
      const other = await startSimulator({ seed });
      await other.arm({ name: 'bad-input', probability: 0.5 });
      const fates: number[] = [];
      for (let at = 0; at < 30; at++) fates.push((await ask(other.url, '/api/chat', { model: MODEL, messages, ...whole })).status);
      await other.close();
      return fates.join(' ');
    };
    const fates = await run(1);
    expect(fates).toMatch(/200.*500|500.*200/);
    expect(await run(1)).toBe(fates);
    expect(await run(2)).not.toBe(fates);
  });

  it('with unknown names are refused with the list', async () => {
    const seen = await arm({ name: 'rain' });
    expect(seen.status).toBe(400);
    for (const name of Object.keys(FAULTS)) expect(seen.text).toContain(name);
    expect((await chat(whole, 'rain').seen).status).toBe(400);
    expect((await ask(sim.url, '/sim/faults', 'rain', { method: 'POST' })).status).toBe(400);
    expect((await arm({ name: 'bad-input', probability: 2 })).status).toBe(400);
  });
});

describe('faults of the runner', () => {
  it('wedge: answers, but leaks the slot until the model is reloaded', async () => {
    expect(linesOf((await chat({}, 'wedge').seen).text).at(-1)).toMatchObject({ done: true });
    await until('it is done', () => model()?.uses === 0);
    expect(model()).toMatchObject({ busy: 1, wedged: 1 });
    const next = chat({});
    await until('the next one waits', () => model()?.waiting === 1);
    clock.advance(1000);
    await ask(sim.url, '/api/version');
    expect(model()?.waiting).toBe(1);
    next.leave();
    await until('it has left', () => model()?.waiting === 0);
    await chat({ messages: [], keep_alive: 0 }).seen;
    expect((await chat(whole).seen).status).toBe(200);
    await free();
  });

  it('wedge: leaks the slot however the request ends', async () => {
    const slow = await startSimulator({ clock, prefillMsPerToken: 10, slots: 2 });
    const sent = probe(slow.url, '/api/chat', { model: MODEL, messages }, { headers: { 'x-sim-fault': 'wedge' } });
    await until('it runs', () => slow.state().models[0]?.busy === 1);
    sent.leave();
    await until('it has left', () => slow.state().models[0]?.uses === 0);
    expect(slow.state().models[0]).toMatchObject({ busy: 1, wedged: 1 });
    await slow.close();
  });

  it('runner-crash: fails all its requests; the next one reloads', async () => {
    const slow = await startSimulator({ clock, decodeMsPerToken: 10, slots: 2 });
    const send = (name: string, headers: Record<string, string> = {}): Probe =>
      probe(slow.url, '/api/chat', { model: MODEL, messages: [{ role: 'user', content: name }], ...whole }, { headers });
    const [running, crashing] = [send('running', { 'x-sim-fault': 'slow-drip' }), send('crashing', { 'x-sim-fault': 'runner-crash' })];
    await until('both run', () => slow.state().models[0]?.busy === 2);
    const waiting = send('waiting');
    await until('one waits', () => slow.state().models[0]?.waiting === 1);
    await until('it has crashed', () => {
      clock.advance(10);
      return slow.state().scheduler.crashes === 1;
    });
    for (const sent of [running, crashing, waiting]) {
      const seen = await sent.seen;
      expect([seen.status, linesOf(seen.text)[0]]).toEqual([
        500,
        { error: expect.stringMatching(/^model runner has unexpectedly stopped/) },
      ]);
    }
    expect(slow.state().models).toEqual([]);
    await probe(slow.url, '/api/chat', { model: MODEL }).seen;
    expect(slow.state().scheduler).toMatchObject({ loads: 2, crashes: 1 });
    await slow.close();
  });

  it('out-of-memory: expires all models', async () => {
    await ask(sim.url, '/api/chat', { model: 'simulated-b' });
    await chat(whole).seen;
    expect(sim.state().models).toHaveLength(2);
    await chat(whole, 'out-of-memory').seen;
    await until('no model is left', () => sim.state().models.length === 0);
  });

  it('load-failed: reloads even a loaded model and fails', async () => {
    await chat(whole).seen;
    await chat(whole, 'load-failed').seen;
    expect(sim.state()).toMatchObject({ models: [], scheduler: { loads: 1, loadsFailed: 1 } });
  });

  it('ps-blocks: blocks /api/ps until the fault is cleared', async () => {
    await arm({ name: 'ps-blocks' });
    const looks = [probe(sim.url, '/api/ps'), probe(sim.url, '/api/ps')];
    const gone = probe(sim.url, '/api/ps');
    await until('they have come', () => sim.state().faults.tripped['ps-blocks'] === 3);
    expect((await chat(whole).seen).status).toBe(200);
    gone.leave();
    await until('one has left', () => sim.state().open === 2);
    expect(looks.map((look) => look.body())).toEqual(['', '']);
    await ask(sim.url, '/sim/faults', undefined, { method: 'DELETE' });
    for (const look of looks) expect((await look.seen).status).toBe(200);
  });
});
