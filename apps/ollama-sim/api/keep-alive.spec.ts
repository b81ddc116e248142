import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../engine/manual-clock.ts';
import { ask } from '../http-client.suite.ts';
import { type Simulator, startSimulator } from '../simulator.ts';

const MODEL = 'simulated:latest';
const HI = [{ role: 'user', content: 'Hello there.' }];

let sim: Simulator;
const models = [
  { name: MODEL, capabilities: ['completion', 'tools'] as const },
  { name: 'simulated-thinking:latest', capabilities: ['completion', 'thinking'] as const },
  { name: 'simulated-embed:latest', capabilities: ['embedding'] as const },
  { name: 'qwen3:8b', capabilities: ['completion'] as const },
];
beforeEach(async () => {
  sim = await startSimulator({ models, clock: manualClock(), prefillMsPerToken: 0, contextLength: 64 });
});
afterEach(() => sim.close());

const chat = async (body: object, path = '/api/chat'): Promise<{ status: number; error: unknown; json: Record<string, unknown> }> => {
  const seen = await ask(sim.url, path, { model: MODEL, messages: HI, stream: false, ...body });
  const json: Record<string, unknown> = JSON.parse(seen.text);
  return { status: seen.status, error: json['error'], json };
};

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
