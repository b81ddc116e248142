import { beforeEach, describe, expect, it } from '@jest/globals';
import { FAULTS, type ArmedFault, type FaultName } from '@maw/ollama-sim/faults.ts';
import type { SimulatorOptions } from '@maw/ollama-sim/options.ts';
import { type Simulator, startSimulator } from '@maw/ollama-sim/simulator.ts';
import { type TestScheduler, settled, never, testResources } from './completions.suite.ts';
import type { Completion } from '../request.ts';
import type { GatewayOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';

// Every error of section 6 and every fault of section 10 of the design document ollama: the reaction of the gateway and the answer to its caller.

const { keep, startScheduler } = testResources();
const MODEL = 'simulated:latest';
const format = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };

/** Which breaker opens on repeated failures: that of the server or of the model after three, of the server at once, or none. */
type Rests = 'server' | 'model' | 'at once' | 'nobody' | 'down';

interface Row {
  /** The outcome with a second server. */
  readonly two: object;
  /** Which of the two servers answers then. */
  readonly by: 'the other' | 'the same';
  /** The outcome with one server. */
  readonly one: object;
  readonly rests: Rests;
  /** Failures until the breaker opens, when not three. */
  readonly restsAfter?: number;
  /** Calls at the faulty server, with a second server and without. */
  readonly calls: readonly [number, number];
  readonly ms?: number;
  /** Whether its deadline passes while it runs. */
  readonly isLate?: boolean;
  readonly options?: Partial<GatewayOptions>;
  readonly sim?: SimulatorOptions;
}

const failed = (detail: RegExp) => ({ reason: 'failed', detail: expect.stringMatching(detail) });
const answered = (more: object) => ({
  value: expect.objectContaining({ content: expect.stringMatching(/^\{"vote":"(Ada|Bo)"\}$/), ...more }),
});
const elsewhere = (detail: RegExp, rests: Rests, more: Partial<Row> = {}): Row => ({
  two: answered({ attempts: 2, repaired: false }),
  by: 'the other',
  one: failed(detail),
  rests,
  calls: [1, 1],
  ...more,
});
/** The same server is asked again, with the problem of its first answer. */
const repaired: Row = {
  two: answered({ attempts: 2, repaired: true }),
  by: 'the same',
  one: answered({ attempts: 2, repaired: true }),
  rests: 'nobody',
  calls: [2, 2],
};
const refused = (detail: RegExp): Row => ({ two: failed(detail), by: 'the same', one: failed(detail), rests: 'nobody', calls: [1, 1] });
const harmless = (more: Partial<Row> = {}): Row => {
  const well = answered({ attempts: 1, repaired: false });
  return { two: well, by: 'the same', one: well, rests: 'nobody', calls: [1, 1], ...more };
};
/** Indistinguishable from a working server: the request ends at its deadline. */
const late: Partial<Row> & Pick<Row, 'two' | 'one'> = {
  isLate: true,
  two: { reason: 'late', detail: 'the deadline passed while the model was answering' },
  one: { reason: 'late', detail: 'the deadline passed while the model was answering' },
};

const SWITCHES: { readonly [name in Exclude<FaultName, 'load-failed' | 'ps-blocks'>]: Row } = {
  'connection-refused': elsewhere(/the connection was (closed|refused)/, 'down', { ms: 60_000, calls: [0, 0] }),
  'accept-and-hang': harmless(late),
  'reset-before-headers': elsewhere(/the connection was (reset|closed)/, 'server'),
  'reset-mid-stream': elsewhere(/the connection was (reset|closed)/, 'server'),
  'error-mid-stream': elsewhere(/answered in the middle of its answer: an error was encountered while running the model/, 'model'),
  'end-without-done': repaired,
  'done-false': repaired,
  'invalid-json-line': { ...repaired, rests: 'model', restsAfter: 2 }, // two calls each, the third of them one too many
  'half-line': elsewhere(/the connection was (reset|closed)/, 'server'),
  'slow-drip': harmless({ ms: 1 }),
  'wedge': harmless(),
  'runner-crash': elsewhere(/model runner has unexpectedly stopped/, 'model'),
  'out-of-memory': elsewhere(/answered with 500: .*out of memory/, 'at once'),
  'bad-input': refused(/answered with 500: option "num_ctx" must be of type integer/),
  'nested-400': refused(/answered with 400: the request was refused by a fault of the simulator$/),
  'empty-content': repaired,
  'schema-violation': repaired,
  'think-leak': repaired,
  'whitespace-run': repaired,
  'clock-skew': harmless(),
  'sigterm': elsewhere(/the connection was (closed|refused)/, 'down', { calls: [0, 0] }),
};

