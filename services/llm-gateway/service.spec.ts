import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type ArmedFault, FAULTS, type FaultName } from '@maw/ollama-sim/faults.ts';
import type { SimulatorOptions } from '@maw/ollama-sim/options.ts';
import { type Simulator, startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import type { GatewayOptions } from './defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from './fake-ollama.suite.ts';
import { llmGateway } from './service.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
  jest.restoreAllMocks();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
const simulator = async (options?: SimulatorOptions): Promise<Simulator> => keep(await startSimulator(options));
const endless = 1e9;
const silent = (service: string) => logger(service, { level: 'silent' });

/** A gateway in front of `servers`, and a player. */
async function room(
  servers: GatewayOptions['servers'],
  options: Partial<GatewayOptions> = {},
  hub: MemoryHub = memoryHub(),
  now: () => number = Date.now,
) {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30, retryMs: [10] }));
  const player = keep(memoryBus({ service: 'player', hub, resendMs: 60_000 }));
  const gateway = keep(
    await llmGateway({
      bus,
      now,
      log: silent('llm-gateway'),
      options: { agentRpm: 0, agentConcurrency: 0, healthEveryMs: 20, servers, ...options },
    }),
  );
  const about = () => ({ id: crypto.randomUUID(), source: 'player', subject: 't', at: Date.now(), replyBy: Date.now() + 30_000 });
  return {
    hub,
    bus,
    gateway,
    player,
    ask: (say: string, given?: Parameters<typeof completionMessage>[1]) => player.request(completionMessage(say, given)),
    cancel: (request: string) => player.publish(contracts.write('llm.cancel', { request, why: 'the phase is over' }, about())),
    models: async () => {
      const reply = await player.request(contracts.write('llm.models', {}, about()));
      if (reply.performative !== 'inform') throw new Error('no answer');
      return reply.data;
    },
  };
}

/** The outcome of a request whose deadline passes after `fact` holds. Retries with a longer deadline, because a busy machine may be slower. */
async function lateOnce(ask: (id: string, replyBy: number) => Promise<unknown>, fact: () => boolean): Promise<unknown> {
  for (let ms = 300; ; ms *= 2) {
    let isOver = false;
    const end = ask(`late in ${ms}`, Date.now() + ms)
      .catch((error: Error) => error.name)
      .finally(() => (isOver = true));
    const seen = await eventually('the fact, or the deadline', () => (fact() && 'the fact') || (isOver && 'the deadline'));
    if (seen === 'the fact') return end;
    await end;
  }
}

const busyOf = (one: Simulator): number => one.state().models.reduce((sum, { busy }) => sum + busy, 0);

