import { beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf } from '@maw/contracts/model-name.ts';
import { describeField, fieldLines } from '@maw/tests/equipment/source/field-input.ts';
import { retryBudget } from './failure-policy.ts';
import { settled, never, testResources } from './completions.suite.ts';
import { completionMessage, serverAt, type FakeCall, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
const nameOf = (one: FakeOllama): string => one.url.slice('http://'.length);

let one: FakeOllama;
let two: FakeOllama;
beforeEach(async () => {
  [one, two] = [keep(await fakeOllama()), keep(await fakeOllama())];
});

const sides = (): readonly [FakeOllama, FakeOllama] => [one, two];
/** The call of a request, its server and the other one. */
const found = async (say: string): Promise<{ readonly call: FakeCall; readonly here: FakeOllama; readonly there: FakeOllama }> =>
  eventually(`the call "${say}"`, () => {
    const here = sides().find((side) => side.open().some(({ last }) => last === say));
    const call = here?.open().find(({ last }) => last === say);
    return here && call && { call, here, there: here === one ? two : one };
  });

/** Two servers with one slot: one runs `busy`, the other has failed the request `say`, which waits for its retry. */
async function waitingForRetry(say: string, withinMs = 60_000) {
  const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)] });
  gateway.freeze();
  const first = gateway.complete(completionMessage('busy'), never);
  const busy = await found('busy');
  const answer = gateway.complete(completionMessage(say, { replyBy: gateway.now() + withinMs }), never);
  const { call, here, there } = await found(say);
  expect(there).toBe(busy.here);
  call.fail(500, 'llama-server process has terminated: exit status 2');
  await eventually('the wait', () => gateway.waiting === 1);
  return {
    gateway,
    answer,
    /** The server that failed it, and the one for its retry. */
    here,
    there,
    async finish(): Promise<void> {
      busy.call.answer('done');
      await first;
    },
  };
}

const busyOf = (gateway: Awaited<ReturnType<typeof startScheduler>>): number => gateway.busySlots();

describe('a failed completion', () => {
  it('waits first in its game for a server other than the failed one', async () => {
    const { gateway, answer, here, there, finish } = await waitingForRetry('again');
    expect(gateway.busySlots(nameOf(here))).toBe(0);
    const other = gateway.complete(completionMessage('other'), never);
    const { call } = await found('other');
    expect(here.open()).toEqual([call]);
    const third = gateway.complete(completionMessage('third', { replyBy: Date.now() + 20_000 }), never);
    expect(gateway.waiting).toBe(2);
    await finish();
    (await there.call('again')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2, repaired: false, server: nameOf(there) });
    call.answer('O');
    (await found('third')).call.answer('T');
    await Promise.all([other, third]);
  });

  it('returns to the server that failed when no other can run it', async () => {
    const { gateway, answer, here, there, finish } = await waitingForRetry('again');
    gateway.registry.all.find(({ name }) => name === nameOf(there))!.health.markDown('it was switched off');
    gateway.recheck();
    (await here.call('again')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2, server: nameOf(here) });
    await finish();
  });

  it('at its deadline in the retry queue is refused with the earlier failure', async () => {
    const { gateway, answer, finish } = await waitingForRetry('again', 50);
    gateway.advance(50);
    expect(await settled(answer)).toMatchObject({
      reason: 'late',
      detail: expect.stringMatching(
        /^the deadline passed in the queue, with 1 waiting; before that, 127\.0.* answered with 500: llama-server process/,
      ),
    });
    expect(gateway.waiting).toBe(0);
    await finish();
    await eventually('all slots', () => busyOf(gateway) === 0);
    expect([...one.calls, ...two.calls].filter(({ last }) => last === 'again')).toHaveLength(1);
  });

  it('is cancelled while it waits for its retry', async () => {
    const { gateway, answer, finish } = await waitingForRetry('again');
    gateway.cancel('id of again', 'the phase is over');
    expect(await settled(answer)).toMatchObject({ reason: 'failed', detail: 'cancelled: the phase is over' });
    expect(gateway.waiting).toBe(0);
    await finish();
    await eventually('all slots', () => busyOf(gateway) === 0);
    expect(await settled(gateway.complete(completionMessage('again'), never))).toMatchObject({ detail: 'cancelled: the phase is over' });
    expect([...one.calls, ...two.calls].filter(({ last }) => last === 'again')).toHaveLength(1);
  });

  it('is refused with the earlier failure when its model leaves all servers', async () => {
    const { gateway, answer, finish } = await waitingForRetry('again');
    for (const server of gateway.registry.all) server.models.remove('m:latest');
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    gateway.advance(15_000);
    gateway.recheck();
    expect(await settled(answer)).toMatchObject({
      reason: 'no-server',
      detail: expect.stringMatching(
        /^no server with the model became available in time: no model on .*; before that, .* answered with 500/,
      ),
    });
    await finish();
  });

  it('shares its retry and its answer with duplicates', async () => {
    const { gateway, answer, there, finish } = await waitingForRetry('again');
    const twice = gateway.complete(completionMessage('again'), never);
    await finish();
    const call = await there.call('again');
    const thrice = gateway.complete(completionMessage('again'), never);
    call.answer('well');
    for (const each of [answer, twice, thrice]) expect(await each).toMatchObject({ content: 'well', attempts: 2 });
    expect(await gateway.complete(completionMessage('again'), never)).toMatchObject({ content: 'well', attempts: 2 });
    expect([...one.calls, ...two.calls].filter(({ last }) => last === 'again')).toHaveLength(2);
  });
});