const nameOf = ({ url }: { readonly url: string }): string => url.slice('http://'.length);
const callsOf = (sim: Simulator): number => sim.state().byPath['/api/chat'] ?? 0;

/** A deadline in which an answer is feasible, time for the reply included. */
const LATE_MS = 400;
let count = 0;
const ask = (gateway: TestScheduler, withinMs = 20_000) =>
  settled(gateway.complete(completionMessage(`question ${count++}`, { format, maxTokens: 64, replyBy: gateway.now() + withinMs }), never));

/** Simulators with the model loaded; `faulty` gets the next request. */
async function sims(
  many: 1 | 2,
  { sim = {}, options = {} }: Row,
): Promise<{ gateway: TestScheduler; faulty: Simulator; all: readonly Simulator[] }> {
  const all = await Promise.all(Array.from({ length: many }, async () => keep(await startSimulator(sim))));
  const gateway = await startScheduler({ servers: all.map(({ url }) => serverAt(url)), ...options });
  await Promise.all(all.map(() => ask(gateway)));
  const { value } = (await ask(gateway)) as { value: Completion };
  return { gateway, all, faulty: all.find((one) => nameOf(one) === value.server)! };
}

/** Waits until no slot is busy, the queue is empty and every server is idle. */
async function isClean(gateway: TestScheduler, all: readonly Simulator[], wedged = 0): Promise<void> {
  await eventually('all slots', () => gateway.busySlots() === 0 && gateway.waiting === 0);
  const busy = () => all.flatMap((sim) => sim.state().models.map((model) => model.busy));
  await eventually('idle servers', () => busy().reduce((sum, one) => sum + one, 0) === wedged);
}

describe.each(Object.entries(SWITCHES))('the fault %s', (name, row) => {
  const fault = (times: number): ArmedFault => ({ name: name as FaultName, times, ms: row.ms });
  const wedged = name === 'wedge' ? 1 : 0;

  it.each([
    ['with a second server', 2, row.two, row.calls[0]],
    ['with one server', 1, row.one, row.calls[1]],
  ] as const)('%s ends with its documented outcome and frees everything', async (_, many, truth, calls) => {
    const { gateway, faulty, all } = await sims(many, row);
    const before = callsOf(faulty);
    await faulty.arm(fault(1));
    if (row.isLate) gateway.freeze();
    const asked = ask(gateway, row.isLate ? LATE_MS : undefined);
    if (row.isLate) await eventually('the fault', () => faulty.state().faults.tripped[name] === 1);
    gateway.advance(row.isLate ? LATE_MS : 0);
    const what = await asked;
    expect(what).toMatchObject(truth);
    if ('value' in what) expect((what.value as Completion).server === nameOf(faulty)).toBe(many === 1 || row.by === 'the same');
    expect(faulty.state().faults.tripped).toEqual(calls === 0 ? {} : { [name]: 1 }); // it closes at once, for whoever comes
    expect(callsOf(faulty) - before).toBe(calls);
    await isClean(gateway, all, wedged);
  });

  it(`repeated opens the breaker of: ${row.rests}`, async () => {
    const { gateway, faulty } = await sims(1, row);
    const [server] = gateway.registry.all;
    const states = () => [server!.health.isUp, server!.breakers.stateOf(), server!.breakers.stateOf(MODEL)];
    const times = row.restsAfter ?? { 'nobody': 3, 'at once': 1, 'down': 1, 'server': 3, 'model': 3 }[row.rests];
    await faulty.arm(fault(Math.max(1, row.calls[1]) * times));
    const seen: unknown[] = [];
    for (let i = 0; i < times; i++) {
      await ask(gateway, row.isLate || (wedged && i > 0) ? LATE_MS : undefined);
      await eventually('the slot', () => gateway.busySlots() === 0);
      if (row.rests === 'down') await eventually('the news', () => !server!.health.isUp);
      seen.push(states());
    }
    const well = [true, 'closed', 'closed'];
    expect(seen).toEqual(
      {
        'nobody': [well, well, well],
        'at once': [[true, 'open', 'closed']],
        'down': [[false, expect.anything(), 'closed']],
        'server': [well, well, [true, 'open', 'closed']],
        'model': [...Array.from({ length: times - 1 }, () => well), [true, 'closed', 'open']],
      }[row.rests],
    );
  });
});