describe('llmGateway', () => {
  it('answers with content, model and server', async () => {
    const sim = await simulator();
    const { ask, models, gateway } = await room([serverAt(sim.url)]);
    await gateway.ready();
    const reply = await ask('Say hello.', { maxTokens: 64 });
    expect(reply).toMatchObject({
      performative: 'agree',
      data: { content: expect.stringMatching(/\w/), model: 'simulated:latest', server: `127.0.0.1:${sim.port}`, reason: 'stop' },
    });
    expect(sim.state().models).toMatchObject([{ name: 'simulated:latest', numCtx: 8_192 }]);
    expect(await models()).toEqual({
      default: 'simulated:latest',
      servers: [
        {
          server: `127.0.0.1:${sim.port}`,
          isUp: true,
          version: '0.33.0',
          slots: 1,
          busy: 0,
          models: ['simulated:latest', 'simulated-thinking:latest', 'simulated-embed:latest'],
          cannotChat: ['simulated-embed:latest'],
        },
      ],
      waiting: 0,
    });
  });

  it('uses the configured model, or else the first that can chat', async () => {
    const sim = await simulator({
      models: [{ name: 'embed', capabilities: ['embedding'] }, { name: 'one' }, { name: 'two' }],
    });
    const free = await room([serverAt(sim.url)]);
    expect(await free.ask('a')).toMatchObject({ data: { model: 'simulated/one:latest' } });
    const configured = await room([serverAt(sim.url)], { model: 'Two' });
    expect(await configured.ask('a')).toMatchObject({ data: { model: 'simulated/two:latest' } });
  });

  it('lets a model think if it can, and does not ask one that cannot', async () => {
    const sim = await simulator();
    const { ask } = await room([serverAt(sim.url)]);
    const format = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };
    const given = { format, maxTokens: 2_000 };
    const thought = await ask('thinks', { ...given, model: 'simulated-thinking', think: true });
    expect(thought).toMatchObject({ data: { thinking: expect.stringMatching(/\w/), content: expect.stringContaining('"vote"') } });
    const quiet = await ask('does not', { ...given, model: 'simulated-thinking' });
    expect(quiet).toMatchObject({ performative: 'agree', data: expect.not.objectContaining({ thinking: expect.anything() }) });
    expect(await ask('cannot', { ...given, model: 'simulated', think: true })).toMatchObject({ performative: 'agree' });
  });

  it('aborts the Ollama call when a completion is cancelled or late, freeing the slot', async () => {
    for (const [stage, slow] of [
      ['prefill', { prefillMsPerToken: endless }],
      ['streaming', { decodeMsPerToken: endless }],
    ] as const) {
      const sim = await simulator(slow);
      const { ask, cancel, models } = await room([serverAt(sim.url)]);
      const first = ask('first');
      await eventually(`${stage} of the first`, () => busyOf(sim) === 1);
      await cancel('id of first');
      expect(await first).toMatchObject({ performative: 'refuse', data: { reason: 'failed', detail: 'cancelled: the phase is over' } });
      await eventually('the close', () => sim.state().closes[stage] === 1 && busyOf(sim) === 0);

      const late = await lateOnce(
        (id, replyBy) => ask('second', { id, replyBy }),
        () => busyOf(sim) === 1,
      );
      expect(['RequestTimeout', expect.objectContaining({ performative: 'refuse' })]).toContainEqual(late);
      await eventually('the close', () => sim.state().closes[stage] >= 2 && busyOf(sim) === 0);
      expect(await models()).toMatchObject({ servers: [{ busy: 0, isUp: true }], waiting: 0 });
    }
  });

  it('calls the model once for a duplicate, also one resent while it runs', async () => {
    const server = keep(await fakeOllama());
    const { player, ask } = await room([serverAt(server.url)]);
    const message = completionMessage('once');
    const twice = [player.request(message), ask('once')];
    await server.call('once');
    await player.publish(message);
    (await server.call('once')).answer('A');
    for (const reply of await Promise.all(twice)) expect(reply).toMatchObject({ data: { content: 'A' } });
    expect(await player.request(message)).toMatchObject({ data: { content: 'A' } });
    expect(server.calls).toHaveLength(1);
  });

  it('uses a server again after an outage', async () => {
    const first = await startSimulator();
    const { ask, gateway, models } = await room([serverAt(first.url)]);
    await ask('before');
    await first.close();
    await eventually('the outage to be noticed', async () => !(await models()).servers[0]!.isUp);
    // A health check under way may have seen the close instead; the next ones are refused.
    const why = () => gateway.ready().then(String, ({ message }: Error) => message);
    await eventually('the cause in the error', async () =>
      /no model server is up .* is down: .*ECONNREFUSED.*ollama pull/.test(await why()),
    );
    const waiting = ask('in between');
    await eventually('the wait', async () => (await models()).waiting === 1);
    await simulator({ port: first.port });
    expect(await waiting).toMatchObject({ performative: 'agree' });
    await gateway.ready();
  });

  it('starts without servers, says so, and refuses requests', async () => {
    const gone = await startSimulator();
    await gone.close();
    const { ask, gateway } = await room([serverAt(gone.url)], { patienceMs: 50 });
    await expect(gateway.ready()).rejects.toThrow(/no model server is up that has a model that can chat/);
    expect(await ask('a')).toMatchObject({ performative: 'refuse', data: { reason: 'no-server' } });
    const poor = await simulator({ models: [{ name: 'embed', capabilities: ['embedding'] }] });
    const other = await room([serverAt(poor.url)]);
    await expect(other.gateway.ready()).rejects.toThrow(/embed:latest on 127/);
    expect(await other.ask('a')).toMatchObject({ data: { reason: 'no-server' } });
  });

  it('hands running and waiting requests to another gateway when it closes', async () => {
    const server = keep(await fakeOllama());
    const leader = await room([serverAt(server.url)]);
    const standby = await room([serverAt(server.url)], {}, leader.hub);
    const answers = [leader.ask('runs'), leader.ask('waits')];
    const call = await server.call('runs');
    await Promise.all([leader.gateway.close(), leader.gateway.close()]);
    await eventually('the close', () => call.isAborted);
    for (const name of ['runs', 'waits']) (await server.call(name)).answer(`${name} there`);
    expect((await Promise.all(answers)).map((reply) => (reply.data as { content: string }).content)).toEqual(['runs there', 'waits there']);
    expect(standby.hub.dead).toEqual([]);
    expect(server.calls.map(({ last }) => last)).toEqual(['runs', 'runs', 'waits']);
  });

  it('aborts its requests when another becomes leader after a lost connection', async () => {
    let skew = 0;
    const now = () => Date.now() + skew;
    const server = keep(await fakeOllama());
    const hub = memoryHub();
    let lose: () => Promise<void> = async () => undefined;
    // Its connection can be lost unnoticed, and its consumer returns behind the other one.
    const shaky: MemoryHub = {
      ...hub,
      consume(asked, take) {
        let on = hub.consume(asked, take);
        lose = async () => {
          await on.cancel();
          await on.release();
          on = hub.consume(asked, take);
        };
        return { cancel: () => on.cancel(), release: () => on.release(), reprioritize: () => on.reprioritize() };
      },
    };
    await room([serverAt(server.url)], { capacityEveryMs: 5 }, shaky, now);
    const { ask } = await room([serverAt(server.url)], { capacityEveryMs: 5 }, hub, now);
    const replyBy = now() + 600_000;
    const answers = ['one', 'two', 'three'].map((say) => ask(say, { replyBy }));
    const first = await server.call('one');
    await lose();
    await eventually('the first call at the other gateway', () => server.calls.length === 2);
    expect(first.isAborted).toBe(false);
    skew = 11_000;
    await eventually('the close', () => first.isAborted);
    for (const say of ['one', 'two', 'three']) (await server.call(say)).answer(`${say} there`);
    for (const [n, say] of ['one', 'two', 'three'].entries()) expect(await answers[n]).toMatchObject({ data: { content: `${say} there` } });
    expect([server.calls.map(({ last }) => last), server.open()]).toEqual([['one', 'one', 'two', 'three'], []]);
  });

  it('completes running requests on shutdown within the grace time', async () => {
    const server = keep(await fakeOllama());
    const { ask, gateway } = await room([serverAt(server.url)]);
    const answer = ask('runs');
    const call = await server.call('runs');
    const closed = gateway.close();
    call.answer('done');
    await closed;
    expect(await answer).toMatchObject({ data: { content: 'done' } });
  });

  it('publishes capacity while it is the leader, also when idle', async () => {
    let skew = 0;
    const now = () => Date.now() + skew;
    const server = keep(await fakeOllama());
    // No health checks meanwhile: they would look up the leader as well.
    const quiet = { capacityEveryMs: 5, healthEveryMs: 1e9 };
    const leader = await room([serverAt(server.url, 3)], quiet, undefined, now);
    await room([serverAt(server.url, 7)], quiet, leader.hub, now);
    const said: { readonly time: number; readonly data: unknown }[] = [];
    const tap = keep(memoryBus({ service: 'gamemaster', hub: leader.hub }));
    await tap.subscribe(['llm.capacity'], async ({ time, data }) => void said.push({ time: Date.parse(time), data }));
    await eventually('the first', () => said.length > 0);
    skew = 3_600_000;
    const later = () => said.filter(({ time }) => time >= Date.now() + skew - 60_000);
    await eventually('capacity events an hour later', () => later().length >= 5);
    expect(said.map(({ data }) => data)).toEqual(said.map(() => ({ utilisation: 0, active: 0, more: 3 })));
  });

  it('spreads completions over all slots of all servers', async () => {
    const sims = [await simulator({ slots: 1 }), await simulator({ slots: 3, decodeMsPerToken: 1 })];
    const { ask, models } = await room([serverAt(sims[0]!.url), serverAt(sims[1]!.url, 3)], { checkSlots: false });
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(`line ${n}`, { maxTokens: 20 })));
    expect(replies.map(({ performative }) => performative)).toEqual(replies.map(() => 'agree'));
    const chats = sims.map((sim) => sim.state().byPath['/api/chat'] ?? 0);
    const loads = sims.map((sim) => sim.state().scheduler.loads);
    expect([chats[0]! + chats[1]!, loads]).toEqual([40 + 2, [1, 1]]);
    expect(Math.min(...chats)).toBeGreaterThan(0);
    expect(await models()).toMatchObject({ waiting: 0, servers: [{ busy: 0 }, { busy: 0 }] });
  });
});

