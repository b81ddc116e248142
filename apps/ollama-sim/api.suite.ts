import { afterEach, beforeEach } from '@jest/globals';
import { manualClock } from './engine/manual-clock.suite.ts';
import { ask } from './http-client.suite.ts';
import { type Simulator, startSimulator } from './simulator.ts';

// Shared by the specs of the endpoints: a simulator per test, on a manual clock, with models of every kind.

export const MODEL = 'simulated:latest';
export const HI = [{ role: 'user', content: 'Hello there.' }];
export const models = [
  { name: MODEL, capabilities: ['completion', 'tools'] as const },
  { name: 'simulated-thinking:latest', capabilities: ['completion', 'thinking'] as const },
  { name: 'simulated-embed:latest', capabilities: ['embedding'] as const },
  { name: 'qwen3:8b', capabilities: ['completion'] as const },
];

export let sim: Simulator;

/** Registers the start and the end of the simulator for every test of a spec. */
export const useSimulator = (): void => {
  beforeEach(async () => {
    sim = await startSimulator({ models, clock: manualClock(), prefillMsPerToken: 0, contextLength: 64 });
  });
  afterEach(() => sim.close());
};

/** A request without streaming, by default to /api/chat. */
export const chat = async (
  body: object,
  path = '/api/chat',
): Promise<{ status: number; error: unknown; json: Record<string, unknown> }> => {
  const seen = await ask(sim.url, path, { model: MODEL, messages: HI, stream: false, ...body });
  const json: Record<string, unknown> = JSON.parse(seen.text);
  return { status: seen.status, error: json['error'], json };
};