describe('the other faults', () => {
  it('load-failed: fails over to another server, or is refused', async () => {
    for (const many of [2, 1]) {
      const all = await Promise.all(Array.from({ length: many }, async () => keep(await startSimulator())));
      const gateway = await startScheduler({ servers: all.map(({ url }) => serverAt(url)) });
      await all[0]!.arm({ name: 'load-failed' });
      expect(await ask(gateway)).toMatchObject(
        many === 2 ? answered({ attempts: 2, server: nameOf(all[1]!) }) : failed(/answered with 500: llama-server process has terminated/),
      );
      expect([callsOf(all[0]!), gateway.registry.all[0]!.isResident(MODEL)]).toEqual([1, false]);
      await isClean(gateway, all);
    }
  });

  it('ps-blocks: the server is up and answers', async () => {
    const sim = keep(await startSimulator());
    await sim.arm({ name: 'ps-blocks' });
    const gateway = await startScheduler({ servers: [serverAt(sim.url)], probeMs: 200 });
    // On a busy machine its other answers may time out too.
    await eventually('it to be up', () => gateway.registry.all[0]!.health.isUp || gateway.registry.checkAll().then(() => false));
    expect(await ask(gateway)).toMatchObject(answered({ attempts: 1 }));
    expect(gateway.registry.all[0]).toMatchObject({ health: { isUp: true }, problem: '' });
    await isClean(gateway, [sim]);
  });

  it('wedge: later requests miss their deadlines until the breaker of the model opens', async () => {
    const row = { ...harmless(), sim: { prefillMsPerToken: 0.01, decodeMsPerToken: 0.01 } };
    const { gateway, faulty, all } = await sims(1, row);
    await faulty.arm({ name: 'wedge' });
    expect(await ask(gateway)).toMatchObject(answered({ attempts: 1 }));
    for (let i = 0; i < 3; i++) {
      const stuck = ask(gateway, 7_000);
      await eventually('the wait', () => faulty.state().models[0]?.waiting === 1);
      gateway.advance(7_000);
      gateway.cancel(`id of question ${count - 1}`, 'the phase is over');
      expect(await stuck).toMatchObject({ reason: 'failed', detail: 'cancelled: the phase is over' });
      await eventually('the slot', () => gateway.busySlots() === 0);
    }
    expect(gateway.registry.all[0]!.breakers.stateOf(MODEL)).toBe('open');
    await isClean(gateway, all, 1);
  });

  it('accept-and-hang: three aborted calls open the breaker of an unmeasured server', async () => {
    const [hangs, works] = [keep(await startSimulator()), keep(await startSimulator())];
    await hangs.arm({ name: 'accept-and-hang', times: 100 });
    const gateway = await startScheduler({ servers: [serverAt(works.url), serverAt(hangs.url)] });
    const [, stuck] = gateway.registry.all;
    for (const one of gateway.registry.all) one.models.markUsed(MODEL); // as if it were in memory: a load would hang as well
    for (let i = 0; i < 3; i++) {
      expect(stuck!.breakers.stateOf(MODEL)).toBe('closed');
      gateway.registry.drain(nameOf(works));
      const hung = ask(gateway, 60_000);
      await eventually('the call', () => stuck!.capacity.busy === 1 && callsOf(hangs) === i + 1);
      gateway.advance(5_001);
      gateway.cancel(`id of question ${count - 1}`, 'the phase is over');
      await hung;
      await eventually('the slot', () => gateway.busySlots() === 0);
      gateway.registry.add(serverAt(works.url));
    }
    expect(stuck!.breakers.stateOf(MODEL)).toBe('open');
    expect(await ask(gateway)).toMatchObject(answered({ attempts: 1, server: nameOf(works) }));
  });

  it('slow-drip slower than the stall timeout: another server answers', async () => {
    const row = elsewhere(/the stream has stalled/, 'server', { options: { stallMs: 500 } });
    const { gateway, faulty, all } = await sims(2, row);
    await faulty.arm({ name: 'slow-drip', ms: 3_000 });
    expect(await ask(gateway)).toMatchObject(row.two);
    await isClean(gateway, all);
  });

  it('covers every fault of the simulator', () => {
    expect(Object.keys(FAULTS).toSorted()).toEqual([...Object.keys(SWITCHES), 'load-failed', 'ps-blocks'].toSorted());
  });
});