/** What is the truth about an answer that is invalid: it broke off, is empty, or does not fit. */
const REPAIRED = { performative: 'agree', data: { attempts: 2, repaired: true } };
const EMPTY = { performative: 'refuse', data: { reason: 'invalid-answer', detail: expect.stringContaining('it is empty') } };
const UNFIT = { performative: 'agree', data: { attempts: 1, repaired: false, unfit: expect.any(String) } };
const INVALID: { readonly [fault: string]: object } = {
  'end-without-done': REPAIRED,
  'done-false': REPAIRED,
  'invalid-json-line': REPAIRED,
  'empty-content': EMPTY,
  'whitespace-run': REPAIRED,
  'schema-violation': UNFIT,
  'think-leak': UNFIT,
};

describe('a server that fails', () => {
  /** Faults that end a call; the others slow it down or do not affect it. */
  const fatal: readonly FaultName[] = [
    'reset-before-headers',
    'reset-mid-stream',
    'error-mid-stream',
    'end-without-done',
    'done-false',
    'invalid-json-line',
    'half-line',
    'runner-crash',
    'out-of-memory',
    'load-failed',
    'bad-input',
    'nested-400',
    'empty-content',
    'schema-violation',
    'think-leak',
    'whitespace-run',
  ];
  const format = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };

  it('is refused with its cause for every simulator fault; the next completion succeeds', async () => {
    const printed = [jest.spyOn(console, 'warn'), jest.spyOn(console, 'log')].map((spy) => spy.mockImplementation(() => undefined));
    const sim = await simulator();
    let skew = 0;
    const now = () => Date.now() + skew;
    // A warm-up would trip the fault before the completion.
    const { ask, models } = await room([serverAt(sim.url)], { warmUp: false }, undefined, now);
    const asked = (say: string) => ask(say, { format, replyBy: now() + 60_000 });
    for (const name of fatal) {
      expect(Object.keys(FAULTS)).toContain(name);
      await sim.arm({ name } satisfies ArmedFault);
      const reply = await asked(`with ${name}`);
      // Any other failure has no second server.
      const truth = INVALID[name] ?? { performative: 'refuse', data: { reason: 'failed', detail: expect.any(String) } };
      expect([name, reply]).toMatchObject([name, truth]);
      skew += 61_000; // a server that was out of memory rests, and so does one that fails again and again
      expect([name, await asked(`after ${name}`)]).toMatchObject([name, { performative: 'agree' }]);
    }
    expect(Object.keys(sim.state().faults.tripped).toSorted()).toEqual(fatal.toSorted());
    expect(await models()).toMatchObject({ servers: [{ isUp: true, busy: 0 }] });
    for (const print of printed) expect(print).not.toHaveBeenCalled();
  });

  it('that hangs occupies a slot until the deadline; a blocked model list does not', async () => {
    const sim = await simulator();
    await sim.arm({ name: 'ps-blocks' });
    const { ask, models } = await room([serverAt(sim.url)], { probeMs: 200 });
    await ask('first');
    await sim.arm({ name: 'accept-and-hang' });
    const hung = await lateOnce(
      (id, replyBy) => ask('hangs', { id, replyBy }),
      () => sim.state().faults.tripped['accept-and-hang'] === 1,
    );
    expect(['RequestTimeout', expect.objectContaining({ performative: 'refuse' })]).toContainEqual(hung);
    expect(await ask('next')).toMatchObject({ performative: 'agree' });
    // On a busy machine its other answers may time out too; it is checked again at once.
    await eventually('it to be up, and free', async () => {
      const [one] = (await models()).servers;
      return one?.isUp && one.busy === 0;
    });
  });
});

