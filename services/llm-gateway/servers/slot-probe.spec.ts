import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@maw/ollama-sim/engine/manual-clock.suite.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { ollama } from '../providers/ollama.ts';
import { probeSlots } from './slot-probe.ts';
import type { SlotTiming } from '../providers/provider.ts';
import { serverAt, serveChats } from '../fake-ollama.suite.ts';

const never = new AbortController().signal;
const asking = (slots: number) => ({ slots, numCtx: 1_024, keepAlive: -1 });

/** A server with `slots` slots and `workMs` per request, without real time; `overhead`: ms every request waits, `crowd`: extra ms beside others. */
function server(slots: number, workMs: number, { overhead = 0, others = 0, crowd = 0 } = {}) {
  let asked = 0;
  let most = 0;
  let open: { resolve(tried: SlotTiming): void; waitedMs: number }[] = [];
  const timeSlot = (): Promise<SlotTiming> => {
    asked++;
    const { promise, resolve } = Promise.withResolvers<SlotTiming>();
    const before = open.length + others;
    open.push({ resolve, waitedMs: Math.floor(before / slots) * workMs });
    most = Math.max(most, open.length);
    // Requests of one turn of the event loop are concurrent.
    setImmediate(() => {
      for (const { resolve: answer, waitedMs } of open)
        answer({ waitedMs: waitedMs + overhead + (open.length > 1 ? crowd : 0), workedMs: workMs });
      open = [];
    });
    return promise;
  };
  return {
    timeSlot,
    get asked() {
      return asked;
    },
    get most() {
      return most;
    },
  };
}

describe('probeSlots', () => {
  it.each([
    [4, 4, 4, 1 + 5],
    [8, 4, 4, 1 + 5],
    [3, 4, 3, 1 + 2 * 5],
    [1, 4, 1, 1 + 2 * 5],
    [1, 2, 1, 1 + 2 * 3],
    [2, 2, 2, 1 + 3],
    [1, 1, 1, 1 + 2],
  ])('on %i slots with %i configured finds %i, in %i requests', async (real, configured, found, requests) => {
    const one = server(real, 40);
    expect(await probeSlots(one, 'm', asking(configured), never)).toBe(found);
    expect([one.asked, one.most]).toEqual([requests, configured + 1]);
  });

  it('ignores a slow first request', async () => {
    for (const waited of [19, 21, 35]) {
      const real = server(1, 40);
      let asked = 0;
      const timeSlot = async (): Promise<SlotTiming> => (asked++ === 0 ? { waitedMs: waited, workedMs: 40 } : real.timeSlot());
      expect([waited, await probeSlots({ timeSlot }, 'm', asking(3), never)]).toEqual([waited, 1]);
    }
  });

  it('subtracts constant overhead from waiting', async () => {
    expect(await probeSlots(server(4, 40, { overhead: 15 }), 'm', asking(4), never)).toBe(4);
    expect(await probeSlots(server(4, 40, { overhead: 15, crowd: 19 }), 'm', asking(4), never)).toBe(4);
    expect(await probeSlots(server(2, 40, { overhead: 15, crowd: 19 }), 'm', asking(4), never)).toBe(2);
  });

  it('takes the better of two rounds', async () => {
    let round = 0;
    const [busy, free] = [server(1, 40), server(4, 40)];
    const timeSlot = (): Promise<SlotTiming> => (round++ < 6 ? busy : free).timeSlot();
    expect(await probeSlots({ timeSlot }, 'm', asking(4), never)).toBe(4);
  });

  it('is inconclusive on a server that is in use or too fast', async () => {
    const used = server(1, 40, { others: 1 });
    expect(await probeSlots(used, 'm', asking(4), never)).toBe('in-use');
    expect(used.asked).toBe(2);
    expect(await probeSlots(server(1, 3.9), 'm', asking(4), never)).toBe('too-fast');
    expect(await probeSlots(server(1, 4), 'm', asking(4), never)).toBe(1);
    expect(await probeSlots({}, 'm', asking(4), never)).toBe('too-fast');
  });

  it('is inconclusive when the first measurement was an outlier', async () => {
    let asked = 0;
    const timeSlot = async (): Promise<SlotTiming> =>
      asked++ === 0 ? { waitedMs: 0, workedMs: 40 } : { waitedMs: asked % 2 ? 0 : 30, workedMs: 1 };
    expect(await probeSlots({ timeSlot }, 'm', asking(4), never)).toBe('too-fast');
  });

  it('aborts all requests when one fails, and throws its error', async () => {
    let asked = 0;
    let ended = 0;
    const timeSlot = (_model: string, _options: object, signal: AbortSignal): Promise<SlotTiming> => {
      if (asked++ === 0) return Promise.resolve({ waitedMs: 0, workedMs: 40 });
      if (asked === 3) return Promise.reject(new Error('broken'));
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          ended++;
          reject(signal.reason as Error);
        }),
      );
    };
    await expect(probeSlots({ timeSlot }, 'm', asking(4), never)).rejects.toThrow('broken');
    expect([asked, ended]).toEqual([6, 4]);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 3],
  ])('on Ollama with %i slots and 3 configured finds %i', async (slots, found) => {
    const clock = manualClock();
    const sim = await startSimulator({ slots, decodeMsPerToken: 60, clock });
    const provider = ollama(serverAt(sim.url), 5_000, Date.now);
    try {
      await provider.load('simulated:latest', { numCtx: 1_024, keepAlive: -1, canChat: true }, never);
      const tried = probeSlots(provider, 'simulated:latest', asking(3), never);
      for (const count of slots < 3 ? [2, 6, 10] : [2, 6]) await serveChats(sim, clock, count, 60);
      expect(await tried).toBe(found);
      // With the common load options nothing is loaded again.
      expect(sim.state().scheduler).toMatchObject({ loads: 1, unloads: 0 });
    } finally {
      await provider.close();
      await sim.close();
    }
  });
});
