import { describe, expect, it } from '@jest/globals';
import { startSimulator } from '../../apps/ollama-sim/simulator.ts';
import { addressOf } from './address.ts';
import { CYCLE_MS, type Load } from './arrivals.ts';
import { trial, type Tried } from './trial.ts';

/** Eight games of which one talks four times as often as the others ask for 162 % of the slots there are. */
const load: Load = { games: 8, greed: 4, forMs: 1.2 * CYCLE_MS, phases: 'apart', seed: 'a' };

/** On two servers of four slots, which need about 60 ms for an answer. */
async function tried(line: 'fair' | 'fifo'): Promise<Tried> {
  const simulators = await Promise.all(
    [1, 2].map((seed) => startSimulator({ seed, slots: 4, decodeMsPerToken: 6, prefillMsPerToken: 0.02 })),
  );
  try {
    const servers = simulators.map(({ url }) => ({ ...addressOf(url), slots: 4 }));
    return await trial({ servers, load, line, signal: AbortSignal.timeout(60_000) });
  } finally {
    for (const simulator of simulators) await simulator.close();
  }
}

describe('the real desk with more work than slots', () => {
  it('answers votes and protects games from a greedy one, which first come first served does not at the same time on the same machine', async () => {
    const [fair, first] = await Promise.all([tried('fair'), tried('fifo')]);
    expect([fair.failed, first.failed]).toEqual([0, 0]);
    // Against each other only: how much of it is in time at all depends on what else the machine does.
    expect(fair.urgent - first.urgent).toBeGreaterThan(0.1);
    expect(fair.worst).toBeGreaterThan(first.worst);
    expect(first.greedy! - fair.greedy!).toBeGreaterThan(0.1);
  }, 60_000);
});
