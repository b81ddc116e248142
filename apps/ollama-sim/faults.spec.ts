import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from './engine/manual-clock.suite.ts';
import { FAULTS } from './faults.ts';
import { ask, linesOf, type Probe, probe, type Seen, until } from './http-client.suite.ts';
import { type Simulator, startSimulator } from './simulator.ts';
import type { ModelState } from './state.ts';

const MODEL = 'simulated:latest';
const messages = [{ role: 'user', content: 'Say something to the table.' }];

let sim: Simulator;
let clock: ManualClock;
beforeEach(async () => {
  clock = manualClock();
  sim = await startSimulator({ clock });
});
afterEach(() => sim.close());

const chat = (body: object, fault?: string): Probe =>
  probe(sim.url, '/api/chat', { model: MODEL, messages, ...body }, fault === undefined ? {} : { headers: { 'x-sim-fault': fault } });
const arm = (fault: object): Promise<Seen> => ask(sim.url, '/sim/faults', fault);
const model = (): ModelState | undefined => sim.state().models[0];
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
      const other = await startSimulator({ seed, faults: [{ name: 'bad-input', probability: 0.5 }] });
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

  it('are cleared by a reset', async () => {
    await chat({}, 'wedge').seen;
    await arm({ name: 'bad-input', times: 9 });
    const waiting = chat({ messages: [{ role: 'user', content: 'x' }] }, 'slow-drip');
    await until('one waits for the wedged slot', () => model()?.waiting === 1);
    await ask(sim.url, '/sim/reset', {});
    expect(linesOf((await waiting.seen).text)[0]).toEqual({ error: 'the simulator was reset' });
    const [state] = linesOf((await ask(sim.url, '/sim/state')).text);
    expect(state).toMatchObject({ requests: 1, models: [], faults: { armed: [], tripped: {} } });
    expect(await failed()).toBe(false);
  });
});
