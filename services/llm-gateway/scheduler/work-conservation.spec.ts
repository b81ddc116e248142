import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { type TestScheduler, settled, never, testResources } from './completions.suite.ts';
import { URGENCIES } from '../request.ts';
import type { Server } from '../servers/server.ts';
import { modelKeyFor } from './model-choice.ts';
import { completionMessage, serverAt, eventually } from '../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
afterEach(() => void jest.restoreAllMocks());

/** Requests that wait although a server could start them now, derived only from the servers and the queue. */
function starved({ registry, queue, loads, busySlots }: TestScheduler): readonly string[] {
  return [...queue.all()].flatMap(({ id, request }) => {
    const key = modelKeyFor(registry, request);
    if (key === undefined) return [];
    const able = registry.all.filter((one) => one.canRun(key));
    const others = able.filter((one) => !request.retry.failedOn.has(one.name));
    const free = (others.length ? others : able).filter((one) => busySlots(one.name) < one.slots);
    // A request does not join a load while another server has the model.
    const isLoaded = others.some((one) => one.isResident(key));
    const isExcused = (one: Server): boolean => !one.isResident(key) && isLoaded && loads.isLoading(one.name, key);
    return free.filter((one) => !isExcused(one)).map((one) => `${id} waits although ${one.name} is free`);
  });
}

describe('the scheduler', () => {
  it('leaves no slot free while a request waits that could use it', async () => {
    const dice = diceOf('conserving', 'run');
    const [one, two, three] = [
      keep(await startSimulator({ models: [{ name: 'a' }], decodeMsPerToken: 0.3, seed: 1, slots: 1 })),
      keep(await startSimulator({ models: [{ name: 'a' }, { name: 'b' }], decodeMsPerToken: 0.3, seed: 2, slots: 2 })),
      keep(await startSimulator({ models: [{ name: 'b' }], decodeMsPerToken: 0.3, seed: 3, slots: 3 })),
    ];
    const gateway = await startScheduler({ servers: [serverAt(one.url, 1), serverAt(two.url, 2)], graceMs: 20, healthEveryMs: 20 });
    gateway.freeze();
    gateway.registry.startHealthChecks();
    const wrong = new Set<string>();
    let samples = 0;
    let fullest = 0;
    // Checks after each arrival and each change of a busy slot, one event later: by then the scheduler has reacted.
    const look = (): void => {
      samples++;
      fullest = Math.max(fullest, gateway.queue.size);
      for (const what of starved(gateway)) wrong.add(what);
    };
    const { setBusy } = gateway.registry;
    jest.spyOn(gateway.registry, 'setBusy').mockImplementation((...args) => {
      setImmediate(look);
      setBusy(...args);
    });
    // And every 5 ms in between.
    const timer = setInterval(() => {
      for (const what of starved(gateway)) wrong.add(`between: ${what}`);
      // The clock advances only here, and further when all breakers are open, so that they half-open.
      gateway.advance(gateway.waiting > 0 && gateway.busySlots() === 0 ? 1_000 : 5);
      gateway.recheck();
    }, 5);
    keep({ close: () => clearInterval(timer) });

    const outcomes: Promise<unknown>[] = [];
    const most = 240;
    for (let n = 0; n < most; n++) {
      const given = {
        model: dice.pick(['a', 'b']),
        urgency: dice.pick(URGENCIES),
        maxTokens: 8 + dice.below(40),
        id: `r${n}`,
        replyBy: gateway.now() + 600_000,
      };
      const message = { ...completionMessage(`say ${n}`, given), subject: `game ${dice.below(5)}` };
      outcomes.push(settled(gateway.complete(message, never)));
      setImmediate(look);
      if (dice.below(8) === 0) gateway.cancel(`r${dice.below(n + 1)}`, 'over');
      if (dice.below(12) === 0)
        await dice.pick([one, two]).arm({ name: dice.pick(['reset-before-headers', 'runner-crash', 'half-line', 'schema-violation']) });
      if (n === 60) await gateway.registry.add(serverAt(three.url, 3)).check().then(gateway.recheck);
      if (n === 120) gateway.registry.drain(new URL(two.url).host);
      if (n === 180) {
        gateway.registry.add(serverAt(two.url, 2));
        gateway.recheck();
      }
      if (dice.below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(outcomes);
    await eventually('all slots', () => gateway.busySlots() === 0);
    expect([...wrong]).toEqual([]);
    expect(samples).toBeGreaterThan(most);
    expect(fullest).toBeGreaterThan(20);
    expect(gateway.debugCounters()).toMatchObject({ requests: 0, slots: 0, held: 0, counted: 0, reserved: 0 });
    expect(gateway.queue.size).toBe(0);
  });
});