describe('a streamed completion', () => {
  it('is not retried after its first piece', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)] });
    const heard: string[] = [];
    const answer = settled(gateway.complete(completionMessage('q'), never, { onPiece: (piece) => void heard.push(piece) }));
    const { call } = await found('q');
    call.write({ message: { content: 'The' }, done: false });
    await eventually('the piece', () => heard.length === 1);
    call.cut();
    expect(await answer).toMatchObject({ reason: 'failed', detail: expect.stringContaining('the connection was closed') });
    expect([heard, one.calls.length + two.calls.length]).toEqual([['The'], 1]);
  });

  it('is retried while only thinking was received', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)] });
    const heard: string[] = [];
    const answer = gateway.complete(completionMessage('q'), never, { onPiece: (piece) => void heard.push(piece) });
    const { call, there } = await found('q');
    call.write({ message: { content: '', thinking: 'Hm.' }, done: false });
    call.cut();
    (await there.call('q')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2 });
    expect(heard).toEqual(['well']);
  });

  it('is answered without blaming the server when its listener throws', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    const deaf = (): never => {
      throw new Error('the listener has gone');
    };
    for (const say of ['a', 'b', 'c', 'd']) {
      const answer = gateway.complete(completionMessage(say), never, { onPiece: deaf });
      (await one.call(say)).answer('well');
      expect(await answer).toMatchObject({ content: 'well', attempts: 1 });
    }
    expect(gateway.registry.all[0]!.breakers.stateOf()).toBe('closed');
  });
});

/** A server with two models, `a` and `b`, and a gateway whose clock stands still. */
async function twoModels() {
  const both = keep(await fakeOllama(['a', 'b'].map((name) => ({ name, digest: name, capabilities: ['completion'] }))));
  const gateway = await startScheduler({ servers: [serverAt(both.url)] });
  gateway.freeze();
  return {
    both,
    gateway,
    ask: (model: string, say: string, withinMs = 15_000) =>
      settled(gateway.complete(completionMessage(say, { model, replyBy: gateway.now() + withinMs }), never)),
  };
}