describe('the spans of a completion', () => {
  it('form one trace, without prompt or answer', async () => {
    const receiver = keep(await startOtlpReceiver());
    const telemetry = startTelemetry({ service: 'llm-gateway', endpoint: receiver.url, protocol: 'http/json', log: silent('maw') });
    const server = keep(await fakeOllama());
    try {
      const { ask } = await room([serverAt(server.url)]);
      const first = ask('Ada is a werewolf', { id: 'm1' });
      const second = ask('Bo is the seer', { id: 'm2' });
      (await server.call('Ada is a werewolf')).answer('kill the seer', { prompt_eval_count: 5 });
      const { headers } = await server.call('Bo is the seer');
      (await server.call('Bo is the seer')).fail(500, 'out of memory');
      await Promise.all([first, second]);
      await telemetry.close();
      const spans = receiver.spans();
      const chats = spans.filter(({ name }) => name === 'chat m:latest');
      const attempts = spans.filter(({ name }) => name === 'attempt');
      expect([chats.length, attempts.length]).toEqual([2, 2]);
      const chat = chats.find(({ attributes }) => !('error.type' in attributes))!;
      expect(chat).toMatchObject({
        kind: 'client',
        service: 'llm-gateway',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'ollama',
          'gen_ai.request.model': 'm:latest',
          'gen_ai.response.model': 'm:latest',
          'server.address': '127.0.0.1',
          'server.port': Number(new URL(server.url).port),
        },
      });
      for (const one of attempts)
        expect(chats.some(({ traceId, spanId }) => one.traceId === traceId && one.parentSpanId === spanId)).toBe(true);
      expect(new Set(chats.map(({ traceId }) => traceId)).size).toBe(2);
      const failed = attempts.find(({ status }) => status.code === 'error')!;
      expect(headers['traceparent']).toContain(`${failed.traceId}-${failed.spanId}`);
      expect(JSON.stringify(spans, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
        /werewolf|seer|kill/,
      );
    } finally {
      await telemetry.close();
    }
  });
});

it('exports its rare counters at 0 from the start', async () => {
  const { deadlines, wastedSlots, schemaFailures } = metrics;
  for (const counter of [deadlines, wastedSlots, schemaFailures]) counter.reset();
  await room([]);
  const values = async (counter: typeof deadlines | typeof wastedSlots | typeof schemaFailures) => (await counter.get()).values;
  expect(await values(deadlines)).toContainEqual({ labels: { urgency: 'critical', outcome: 'expired_waiting' }, value: 0 });
  expect(await values(wastedSlots)).toContainEqual({ labels: { why: 'cut' }, value: 0 });
  expect(await values(schemaFailures)).toContainEqual({ labels: { kind: 'hostile' }, value: 0 });
});