/** A row of the table of errors: the error, the breaker that opens, and whether another server is asked. */
interface Said {
  readonly status: number;
  readonly said: string;
  readonly goes: 'elsewhere' | 'later' | 'nowhere';
  readonly rests: Rests;
  /** How long the breaker stays open, when it opens at once. */
  readonly restMs?: number;
  readonly reason?: 'no-server' | 'too-long';
}

/** One error of each class; `classify-failure.spec.ts` has them all. */
const TABLE: readonly Said[] = [
  { status: 400, said: 'model is required', goes: 'nowhere', rests: 'nobody' },
  {
    status: 400,
    said: JSON.stringify({
      error: { code: 400, message: 'request (9000 tokens) exceeds the available context size (8192 tokens)', type: 'x' },
    }),
    goes: 'nowhere',
    rests: 'nobody',
    reason: 'too-long',
  },
  { status: 404, said: "model 'm:latest' not found", goes: 'elsewhere', rests: 'nobody', reason: 'no-server' },
  { status: 404, said: '404 page not found', goes: 'elsewhere', rests: 'server' },
  { status: 500, said: 'llama-server process has terminated: exit status 2', goes: 'elsewhere', rests: 'model' },
  { status: 500, said: 'CUDA error: out of memory', goes: 'elsewhere', rests: 'at once', restMs: 30_000 },
  {
    status: 503,
    said: 'server busy, please try again.  maximum pending requests exceeded',
    goes: 'later',
    rests: 'at once',
    restMs: 3_000,
  },
  { status: 200, said: 'something else', goes: 'elsewhere', rests: 'server' },
];

