import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { type Desk, ended, never, openedThings } from './completions.suite.ts';
import { URGENCIES } from './fair-queue.ts';
import { asking, at, eventually } from '../fake-ollama.suite.ts';

const { keep, desk } = openedThings();
afterEach(() => void jest.restoreAllMocks());

/** Who waits although a server could begin with it now, told from nothing but the servers and the line. */
function idle({ servers, turns, busy }: Desk): readonly string[] {
  return [...turns.line.all()].flatMap((job) => {
    const key = turns.keyFor(job);
    if (key === undefined) return [];
    const able = servers.all.filter((one) => one.mayRun(key));
    const others = able.filter((one) => !job.failedOn.has(one.name));
    const free = (others.length ? others : able).filter((one) => busy(one.name) < one.slots);
    // Nobody waits for a load while another has the model.
    const isThere = others.some((one) => one.isResident(key));
    const isComing = ({ name }: (typeof free)[number]): boolean => isThere && turns.isComing(name, key);
    return free.filter((one) => one.isResident(key) || !isComing(one)).map((one) => `${job.id} waits although ${one.name} is free`);
  });
}

describe('the gateway at work', () => {
  it('has no slot free while a completion waits that could use it, whatever comes, fails, is cancelled, goes and comes', async () => {
    const dice = diceOf('conserving', 'run');
    const [one, two, three] = [
      keep(await startSimulator({ models: [{ name: 'a' }], decodeMsPerToken: 0.3, seed: 1, slots: 1 })),
      keep(await startSimulator({ models: [{ name: 'a' }, { name: 'b' }], decodeMsPerToken: 0.3, seed: 2, slots: 2 })),
      keep(await startSimulator({ models: [{ name: 'b' }], decodeMsPerToken: 0.3, seed: 3, slots: 3 })),
    ];
    const gateway = await desk({ servers: [at(one.url, 1), at(two.url, 2)], graceMs: 20, healthEveryMs: 20 });
    gateway.freeze();
    gateway.servers.watch(() => gateway.look());
    const wrong = new Set<string>();
    let samples = 0;
    let fullest = 0;
    // Whenever a completion has come or a slot was taken or given back: all that follows from it at once has been done when the next event
    // is looked at.
    const look = (): void => {
      samples++;
      fullest = Math.max(fullest, gateway.turns.line.size);
      for (const what of idle(gateway)) wrong.add(what);
    };
    const { uses } = gateway.servers;
    jest.spyOn(gateway.servers, 'uses').mockImplementation((...told) => {
      setImmediate(look);
      uses(...told);
    });
    // And every few milliseconds between.
    const timer = setInterval(() => {
      for (const what of idle(gateway)) wrong.add(`between: ${what}`);
      // Time goes on here alone, and further when all that could work rests: what rests may have rested long enough now.
      gateway.skip(gateway.waiting > 0 && gateway.turns.busyInAll() === 0 ? 1_000 : 5);
      gateway.look();
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
      const message = { ...asking(`say ${n}`, given), subject: `game ${dice.below(5)}` };
      outcomes.push(ended(gateway.complete(message, never)));
      setImmediate(look);
      if (dice.below(8) === 0) gateway.cancel(`r${dice.below(n + 1)}`, 'over');
      if (dice.below(12) === 0)
        await dice.pick([one, two]).arm({ name: dice.pick(['reset-before-headers', 'runner-crash', 'half-line', 'schema-violation']) });
      if (n === 60) await gateway.servers.add(at(three.url, 3)).check().then(gateway.look);
      if (n === 120) gateway.servers.drain(new URL(two.url).host);
      if (n === 180) {
        gateway.servers.add(at(two.url, 2));
        gateway.look();
      }
      if (dice.below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(outcomes);
    await eventually('all slots', () => gateway.turns.busyInAll() === 0);
    expect([...wrong]).toEqual([]);
    expect(samples).toBeGreaterThan(most);
    expect(fullest).toBeGreaterThan(20);
    expect(gateway.inside().inHand).toMatchObject({ completions: 0, waiting: 0, running: 0, slots: 0, held: 0, counted: 0, reserved: 0 });
  });
});