describe('a server that asks for a rest', () => {
  it.each<[string, number, string, Record<string, string>, number]>([
    ['for its Retry-After', 429, 'slow down', { 'retry-after': '7' }, 7_000],
    ['three seconds without Retry-After', 429, 'slow down', {}, 3_000],
    ['three seconds when its queue is full', 503, 'server busy, please try again.  maximum pending requests exceeded', {}, 3_000],
    ['half a second when no slot is available', 500, 'no slots available after 10 retries', {}, 500],
  ])('rests %s and then gets the same request again', async (_, status, said, headers, restMs) => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    const answer = gateway.complete(completionMessage('q'), never);
    (await one.call('q')).fail(status, said, headers);
    await eventually('the wait', () => gateway.waiting === 1);
    const [server] = gateway.registry.all;
    expect(server!.breakers.openUntil('m:latest')! - gateway.now()).toBe(restMs);
    gateway.advance(restMs - 1);
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    gateway.advance(1);
    gateway.recheck();
    (await one.call('q')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2 });
  });

  it('is retried after its rest without another event', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    const answer = gateway.complete(completionMessage('q'), never);
    (await one.call('q')).fail(500, 'no slots available after 10 retries');
    await eventually('the end of the call', () => one.open().length === 0);
    (await one.call('q')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2 });
    expect(gateway.debugCounters().wakes).toBe(0);
  });

  it('is replaced by another server at once', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)] });
    const answer = gateway.complete(completionMessage('q'), never);
    const { call, there } = await found('q');
    call.fail(429, 'slow down', { 'retry-after': '600' });
    (await there.call('q')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 2 });
  });

  it.each([
    ['server busy, please try again.  maximum pending requests exceeded', 503],
    ['we are overloaded', 503],
    ['slow down', 429],
  ])('with "%s" is asked until the deadline, however often it says so', async (said, status) => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    const answer = gateway.complete(completionMessage('q', { replyBy: gateway.now() + 30_000 }), never);
    for (let tries = 0; tries < 8; tries++) {
      (await one.call('q')).fail(status, said);
      await eventually('the end of the call', () => one.open().length === 0 && gateway.busySlots(nameOf(one)) === 0);
      gateway.advance(3_000);
      gateway.recheck();
    }
    (await one.call('q')).answer('well');
    expect(await answer).toMatchObject({ content: 'well', attempts: 9 });
  });

  it('is not asked again when its rest outlasts the deadline', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    gateway.freeze();
    const brief = settled(gateway.complete(completionMessage('brief', { replyBy: gateway.now() + 3_000 }), never));
    (await one.call('brief')).fail(503, 'server busy, please try again.  maximum pending requests exceeded');
    expect(await brief).toMatchObject({ reason: 'failed', detail: expect.stringContaining('server busy') });
    expect(one.calls).toHaveLength(1);
  });

  it('for one model with Retry-After rests for that model alone', async () => {
    const { both, gateway, ask } = await twoModels();
    const refused = ask('a', 'q');
    (await both.call('q')).fail(429, 'rate limit of model a', { 'retry-after': '120' });
    expect(await refused).toMatchObject({ reason: 'failed', detail: expect.stringContaining('rate limit of model a') });
    const answer = ask('b', 'other');
    (await both.call('other')).answer('at once');
    expect(await answer).toMatchObject({ value: { content: 'at once', attempts: 1 } });
    const waits = ask('a', 'waits', 50);
    gateway.advance(50);
    expect(await waits).toMatchObject({ reason: 'late', detail: expect.stringMatching(/left alone for 120 s more/) });
  });

  it('refuses one model to this key three times: the other models go on', async () => {
    const { both, gateway, ask } = await twoModels();
    expect(gateway.registry.all[0]!.breakers.why).toBe('');
    for (const say of ['1', '2', '3']) {
      const refused = ask('a', say);
      (await both.call(say)).fail(403, 'not for this key');
      expect(await refused).toMatchObject({ reason: 'failed' });
    }
    expect(gateway.registry.all[0]!.breakers.why).toMatch(/^left alone after a failure: .*not for this key/);
    const answer = ask('b', 'other');
    (await both.call('other')).answer('at once');
    expect(await answer).toMatchObject({ value: { content: 'at once', attempts: 1 } });
  });

  it('is not triggered by error text that quotes the caller', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    for (const [status, said] of [
      [400, 'failed to parse grammar: property "out of memory"'],
      [500, 'invalid format: "server busy, out of memory, cudaMalloc failed"; expected "json" or a valid JSON Schema object'],
      [500, 'option "out of memory" must be of type integer'],
    ] as const) {
      const answer = settled(gateway.complete(completionMessage(said), never));
      (await one.call(said)).fail(status, said, { 'retry-after': '600' });
      expect(await answer).toMatchObject({ reason: 'failed', detail: expect.stringContaining(`answered with ${status}`) });
    }
    expect([gateway.registry.all[0]!.breakers.stateOf(), gateway.registry.all[0]!.breakers.stateOf('m:latest'), one.calls.length]).toEqual([
      'closed',
      'closed',
      3,
    ]);
  });
});

