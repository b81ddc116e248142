import { beforeEach, describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { type TestScheduler, settled, never, testResources } from './completions.suite.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
const nameOf = (one: FakeOllama): string => one.url.slice('http://'.length);
const minute = 60_000;

let one: FakeOllama;
let two: FakeOllama;
beforeEach(async () => {
  [one, two] = [keep(await fakeOllama()), keep(await fakeOllama())];
});

/** Counters of an answer with 2 tokens after a prompt of 100, at `ms` per token. */
const paced = (ms: number) => ({ prompt_eval_count: 100, prompt_eval_duration: 100 * ms * 1e6, eval_duration: 2 * ms * 1e6 });

/** Has `server` answer one request at `ms` per token. */
async function teach(gateway: TestScheduler, server: FakeOllama, ms: number, say: string): Promise<void> {
  const answer = gateway.complete(completionMessage(say), never);
  (await server.call(say)).answer('learnt', paced(ms));
  await answer;
}

/** A message of about `tokens` tokens. */
const long = (tokens: number): { role: 'user'; content: string } => ({ role: 'user', content: 'word'.repeat(tokens) });
const saying = (say: string, tokens: number) => ({ messages: [long(tokens), { role: 'user' as const, content: say }] });

describe('dispatcher', () => {
  it('shares slot time by account, however many games an account names', async () => {
    const names = 1_000;
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    const replyBy = gateway.now() + minute;
    const ask = (say: string, game: string, n: number, account?: string) => {
      const message = { ...completionMessage(say, { id: `${say} ${n}`, replyBy }), subject: game };
      void settled(gateway.complete(message, never, { account }));
    };
    ask('first', 'table', 0);
    const first = await one.call('first');
    for (let n = 0; n < names; n++) ask('many', `lab/bot/${n}`, n, 'lab/bot');
    for (let n = 0; n < 20; n++) ask('one', 'lab/other/game', n, 'lab/other');
    expect(gateway.queue.accounts().map(({ game, waiting }) => [game, waiting])).toEqual([
      ['table', 0],
      ['lab/bot', names],
      ['lab/other', 20],
    ]);
    expect(gateway.dispatcher.capacity().active).toBe(3);
    first.answer('x');
    const served = { many: 0, one: 0 };
    for (let n = 0; n < 20; n++) {
      const call = await eventually('the next', () => one.open()[0]);
      served[call.last as 'many' | 'one']++;
      gateway.advance(10); // each takes as long as the others
      call.answer('x');
    }
    expect(served).toEqual({ many: 10, one: 10 });
  });
});

describe("the estimate of a server's speed", () => {
  it('does not refuse a request that a faster server can answer in time', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)] });
    const both = ['a', 'b'].map((say) => gateway.complete(completionMessage(say), never));
    await eventually('both', () => one.open().length === 1 && two.open().length === 1);
    one.open()[0]!.answer('', {});
    two.open()[0]!.answer('slow', paced(10_000));
    await eventually('the repair', () => one.open().length === 1);
    one.open()[0]!.answer('fast', paced(1));
    await Promise.all(both);
    // Two tokens take 20 s on the slow server and 2 ms on the fast one.
    const quick = gateway.complete(completionMessage('quick', { replyBy: gateway.now() + 5_000 }), never);
    (await one.call('quick')).answer('in time');
    expect(await quick).toMatchObject({ content: 'in time' });
  });

  it('is deleted with the server', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    await teach(gateway, one, 10_000, 'slow');
    await gateway.registry.add(serverAt(two.url)).check();
    gateway.registry.remove(nameOf(one));
    await teach(gateway, two, 1, 'fast');
    const quick = gateway.complete(completionMessage('quick', { replyBy: gateway.now() + 5_000 }), never);
    (await two.call('quick')).answer('in time');
    expect(await quick).toMatchObject({ content: 'in time' });
    // It returns as a new server without estimates.
    await gateway.registry.add(serverAt(one.url)).check();
    gateway.registry.remove(nameOf(two));
    expect(gateway.dispatcher.msPerToken('m:latest', nameOf(one))).toBeUndefined();
    const again = gateway.complete(completionMessage('again', { replyBy: gateway.now() + 5_000 }), never);
    (await one.call('again')).answer('in time');
    expect(await again).toMatchObject({ content: 'in time' });
  });

  it('refuses infeasible requests with the reason, and lets one try after a minute', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    await teach(gateway, one, 10_000, 'slow for a moment');
    const brief = (say: string) => gateway.complete(completionMessage(say, { replyBy: gateway.now() + 15_000 }), never);
    expect(await settled(brief('hopeless'))).toMatchObject({
      reason: 'late',
      detail: 'about 40000 ms are needed, 15000 ms are left, and no slot was free before',
    });
    gateway.advance(minute + 1);
    const tries = brief('tries');
    (await one.call('tries')).answer('well', paced(1));
    expect(await tries).toMatchObject({ content: 'well' });
    const next = brief('next');
    (await one.call('next')).answer('well');
    await next;
    expect(one.calls.map(({ last }) => last)).toEqual(['slow for a moment', 'tries', 'next']);
  });

  it('refuses a request at its turn when it has become infeasible since the last sweep', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    await teach(gateway, one, 10_000, 'slow');
    gateway.freeze();
    gateway.advance(1_000);
    const ask = (say: string, more: object = {}) =>
      settled(gateway.complete(completionMessage(say, { replyBy: gateway.now() + 10 * minute, ...more }), never));
    const [runs, next] = [ask('runs'), ask('next', { urgency: 'critical' })];
    // The request needs 40 s, and 60 s with the safety factor under load: 50 ms remain.
    const soon = ask('in haste', { replyBy: gateway.now() + 60_050 });
    const later = ask('later');
    (await one.call('runs')).answer('done', paced(10_000));
    await runs;
    const call = await one.call('next');
    expect(gateway.waiting).toBe(2);
    gateway.advance(60);
    call.answer('done', paced(10_000));
    await next;
    expect(await soon).toMatchObject({ reason: 'late', detail: expect.stringMatching(/ 59990 ms are left, and no slot was free before$/) });
    (await one.call('later')).answer('done', paced(10_000));
    expect(await later).toMatchObject({ value: { content: 'done' } });
    expect(one.calls.map(({ last }) => last)).toEqual(['slow', 'runs', 'next', 'later']);
  });

  it('does not refuse requests of an unmeasured kind', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    await teach(gateway, one, 1_000, 'slow');
    const vote = gateway.complete(completionMessage('vote', { kind: 'vote', replyBy: gateway.now() + 30_000 }), never);
    (await one.call('vote')).answer('Ada');
    expect(await vote).toMatchObject({ content: 'Ada' });
  });
});