describe('an error of a model server', () => {
  let faulty: FakeOllama;
  let other: FakeOllama;
  beforeEach(async () => {
    [faulty, other] = [keep(await fakeOllama()), keep(await fakeOllama())];
  });
  /** Answers the next call at the fake server with the error. */
  async function answerWith({ status, said }: Said, say: string): Promise<void> {
    const call = await faulty.call(say);
    if (status !== 200) return call.fail(status, said);
    call.write({ message: { content: '' }, done: false });
    call.write({ error: said });
    call.end();
  }

  it.each(TABLE)('$status "$said": retries $goes, opens the breaker of $rests', async (row) => {
    const gateway = await startScheduler({ servers: [serverAt(faulty.url)] });
    gateway.freeze();
    const [server] = gateway.registry.all;
    const put = (say: string, withinMs = 60_000) =>
      settled(gateway.complete(completionMessage(say, { replyBy: gateway.now() + withinMs }), never));
    const rest = () => [server!.breakers.stateOf(), server!.breakers.stateOf('m:latest')];
    const well = ['closed', 'closed'];
    const truth = {
      reason: row.reason ?? 'failed',
      detail: expect.stringContaining(
        `${nameOf(faulty)} answered ${row.status === 200 ? 'in the middle of its answer' : `with ${row.status}`}: `,
      ),
    };

    // With one server: retried only after a short rest, for which there is time once here, and the caller gets the error.
    const alone = put('alone', row.goes === 'later' ? 1.7 * row.restMs! : undefined);
    await answerWith(row, 'alone');
    if (row.goes === 'later') {
      await eventually('the wait', () => gateway.waiting === 1);
      gateway.advance(row.restMs! - 1);
      gateway.recheck();
      expect(faulty.open()).toEqual([]);
      gateway.advance(1);
      gateway.recheck();
      await answerWith(row, 'alone');
    }
    const what = (await alone) as { detail: string };
    expect(what).toMatchObject(truth);
    if (row.said.startsWith('{'))
      expect(what.detail).toMatch(/with 400: request \(9000 tokens\) exceeds the available context size \(8192 tokens\)$/);
    else if (row.said) expect(what.detail).toContain(row.said.replaceAll('  ', ' '));
    expect(gateway.busySlots()).toBe(0);
    expect(rest()).toEqual(row.rests === 'at once' ? ['open', 'closed'] : well);
    if (row.restMs !== undefined) expect(server!.breakers.openUntil('m:latest')).toBe(gateway.now() + row.restMs);
    expect(server!.models.has('m:latest')).toBe(row.reason !== 'no-server');
    if (row.reason === 'no-server') await server!.check();

    // A second and a third failure.
    if (row.rests === 'server' || row.rests === 'model' || row.rests === 'nobody')
      for (const say of ['second', 'third']) {
        expect(rest()).toEqual(well);
        const again = put(say);
        await answerWith(row, say);
        await again;
        if (row.reason === 'no-server') await server!.check();
      }
    expect(rest()).toEqual(
      { 'server': ['open', 'closed'], 'model': ['closed', 'open'], 'at once': ['open', 'closed'], 'nobody': well, 'down': well }[row.rests],
    );

    // With a second server, which answers when that can help.
    gateway.advance(60_000);
    await gateway.registry.add(serverAt(other.url)).check();
    gateway.registry.drain(nameOf(other));
    const both = put('both');
    const call = await faulty.call('both');
    gateway.registry.add(serverAt(other.url));
    expect(call.last).toBe('both');
    await answerWith(row, 'both');
    if (row.goes === 'nowhere') expect(await both).toMatchObject(truth);
    else {
      (await other.call('both')).answer('well');
      expect(await both).toMatchObject({ value: { content: 'well', attempts: 2, repaired: false, server: nameOf(other) } });
    }
    await eventually('all slots', () => gateway.busySlots() === 0 && gateway.waiting === 0);
    expect(other.calls).toHaveLength(row.goes === 'nowhere' ? 0 : 1);
  });

  it.each([
    ['a page', '<html>\n<body>It works!</body>\n</html>\n'],
    ['nothing at all', ''],
    ['another protocol', '[1, 2]\n'],
  ])('200 with %s opens the breaker of the model', async (_, page) => {
    const gateway = await startScheduler({ servers: [serverAt(faulty.url)] });
    const [server] = gateway.registry.all;
    const say = async (what: string): Promise<void> => {
      const call = await faulty.call(what);
      if (page !== '') call.write(page);
      call.end();
    };
    const first = settled(gateway.complete(completionMessage('first'), never));
    for (let call = 0; call < 2; call++) await say('first');
    expect(await first).toMatchObject({ reason: 'invalid-answer' });
    expect([server!.breakers.stateOf(), server!.breakers.stateOf('m:latest')]).toEqual(['closed', 'closed']);
    const second = settled(gateway.complete(completionMessage('second'), never));
    await say('second');
    await eventually('its rest', () => server!.breakers.stateOf('m:latest') === 'open');
    expect([server!.breakers.stateOf(), faulty.open(), gateway.waiting]).toEqual(['closed', [], 1]);
    gateway.cancel('id of second', 'the phase is over');
    await second;
  });

  it('200 with an incomplete stream is repaired with another seed', async () => {
    const gateway = await startScheduler({ servers: [serverAt(faulty.url)] });
    for (const [name, script] of [
      ['done: false', [{ message: { content: 'Half' }, done: false }]],
      ['nothing', []],
    ] as const) {
      const answer = gateway.complete(completionMessage(name, { seed: 1 }), never);
      const call = await faulty.call(name);
      for (const line of script) call.write(line);
      if (!script.length) call.write('\n');
      call.end();
      const again = await faulty.call(name);
      expect(again.body['options']).toMatchObject({ seed: 2 });
      again.answer('whole');
      expect(await answer).toMatchObject({ content: 'whole', repaired: true });
    }
    expect(gateway.registry.all[0]!.breakers.stateOf('m:latest')).toBe('closed');
  });
});
