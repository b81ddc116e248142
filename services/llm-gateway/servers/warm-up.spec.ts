import { describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@maw/ollama-sim/engine/manual-clock.suite.ts';
import { startSimulator, type Simulator } from '@maw/ollama-sim/simulator.ts';
import type { SimulatorOptions } from '@maw/ollama-sim/options.ts';
import { logger } from '@maw/telemetry/log.ts';
import { Writable } from 'node:stream';
import { warmUp } from './warm-up.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import { type GatewayOptions, defaultOptions } from '../defaults.ts';
import type { Provider } from '../providers/provider.ts';
import { completionMessage, serverAt, eventually, fakeOllama, serveChats } from '../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
const simulator = async (options?: SimulatorOptions): Promise<Simulator> => keep(await startSimulator(options));

/** A scheduler with warm-up; `round` runs one round of health checks. */
async function room(given: GatewayOptions['servers'], more: Partial<GatewayOptions> = {}, isActive = (): boolean => true, now = Date.now) {
  const options = { ...defaultOptions, agentRpm: 0, agentConcurrency: 0, ...more, servers: given };
  const written: { message?: string; why?: string; found?: number; slots?: number }[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) written.push(JSON.parse(line) as { message: string });
      done();
    },
  });
  const log = logger('llm-gateway', { level: 'info', destination: sink });
  const scheduler = await startScheduler({ ...more, servers: given, log }, { now, isChecked: false });
  const servers = scheduler.registry;
  const warming = keep(warmUp({ registry: servers, options, log, now, loads: scheduler.loads, isLeader: async () => isActive() }));
  await servers.checkAll();
  warming.start();
  return {
    scheduler,
    servers,
    written,
    first: () => servers.all[0]!,
    logged: (message: string) => written.filter((line) => line.message === message),
    ask: (say: string, of: Parameters<typeof completionMessage>[1] = {}) => scheduler.complete(completionMessage(say, of), never),
    async round() {
      await servers.checkAll();
      for (const one of servers.all) servers.events.emit('checked', one);
    },
  };
}

describe('warm-up', () => {
  it('loads the default model with the common options before the first request', async () => {
    const sim = await simulator();
    const { first, ask, scheduler } = await room([serverAt(sim.url)], { numCtx: 2_048, keepAlive: -1 });
    await eventually('the load', () => first().isResident('simulated:latest') && first().preparing === undefined);
    expect(sim.state().models).toMatchObject([{ name: 'simulated:latest', numCtx: 2_048, keepAliveMs: null, uses: 0 }]);
    expect(scheduler.busySlots(first().name)).toBe(0);
    await ask('x');
    expect(sim.state()).toMatchObject({ scheduler: { loads: 1, unloads: 0 }, byPath: { '/api/chat': 2 } });
  });

  it('lets a server run resident models while it loads', async () => {
    const opens = Promise.withResolvers<void>();
    const models = ['m', 'resident'].map((name) => ({ name, digest: name, capabilities: ['completion'] }));
    const one = keep(await fakeOllama(models));
    one.resident = ['resident'];
    one.gate = opens.promise;
    const { scheduler, first, ask } = await room([serverAt(one.url, 2)], { model: 'm' });
    await eventually('the load', () => one.loads.length === 1);
    const [waits, runs] = [ask('waits'), ask('runs', { model: 'resident' })];
    (await one.call('runs')).answer('at once');
    expect((await runs).content).toBe('at once');
    await eventually('the slot', () => scheduler.busySlots(first().name) === 0);
    expect([scheduler.waiting, first().preparing, one.calls.length]).toEqual([1, 'm:latest', 1]);
    opens.resolve();
    (await one.call('waits')).answer('now');
    expect((await waits).content).toBe('now');
    expect(one.loads).toEqual(['m']);
  });

  it('leaves queued requests to a server that is ready', async () => {
    const [cold, ready] = [keep(await fakeOllama()), keep(await fakeOllama())];
    cold.gate = new Promise(() => undefined);
    ready.resident = ['m:latest'];
    const { ask } = await room([serverAt(cold.url), serverAt(ready.url)]);
    const answers = [ask('1'), ask('2')];
    for (const say of ['1', '2']) (await ready.call(say)).answer('x');
    await Promise.all(answers);
    expect(cold.calls).toEqual([]);
  });

  it('retries a failed load after a minute; the server is used meanwhile', async () => {
    let now = Date.now();
    const sim = await simulator();
    await sim.arm({ name: 'load-failed' });
    const { first, logged, round } = await room([serverAt(sim.url)], {}, undefined, () => now);
    await eventually('the end of it', () => logged('loading a model failed').length === 1 && first().preparing === undefined);
    expect(logged('loading a model failed')).toMatchObject([{ why: expect.stringContaining('llama-server process has terminated') }]);
    expect(first().canRun('simulated:latest')).toBe(true);
    now += 59_999;
    for (let times = 0; times < 4; times++) await round();
    expect([sim.state().byPath['/api/chat'], first().isResident('simulated:latest')]).toEqual([1, false]);
    now += 1;
    await round();
    await eventually('the load', () => first().isResident('simulated:latest'));
    expect(sim.state().scheduler).toMatchObject({ loads: 1, loadsFailed: 1 });
  });

  it('loads a lost model again, unless the server has work', async () => {
    let now = Date.now();
    const one = keep(await fakeOllama());
    one.resident = ['m:latest'];
    const { first, ask, round } = await room([serverAt(one.url)], {}, undefined, () => now);
    await round();
    expect(one.loads).toEqual([]);
    const answer = ask('x', { replyBy: now + 1e9 });
    const call = await one.call('x');
    one.resident = [];
    await round();
    await round();
    expect(one.loads).toEqual([]);
    call.answer('x');
    await answer;
    one.resident = ['m:latest'];
    await round();
    one.resident = [];
    now += 60_000;
    await round();
    await eventually('the load', () => one.loads.length === 1 && first().preparing === undefined);
  });

  it('is off on a standby and when disabled', async () => {
    const one = keep(await fakeOllama());
    for (const standing of [
      await room([serverAt(one.url, 4)], {}, () => false),
      await room([serverAt(one.url, 4)], { warmUp: false, checkSlots: false }),
    ]) {
      await standing.round();
      await standing.round();
      expect([one.loads, standing.first().preparing]).toEqual([[], undefined]);
      const answer = standing.ask('x', { id: crypto.randomUUID() });
      (await one.call('x')).answer('x');
      await answer;
      one.loads.splice(0);
    }
  });
});