describe('the slot of a call aborted before its first token', () => {
  const busy = (gateway: TestScheduler): number => gateway.busySlots(nameOf(one));

  it('stays busy for the expected prefill, or until the server finishes another call', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 2)], graceMs: minute });
    await teach(gateway, one, 10, 'first');
    const given = settled(gateway.complete(completionMessage('given up', saying('given up', 3_000)), never));
    const call = await one.call('given up');
    const other = gateway.complete(completionMessage('other'), never);
    await one.call('other');
    gateway.cancel('id of given up', 'no longer wanted');
    await given;
    await eventually('the close', () => call.isAborted);
    const waiting = gateway.complete(completionMessage('waits'), never);
    expect([busy(gateway), gateway.waiting]).toEqual([2, 1]);
    (await one.call('other')).answer('done');
    await other;
    (await one.call('waits')).answer('done');
    await waiting;
    await eventually('all slots', () => busy(gateway) === 0);
  });

  it('is not freed by another aborted call', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 3)], graceMs: minute });
    await teach(gateway, one, 10, 'first');
    const names = ['a', 'b', 'c'];
    const all = names.map((say) => settled(gateway.complete(completionMessage(say, saying(say, 3_000)), never)));
    for (const say of names) await one.call(say);
    (await one.call('c')).write({ message: { content: 'The' }, done: false });
    for (const say of ['a', 'b']) gateway.cancel(`id of ${say}`, 'over');
    await Promise.all(all.slice(0, 2));
    await eventually('the closes', () => one.calls.filter(({ isAborted }) => isAborted).length === 2);
    expect(busy(gateway)).toBe(3);
    // A call that had begun to answer frees its slot at once, but not those of the others.
    gateway.cancel('id of c', 'over');
    await all[2];
    await eventually('its slot', () => busy(gateway) === 2);
  });

  it('is free after the grace at the latest', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)], graceMs: 20 });
    await teach(gateway, one, 10, 'first');
    const given = settled(gateway.complete(completionMessage('given up', saying('given up', 3_000)), never));
    await one.call('given up');
    gateway.cancel('id of given up', 'over');
    await given;
    const next = gateway.complete(completionMessage('next'), never);
    (await one.call('next')).answer('done');
    await next;
  });

  it('is free at once when the model was still loading', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)], graceMs: minute });
    const opens = Promise.withResolvers<void>();
    await teach(gateway, one, 10, 'first');
    one.gate = opens.promise;
    gateway.registry.all[0]!.health.markDown('it was started again');
    await gateway.registry.checkAll();
    const given = settled(gateway.complete(completionMessage('given up', saying('given up', 3_000)), never));
    await eventually('the load', () => one.loads.length === 2);
    gateway.cancel('id of given up', 'over');
    await given;
    await eventually('its slot', () => busy(gateway) === 0);
    opens.resolve();
  });
});