interface RateLimited {
  readonly asks: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: string;
}

describeField('rate-limit.jsonl')('rate-limit.jsonl, which is not part of this repository', () => {
  it('lets one model rest for its Retry-After, and the other answer at once', async () => {
    const { both, gateway, ask } = await twoModels();
    for (const { asks, status, headers = {}, error } of fieldLines('rate-limit.jsonl') as readonly RateLimited[]) {
      const answer = ask(asks, `of ${asks}`);
      const call = await both.call(`of ${asks}`);
      if (status === 200) call.answer('at once');
      else call.fail(status, error, headers);
      expect(await answer).toMatchObject(status === 200 ? { value: { content: 'at once' } } : { reason: 'failed' });
      const rests = gateway.registry.all[0]!.breakers.openUntil(keyOf(asks));
      expect([asks, rests === undefined ? undefined : rests - gateway.now()]).toEqual([
        asks,
        headers['retry-after'] ? Number(headers['retry-after']) * 1_000 : undefined,
      ]);
    }
  });
});

describe('the trial of a half-open breaker', () => {
  it('passes to another request when it is cancelled', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 4)], graceMs: 0 });
    const [server] = gateway.registry.all;
    for (const say of ['a', 'b', 'c']) {
      const answer = settled(gateway.complete(completionMessage(say), never));
      (await one.call(say)).fail(500, 'model runner has unexpectedly stopped');
      await answer;
    }
    expect(server!.breakers.stateOf('m:latest')).toBe('open');
    gateway.advance(5_001);
    const all = ['trial', 'x', 'y'].map((say) => settled(gateway.complete(completionMessage(say), never)));
    const trial = await eventually('the one', () => one.open()[0]);
    expect([one.open().length, gateway.waiting]).toEqual([1, 2]);
    gateway.cancel(`id of ${trial.last}`, 'over');
    const second = await eventually('the next', () => one.open().find((call) => call !== trial));
    expect([one.open().length, gateway.waiting, server!.breakers.stateOf('m:latest')]).toEqual([1, 1, 'half-open']);
    second.answer('well');
    (await eventually('the last', () => one.open().find((call) => call !== trial && call !== second))).answer('well');
    await Promise.all(all);
    expect(server!.breakers.stateOf('m:latest')).toBe('closed');
  });

  it('alone decides, whatever becomes of earlier calls', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url, 4)], graceMs: 0 });
    const [server] = gateway.registry.all;
    const older = ['o1', 'o2', 'o3'].map((say) => settled(gateway.complete(completionMessage(say), never)));
    const calls = await Promise.all(['o1', 'o2', 'o3'].map((say) => one.call(say)));
    for (const say of ['a', 'b', 'c']) {
      const answer = settled(gateway.complete(completionMessage(say), never));
      (await one.call(say)).fail(500, 'model runner has unexpectedly stopped');
      await answer;
    }
    gateway.advance(5_001);
    const trial = settled(gateway.complete(completionMessage('trial'), never));
    const probe = await one.call('trial');
    const next = settled(gateway.complete(completionMessage('next'), never));
    const isTried = () => [server!.breakers.stateOf('m:latest'), gateway.waiting, one.open().includes(probe)];
    gateway.cancel('id of o1', 'over');
    calls[1]!.answer('well');
    calls[2]!.fail(500, 'model runner has unexpectedly stopped');
    await Promise.all(older);
    await eventually('their slots', () => gateway.busySlots(server!.name) === 1);
    expect(isTried()).toEqual(['half-open', 1, true]);
    probe.answer('well');
    (await one.call('next')).answer('well');
    expect([await trial, await next]).toMatchObject([{ value: { content: 'well' } }, { value: { content: 'well' } }]);
    expect(server!.breakers.stateOf('m:latest')).toBe('closed');
  });
});