describe('the slot check', () => {
  let isLeader = false;
  /** Milliseconds per token on these simulators, whose clock the test advances. */
  const SLOW_MS = 200;
  /** Serves a slot check wave by wave; `counts`: chats received after each wave, the load included. */
  async function checked(sim: Simulator, clock: ManualClock, ...counts: number[]): Promise<void> {
    for (const count of counts) await serveChats(sim, clock, count, SLOW_MS);
  }

  it('limits a server to the slots that work, and logs it', async () => {
    const clock = manualClock();
    const sim = await simulator({ slots: 2, decodeMsPerToken: SLOW_MS, clock });
    const { first, logged, ask } = await room([serverAt(sim.url, 4)]);
    await checked(sim, clock, 2, 7, 12);
    await eventually('the check', () => logged('model server has fewer slots than configured').length > 0);
    const problem = 'of 4 configured slots 2 work at once: raise its OLLAMA_NUM_PARALLEL or configure fewer slots';
    expect(logged('model server has fewer slots than configured')).toMatchObject([{ slots: 4, found: 2, why: problem }]);
    expect(first()).toMatchObject({ slots: 2, problem, options: { slots: 4 } });
    let isOver = false;
    const answers = Promise.all(['1', '2', '3', '4', '5'].map((say) => ask(say, { maxTokens: 2 }))).finally(() => (isOver = true));
    await eventually('the answers', () => {
      clock.advance(SLOW_MS);
      return isOver;
    });
    await answers;
    expect(first().slots).toBe(2);
  });

  it('confirms working slots and does not repeat', async () => {
    const clock = manualClock();
    const sim = await simulator({ slots: 3, decodeMsPerToken: SLOW_MS, clock });
    const { first, logged, round } = await room([serverAt(sim.url, 3)]);
    await checked(sim, clock, 2, 6);
    await eventually('the check', () => logged('all configured slots work').length > 0);
    expect(first()).toMatchObject({ slots: 3, problem: '' });
    const asked = sim.state().byPath['/api/chat'];
    await round();
    await round();
    expect(sim.state().byPath['/api/chat']).toBe(asked);
  });

  it('runs again when the server returns or its slots change', async () => {
    const clock = manualClock();
    const before = await startSimulator({ slots: 1, decodeMsPerToken: SLOW_MS, clock });
    const { first, round } = await room([serverAt(before.url, 2)]);
    await checked(before, clock, 2, 5, 8);
    await eventually('the check', () => first().slots === 1);
    await before.close();
    await round();
    expect(first().health.isUp).toBe(false);
    const again = await simulator({ slots: 2, decodeMsPerToken: SLOW_MS, port: before.port, clock });
    await round();
    await checked(again, clock, 2, 5);
    await eventually('the check', () => first().slots === 2 && first().problem === '');
    first().capacity.configure(3);
    await eventually('the next check', async () => {
      await round();
      return again.state().open === 1;
    });
    await checked(again, clock, 6, 10, 14);
    await eventually('the check', () => first().slots === 2 && first().problem !== '');
  });

  it('runs again a minute after it found the server used by somebody else', async () => {
    let now = Date.now();
    let waitedMs = 100;
    let asked = 0;
    const one = keep(await fakeOllama());
    const { first, round, logged } = await room([serverAt(one.url, 2)], { warmUp: false }, undefined, () => now);
    Object.assign(first().provider, { timeSlot: async () => ({ waitedMs: (asked++, waitedMs), workedMs: 40 }) });
    one.resident = ['m:latest'];
    await round();
    await eventually('the check', () => asked === 2 && first().preparing === undefined);
    await round();
    expect(asked).toBe(2);
    [waitedMs, now] = [0, now + 60_000];
    await round();
    await eventually('the next check', () => logged('all configured slots work').length === 1);
  });

  it('runs again a minute after a failure', async () => {
    let now = Date.now();
    const clock = manualClock();
    const sim = await simulator({ slots: 2, decodeMsPerToken: SLOW_MS, clock });
    const { first, logged, round } = await room([serverAt(sim.url, 2)], { warmUp: false }, undefined, () => now);
    await fetch(`${sim.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'simulated', messages: [], options: { num_ctx: 8_192 } }),
    });
    await sim.arm({ name: 'nested-400' });
    await round();
    await eventually('the failure', () => logged('probing the slots failed').length === 1);
    const asked = (): number => sim.state().byPath['/api/chat'] ?? 0;
    expect(asked()).toBe(2);
    now += 59_999;
    for (let times = 0; times < 4; times++) await round();
    expect(asked()).toBe(2);
    now += 1;
    await round();
    await checked(sim, clock, 3, 6);
    await eventually('the check', () => logged('all configured slots work').length === 1);
    expect(first().slots).toBe(2);
  });

  it.each([
    ['of which nobody has said the number', true],
    ['with configured slots', false],
  ])('runs once on a server %s, before its first game and never in one', async (_, isGuess) => {
    let now = Date.now();
    const one = keep(await fakeOllama());
    one.resident = ['m:latest'];
    const { first, ask, round } = await room(
      [{ ...serverAt(one.url, 4), isGuess }],
      {},
      () => isLeader,
      () => now,
    );
    const probe = first().provider as { timeSlot: NonNullable<Provider['timeSlot']> };
    let [inHand, tries] = [0, 0];
    probe.timeSlot = async () => {
      tries++;
      const waited = 100 * Math.floor(inHand++ / 2);
      await new Promise((resolve) => setImmediate(resolve));
      inHand--;
      return { waitedMs: waited, workedMs: 100 };
    };
    expect(first().slots).toBe(isGuess ? 1 : 4);
    const answer = ask('in a game', { replyBy: now + 1e9 });
    (await one.call('in a game')).answer('x');
    await answer;
    isLeader = true;
    now += 599_999;
    for (let times = 0; times < 3; times++) await round();
    expect([tries, first().slots]).toEqual([0, isGuess ? 1 : 4]);
    now += 1;
    await round();
    await eventually('the check', () => first().slots === 2 && first().preparing === undefined);
    const known = tries;
    now += 600_000;
    for (let times = 0; times < 3; times++) await round();
    expect([tries, first().slots, first().problem === '']).toEqual([known, 2, isGuess]);
    isLeader = false;
  });

  it('compares with the slots configured when it ended', async () => {
    const sim = await simulator({ slots: 1, decodeMsPerToken: SLOW_MS });
    let skew = 0;
    const { first, logged, round } = await room([serverAt(sim.url, 4)], {}, undefined, () => Date.now() + skew);
    const provider = first().provider as { timeSlot: NonNullable<Provider['timeSlot']> };
    let [inHand, tries] = [0, 0];
    // One at a time, on a busy machine too.
    provider.timeSlot = async () => {
      if (++tries === 2) first().capacity.configure(2); // in the middle of it
      const waitedMs = 100 * inHand++;
      await new Promise((resolve) => setImmediate(resolve));
      inHand--;
      return { waitedMs, workedMs: 100 };
    };
    const fewer = () => logged('model server has fewer slots than configured');
    await eventually('the check', async () => {
      if (fewer().length) return true;
      skew += 60_000;
      await round();
      return false;
    });
    expect(fewer()).toMatchObject([{ slots: 2, found: 1 }]);
  });

  it('does not use a model that Ollama limits to one slot', async () => {
    const single = { name: 'q', digest: '3', capabilities: ['completion'], details: { family: 'qwen35' } };
    const [one, other] = [
      keep(await fakeOllama([single])),
      keep(await fakeOllama([single, { name: 'm', digest: '1', capabilities: ['completion'] }])),
    ];
    other.resident = ['q', 'm'];
    const { round } = await room([serverAt(one.url, 4), serverAt(other.url, 4)]);
    await eventually('the check of the other', () => other.checks > 0 && one.loads.length === 1);
    for (let times = 0; times < 4; times++) await round();
    expect([one.checks, other.checks]).toEqual([0, 1]);
  });

  it('lets requests for its model wait until it has ended', async () => {
    const clock = manualClock();
    const sim = await simulator({ slots: 2, decodeMsPerToken: SLOW_MS, clock });
    const { scheduler, ask } = await room([serverAt(sim.url, 2)]);
    await eventually('the check', () => sim.state().models[0]?.busy === 1);
    const answer = ask('work', { maxTokens: 2 });
    expect([scheduler.waiting, scheduler.busySlots()]).toEqual([1, 0]);
    await checked(sim, clock, 2, 5);
    let isOver = false;
    void answer.finally(() => (isOver = true));
    await eventually('the answer', () => {
      clock.advance(SLOW_MS);
      return isOver;
    });
    expect((await answer).attempts).toBe(1);
  });
});