describe('a model that is loading', () => {
  it('is awaited by one request; others wait for a server that has it', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url, 3)] });
    const opens = Promise.withResolvers<void>();
    two.gate = opens.promise;
    const first = gateway.complete(completionMessage('first'), never);
    const call = await one.call('first');
    const all = ['a', 'b', 'c'].map((say) => gateway.complete(completionMessage(say, { replyBy: gateway.now() + minute }), never));
    await eventually('the load', () => two.loads.length === 1);
    expect([gateway.busySlots(nameOf(two)), gateway.waiting]).toEqual([1, 2]);
    call.answer('done');
    await first;
    const next = await eventually('the next', () => one.open()[0]);
    expect([gateway.busySlots(nameOf(two)), gateway.waiting]).toEqual([1, 1]);
    opens.resolve(); // and now it has it too
    await eventually('both', () => two.open().length === 2);
    for (const each of [next, ...two.open()]) each.answer('well');
    await Promise.all(all);
    expect([two.loads.length, gateway.waiting]).toEqual([1, 0]);
  });

  it('is named in the refusal of a request that missed its deadline', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    const opens = Promise.withResolvers<void>();
    one.gate = opens.promise;
    const late = settled(gateway.complete(completionMessage('late', { replyBy: gateway.now() + 30 }), never));
    await eventually('the load', () => one.loads.length === 1);
    gateway.advance(30);
    expect(await late).toMatchObject({ reason: 'late', detail: 'the deadline passed while the model was being loaded' });
    opens.resolve();
  });
});

describe('a model that its server has unloaded unseen', () => {
  beforeEach(() => void (one.resident = two.resident = ['m:latest']));
  /** Time passes only when it is advanced. */
  const startBoth = (answering: string = one.url) => {
    const at = Date.now();
    return startScheduler({ servers: [serverAt(answering), serverAt(two.url)] }, { now: () => at });
  };

  it('is asked of an idle server that has it, and not loaded', async () => {
    const gateway = await startBoth();
    one.resident = [];
    gateway.advance(1_000);
    const answer = gateway.complete(completionMessage('now'), never);
    (await two.call('now')).answer('here');
    expect(await answer).toMatchObject({ server: nameOf(two), attempts: 2 });
    expect([one.calls, one.loads, two.loads, gateway.busySlots()]).toEqual([[], [], [], 0]);
    expect(gateway.registry.all[0]!.breakers.stateOf()).toBe('closed');
  });

  it('is asked of an idle server also when its own does not say what it has', async () => {
    const silent = keep(await startSimulator());
    await fetch(`${silent.url}/api/chat`, { method: 'POST', body: JSON.stringify({ model: 'simulated', messages: [] }) });
    const models = [{ name: 'simulated:latest', digest: '1', capabilities: ['completion'] }];
    two = keep(await fakeOllama(models));
    two.resident = ['simulated:latest'];
    const gateway = await startBoth(silent.url);
    expect(gateway.registry.all.map((each) => each.isResident('simulated:latest'))).toEqual([true, true]);
    await silent.arm({ name: 'ps-blocks' });
    gateway.advance(1_000);
    const answer = gateway.complete(completionMessage('now', { model: 'simulated' }), never);
    (await two.call('now')).answer('here');
    expect(await answer).toMatchObject({ server: nameOf(two) });
  });

  it('is loaded again where no other server is idle', async () => {
    const gateway = await startBoth();
    gateway.advance(1_000);
    const all = ['a', 'b'].map((say) => gateway.complete(completionMessage(say), never));
    await eventually('both', () => one.open().length === 1 && two.open().length === 1);
    one.resident = [];
    one.open()[0]!.answer('done');
    await Promise.race(all);
    gateway.advance(1_000);
    const next = gateway.complete(completionMessage('next'), never);
    (await one.call('next')).answer('done');
    two.open()[0]!.answer('done');
    await Promise.all([...all, next]);
    expect([two.peak, two.calls.length]).toEqual([1, 1]);
  });

  it('is not asked about within a second', async () => {
    const gateway = await startBoth();
    const looks = one.looks;
    one.resident = [];
    gateway.advance(999);
    const answer = gateway.complete(completionMessage('now'), never);
    (await one.call('now')).answer('done');
    await answer;
    expect(one.looks).toBe(looks);
  });
});