describe('an invalid answer', () => {
  it('is repaired on the same server and billed to the game', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url), serverAt(two.url)], gameTokens: 1_000 });
    const first = gateway.complete(completionMessage('first', { maxTokens: 1 }), never);
    const before = await found('first');
    const answer = gateway.complete(completionMessage('q', { format: 'json', seed: 5, temperature: 0.5, maxTokens: 10 }), never);
    const { call, here } = await found('q');
    expect(here).toBe(before.there);
    before.call.answer('done', { prompt_eval_count: 0, eval_count: 0 }); // the game was last on the other one
    await first;
    call.answer('[1]', { prompt_eval_count: 600, eval_count: 10 });
    const repair = await eventually('the repair', () => here.open()[0]);
    expect(repair.body).toMatchObject({
      options: { seed: 6, temperature: 0.7 },
      messages: [
        { content: 'q' },
        { role: 'assistant', content: '[1]' },
        { role: 'user', content: expect.stringContaining('not an object') },
      ],
    });
    repair.answer('{}', { prompt_eval_count: 380, eval_count: 5 });
    expect(await answer).toMatchObject({ content: '{}', repaired: true, attempts: 2 });
    // 995 of 1,000 tokens are used: a request for about 12 does not fit.
    expect(await settled(gateway.complete(completionMessage('next', { maxTokens: 10 }), never))).toMatchObject({ reason: 'limited' });
  });

  it('is handed over with what is wrong to a caller that takes it, and not asked for again', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    const asked = async (say: string, content: string) => {
      const answer = settled(gateway.complete(completionMessage(say, { format: 'json' }), never, { takesUnfit: true }));
      (await one.call(say)).answer(content);
      return answer;
    };
    expect(await asked('list', '[1]')).toMatchObject({ value: { content: '[1]', unfit: 'not an object', attempts: 1, repaired: false } });
    expect(await asked('object', '{}')).toEqual({ value: expect.not.objectContaining({ unfit: expect.anything() }) });
    expect(await asked('blank', ' ')).toMatchObject({ reason: 'invalid-answer', detail: 'it is empty' });
    expect(one.calls).toHaveLength(3);
  });

  it('that is incomplete is requested again with another seed', async () => {
    const gateway = await startScheduler({ servers: [serverAt(one.url)] });
    const answer = gateway.complete(completionMessage('q', { seed: 5 }), never);
    const call = await one.call('q');
    call.write({ message: { content: 'The' }, done: false });
    call.end();
    const repair = await eventually('the repair', () => one.open()[0]);
    expect(repair.body).toMatchObject({ messages: [{ content: 'q' }], options: { seed: 6 } });
    expect(repair.body['messages']).toHaveLength(1);
    repair.answer('The end.');
    expect(await answer).toMatchObject({ content: 'The end.', repaired: true });
  });
});

describe('retryBudget', () => {
  it('allows one retry per ten requests and saves at most twenty', () => {
    const retries = retryBudget();
    const spendAll = (): number => {
      let count = 0;
      while (retries.spend()) count++;
      return count;
    };
    const deposit = (times: number): void => {
      for (let n = 0; n < times; n++) retries.deposit();
    };
    expect([spendAll(), spendAll()]).toEqual([10, 0]);
    deposit(9);
    expect(spendAll()).toBe(0);
    deposit(2);
    expect(spendAll()).toBe(1);
    deposit(1_000);
    expect(spendAll()).toBe(20);
  });
});
