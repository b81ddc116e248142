import { describe, expect, it } from '@jest/globals';
import { chat, sim, useSimulator } from '../api.suite.ts';

useSimulator();

describe('keep_alive', () => {
  it.each([
    [5, 5000],
    [-1, null],
    ['5m', 300_000],
    ['-1s', null],
    ['1h2m3.5s', 3_723_500],
    ['250ms', 250],
  ])('%j keeps the model for %p ms', async (keepAlive, ms) => {
    await chat({ keep_alive: keepAlive });
    expect(sim.state().models[0]?.keepAliveMs).toBe(ms);
  });

  it.each([0, '0', '0s'])('%j unloads at once', async (keepAlive) => {
    await chat({ keep_alive: keepAlive });
    expect(sim.state().models).toEqual([]);
  });

  it('keeps its value until a request changes it', async () => {
    await chat({ keep_alive: '7m' });
    await chat({});
    expect(sim.state().models[0]?.keepAliveMs).toBe(420_000);
    await chat({ keep_alive: '3m' });
    expect(sim.state().models[0]?.keepAliveMs).toBe(180_000);
  });
});