describe('a server that comes up', () => {
  it('gets work before it reports its resident models', async () => {
    const [busy, fresh] = [keep(await startSimulator({ decodeMsPerToken: 1e9 })), keep(await startSimulator())];
    await fresh.arm({ name: 'ps-blocks' });
    const gateway = await startScheduler({ servers: [serverAt(busy.url)], probeMs: minute });
    const first = settled(gateway.complete(completionMessage('first'), never));
    const second = gateway.complete(completionMessage('second'), never);
    expect(gateway.waiting).toBe(1);
    let isAsked = true;
    void gateway.registry
      .add(serverAt(fresh.url))
      .check()
      .finally(() => (isAsked = false));
    expect(await second).toMatchObject({ server: new URL(fresh.url).host });
    expect(isAsked).toBe(true);
    gateway.cancel('id of first', 'over');
    await first;
  });
});

describe('a server without a first token', () => {
  it('opens its breaker after three overdue calls, and is retried once', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)], graceMs: 0 });
    await teach(gateway, one, 1, 'first');
    for (const say of ['a', 'b', 'c']) {
      const given = settled(gateway.complete(completionMessage(say), never));
      await one.call(say);
      gateway.advance(5_001);
      gateway.cancel(`id of ${say}`, 'over');
      await given;
      await eventually('its slot', () => gateway.busySlots(nameOf(one)) === 0);
    }
    expect(gateway.registry.all[0]!.breakers.stateOf('m:latest')).toBe('open');
    gateway.advance(5_000);
    gateway.recheck();
    const again = gateway.complete(completionMessage('again'), never);
    (await one.call('again')).answer('well');
    await again;
    expect(gateway.registry.all[0]!.breakers.stateOf('m:latest')).toBe('closed');
  });

  it('is not blamed before the token is overdue', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)], graceMs: 0 });
    await teach(gateway, one, 1, 'first');
    gateway.freeze();
    for (const say of ['a', 'b', 'c', 'd']) {
      const given = settled(gateway.complete(completionMessage(say), never));
      await one.call(say);
      gateway.advance(5_000);
      gateway.cancel(`id of ${say}`, 'over');
      await given;
      await eventually('its slot', () => gateway.busySlots(nameOf(one)) === 0);
    }
    expect(gateway.registry.all[0]!.breakers.stateOf('m:latest')).toBe('closed');
  });
});

describe('a request that no server can run', () => {
  it('waits for the patience time from when the last server went down, not from its arrival', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)], patienceMs: 5_000 });
    gateway.freeze();
    const first = gateway.complete(completionMessage('first'), never);
    await one.call('first');
    const waiting = settled(gateway.complete(completionMessage('waits'), never));
    gateway.advance(20_000);
    gateway.registry.all[0]!.health.markDown('it was switched off');
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    gateway.advance(4_999);
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    gateway.advance(1);
    gateway.recheck();
    expect(await waiting).toMatchObject({ reason: 'no-server', detail: expect.stringContaining('is down: it was switched off') });
    (await one.call('first')).answer('done');
    await first;
  });
});

describe('the token rate limit', () => {
  it('refunds unused tokens when the completion ends, so a long one gains nothing', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 4)], agentTpm: 600 });
    // 600 tokens a minute; each of these requests is estimated at 301.
    const ask = (say: string) => gateway.complete(completionMessage(say, { ...saying(say, 300), maxTokens: 1 }), never);
    const early = ask('early');
    await one.call('early');
    gateway.advance(20_000);
    const later = ask('later');
    await one.call('later');
    (await one.call('early')).answer('E', { prompt_eval_count: 299, eval_count: 1 });
    await early;
    // In 20 s 200 of the first 301 were refilled; with the second request about 400 are in use.
    expect(await settled(ask('third'))).toMatchObject({ reason: 'limited', detail: expect.stringMatching(/ask again in \d{4,5} ms/) });
    (await one.call('later')).answer('L');
    await later;
  });
});

describe('the slot time of a game', () => {
  it('excludes attempts that the server failed', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 2), serverAt(two.url, 2)] });
    // A second game that runs throughout, as the reference for slot time.
    const other = gateway.complete({ ...completionMessage('other'), subject: 'other' }, never);
    const others = await eventually('its call', () => one.open()[0] ?? two.open()[0]);
    const helloes = () => [...one.open(), ...two.open()].filter(({ last }) => last === 'hello');
    const answer = gateway.complete(completionMessage('hello'), never);
    const call = await eventually('the call', () => helloes()[0]);
    gateway.advance(minute / 2);
    call.cut();
    const again = await eventually('the second call', () => helloes().find((each) => each !== call));
    gateway.advance(3_000);
    again.answer('well');
    await answer;
    const spent = (game: string) => gateway.queue.accounts().find((each) => each.game === game)!;
    await eventually('the end', () => spent('t').running === 0);
    const aheadMs = spent('t').spentMs - spent('other').spentMs;
    expect(Math.abs(aheadMs)).toBeLessThan(10_000);
    others.answer('well');
    await other;
  });
});
