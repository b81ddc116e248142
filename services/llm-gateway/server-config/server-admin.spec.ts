import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { manualClock } from '@maw/ollama-sim/engine/manual-clock.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { GatewayOptions } from '../options.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama, serveChats } from '../fake-ollama.suite.ts';
import { llmGateway } from '../service.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
const nameOf = ({ url }: { url: string }): string => url.slice('http://'.length);

/** A gateway in front of `servers`, a player that asks it and a web that runs it. */
async function room(servers: GatewayOptions['servers'], options: Partial<GatewayOptions> = {}) {
  const hub = memoryHub();
  const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30 }));
  const [player, web] = ['player', 'web'].map((service) => keep(memoryBus({ service, hub, resendMs: 60_000 })));
  const log = logger('llm-gateway', { level: 'silent' });
  const all = { agentRpm: 0, agentConcurrency: 0, healthEveryMs: 20, servers, ...options };
  keep(await llmGateway({ bus, now: Date.now, log, options: all }));
  const about = (id: string = crypto.randomUUID()) => ({
    id,
    source: 'web',
    subject: 'pool',
    at: Date.now(),
    replyBy: Date.now() + 30_000,
  });
  return {
    hub,
    ask: (say: string, given?: Parameters<typeof completionMessage>[1]) => player!.request(completionMessage(say, given)),
    embed: (data: Partial<Data<'llm.embed'>>, id?: string) =>
      player!.request(contracts.write('llm.embed', { agent: 't:1', input: ['a'], ...data }, { ...about(id), source: 'player' })),
    change: (data: Partial<Data<'llm.servers'>> & Pick<Data<'llm.servers'>, 'act'>, id?: string) =>
      web!.request(contracts.write('llm.servers', { kind: 'ollama', ...data }, about(id))),
    async status() {
      const reply = await web!.request(contracts.write('llm.status', {}, about()));
      if (reply.performative !== 'inform') throw new Error('no status');
      return reply.data;
    },
  };
}

/** Answers all that a fakeOllama is asked from now on, each after a few turns of the event loop. */
function answering(one: FakeOllama): { close(): Promise<void> } {
  let isOver = false;
  const loop = (async () => {
    for (let turn = 0; !isOver; turn++) {
      for (const call of one.open().slice(0, 1 + (turn % 2))) call.answer(`answer to ${call.last}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return {
    async close() {
      isOver = true;
      await loop;
    },
  };
}

describe('the servers of a running gateway', () => {
  it('are listed, added, drained and removed by messages', async () => {
    const [a, b] = [keep(await fakeOllama()), keep(await fakeOllama())];
    const { change, ask } = await room([serverAt(a.url)], { defaultSlots: 3, warmUp: false });
    const listed = (...servers: object[]) => ({ performative: 'agree', data: { servers } });
    const [one, two] = [
      { server: nameOf(a), kind: 'ollama', slots: 1, state: 'up' },
      { server: nameOf(b), kind: 'ollama', slots: 3, state: 'up' },
    ];
    expect(await change({ act: 'list' })).toEqual(expect.objectContaining(listed(one)));
    expect(await change({ act: 'add', server: b.url })).toMatchObject(listed(one, two));
    expect(await change({ act: 'drain', server: nameOf(a) })).toMatchObject(listed({ ...one, state: 'draining' }, two));
    const answer = ask('x');
    const call = await b.call('x');
    expect(await change({ act: 'remove', server: nameOf(b) })).toMatchObject(
      listed({ ...one, state: 'draining' }, { ...two, state: 'leaving' }),
    );
    call.answer('done');
    expect(await answer).toMatchObject({ data: { content: 'done' } });
    await eventually('the end of it', async () => (await change({ act: 'list' })).performative === 'agree');
    expect(await change({ act: 'add', server: nameOf(a), slots: 2 })).toMatchObject(listed({ ...one, slots: 2 }));
    expect(await change({ act: 'remove', server: `http://${nameOf(a)}/` })).toMatchObject(listed());
  });

  it('are changed once by a message that comes twice, which is answered as before', async () => {
    const [a, b] = [keep(await fakeOllama()), keep(await fakeOllama())];
    const { change } = await room([serverAt(a.url)]);
    const first = await change({ act: 'add', server: b.url, slots: 2 }, 'm1');
    expect(first).toMatchObject({ performative: 'agree' });
    expect((await change({ act: 'add', server: b.url, slots: 2 }, 'm1')).data).toEqual(first.data);
    expect(await change({ act: 'add', server: b.url, slots: 2 }, 'm2')).toMatchObject({
      performative: 'refuse',
      data: { reason: 'failed' },
    });
  });

  it('are refused with what is wrong and what there is', async () => {
    const a = keep(await fakeOllama());
    const { change } = await room([serverAt(a.url)]);
    const wrong: [Parameters<typeof change>[0], string, string][] = [
      [{ act: 'add' }, 'unreadable', 'add needs server: its address'],
      [{ act: 'drain' }, 'unreadable', 'drain needs server: its name'],
      [{ act: 'add', server: 'ftp://me:secret@x' }, 'unreadable', '"ftp://x": a model server is reached by http or https, not ftp'],
      [
        { act: 'add', server: 'x', keyFile: 'k' },
        'unreadable',
        'a server of kind ollama has no key: leave keyFile out, or set kind to openai',
      ],
      [
        { act: 'add', server: 'https://x', kind: 'openai', keyFile: '/etc/hostname' },
        'unreadable',
        'keyFile: only the file in GATEWAY_CONFIG may name key files; set KEY_FOLDER to allow those of one folder',
      ],
      [{ act: 'add', server: a.url }, 'failed', `${nameOf(a)} already exists; one server is one pool of slots`],
      [{ act: 'remove', server: 'nobody' }, 'no-server', `there is no server nobody; available: ${nameOf(a)}`],
    ];
    for (const [said, reason, detail] of wrong)
      expect(await change(said)).toMatchObject({ performative: 'refuse', data: { reason, detail } });
  });

  it('come and go under load: every request is answered once, no server is ever sent more than its slots', async () => {
    const [a, b, c] = [keep(await fakeOllama()), keep(await fakeOllama()), keep(await fakeOllama())];
    const slots = new Map([
      [a, 2],
      [b, 3],
      [c, 4],
    ]);
    const { ask, change, status } = await room([serverAt(a.url, 2), serverAt(b.url, 3)]);
    for (const one of slots.keys()) keep(answering(one));
    const names = Array.from({ length: 150 }, (_, n) => `job ${n}`);
    const answers = names.map((say) => ask(say));
    const seen = (count: number) => eventually(`${count} calls`, () => a.calls.length + b.calls.length + c.calls.length >= count);
    await seen(20);
    await change({ act: 'add', server: c.url, slots: 4 });
    await seen(50);
    await change({ act: 'drain', server: nameOf(a) });
    await eventually('the last of a', async () => (await status()).servers.find(({ server }) => server === nameOf(a))?.busy === 0);
    const drained = a.calls.length;
    await change({ act: 'remove', server: nameOf(b) });
    await eventually('the end of b', async () => (await status()).servers.every(({ server }) => server !== nameOf(b)));
    const removed = b.calls.length;
    const replies = await Promise.all(answers);
    expect(replies.map(({ data }) => (data as { content?: string }).content)).toEqual(names.map((say) => `answer to ${say}`));
    expect([a.calls.length, b.calls.length, a.calls.length + b.calls.length + c.calls.length]).toEqual([drained, removed, names.length]);
    for (const [one, most] of slots) expect([nameOf(one), one.peak <= most && one.peak > 0]).toEqual([nameOf(one), true]);
    expect((await status()).servers.map(({ server, state, busy }) => [server, state, busy])).toEqual([
      [nameOf(a), 'draining', 0],
      [nameOf(c), 'up', 0],
    ]);
  });

  it('are simulators too: none of their completions is lost, and none waits inside them', async () => {
    const start = async (slots: number) => keep(await startSimulator({ slots, decodeMsPerToken: 2, prefillMsPerToken: 0.1 }));
    const sims = [await start(1), await start(2), await start(2)];
    const [a, b, c] = sims;
    // A check of slots lets requests wait on purpose.
    const { ask, change } = await room([serverAt(a!.url, 1), serverAt(b!.url, 2)], { checkSlots: false });
    let mostInLine = 0;
    const looking = setInterval(() => {
      for (const { waiting } of sims.flatMap((sim) => sim.state().models)) mostInLine = Math.max(mostInLine, waiting);
    }, 1);
    keep({ close: async () => clearInterval(looking) });
    const answers = Array.from({ length: 60 }, (_, n) => ask(`line ${n}`, { maxTokens: 8 }));
    await Promise.race(answers);
    await change({ act: 'add', server: c!.url, slots: 2 });
    await change({ act: 'remove', server: nameOf(a!) });
    await Promise.race(answers.slice(30));
    await change({ act: 'remove', server: nameOf(b!) });
    const replies = await Promise.all(answers);
    expect(replies.filter(({ performative }) => performative !== 'agree')).toEqual([]);
    expect(mostInLine).toBe(0);
    expect(sims.map((sim) => sim.state().closes)).toEqual(sims.map(() => expect.objectContaining({ prefill: 0, streaming: 0 })));
    expect(await change({ act: 'list' })).toMatchObject({ data: { servers: [{ server: nameOf(c!), state: 'up' }] } });
    expect(c!.state().byPath['/api/chat']).toBeGreaterThan(1);
  });

  it('that are added are warm before they get work, and say when their slots are not real', async () => {
    const clock = manualClock();
    const [a, b] = [keep(await fakeOllama()), keep(await startSimulator({ slots: 1, decodeMsPerToken: 60, loadMs: 20, clock }))];
    const { change, status } = await room([serverAt(a.url)], { model: 'simulated' });
    await change({ act: 'add', server: b.url, slots: 2 });
    await serveChats(b, clock, 1, 20);
    for (const count of [2, 5, 8]) await serveChats(b, clock, count, 60);
    const why = 'of 2 configured slots 1 work at once: raise its OLLAMA_NUM_PARALLEL or configure fewer slots';
    await eventually('the check', async () => (await status()).servers[1]?.why === why);
    const { servers } = await status();
    expect(servers[1]).toMatchObject({
      slots: 1,
      state: 'up',
      models: expect.arrayContaining([expect.objectContaining({ isResident: true })]),
    });
    expect(b.state().scheduler.loads).toBe(1);
  });

  it('are all warm at the start, and looked after by the gateway that schedules alone', async () => {
    const [a, b, idle] = [keep(await fakeOllama()), keep(await fakeOllama()), keep(await fakeOllama())];
    const { hub } = await room([serverAt(a.url), serverAt(b.url)], { healthEveryMs: 1e9 });
    await eventually('the loads', () => a.loads.length === 1 && b.loads.length === 1);
    const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30 }));
    const log = logger('llm-gateway', { level: 'silent' });
    keep(await llmGateway({ bus, now: Date.now, log, options: { servers: [serverAt(idle.url, 4)], healthEveryMs: 10 } }));
    await eventually('many looks', () => idle.looks >= 12);
    expect([idle.loads, idle.calls]).toEqual([[], []]);
  });

  it('of both kinds give vectors: the same texts, in order, many at once', async () => {
    const sim = keep(await startSimulator({ slots: 2 }));
    const input = ['a wolf', 'a seer', 'a wolf', 'nobody'];
    const ollama = await room([serverAt(sim.url, 2)]);
    const one = await ollama.embed({ input, model: 'simulated-embed' }, 'e1');
    if (one.performative !== 'agree') throw new Error('no vectors');
    const { embeddings } = one.data;
    expect([embeddings.length, new Set(embeddings.map(({ length }) => length)).size]).toEqual([4, 1]);
    expect(embeddings[0]).toEqual(embeddings[2]);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
    for (const vector of embeddings) expect(vector.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(1, 5);
    expect(one.data).toMatchObject({ model: 'simulated-embed:latest', server: nameOf(sim), tokens: { prompt: 8 } });
    const asked = sim.state().byPath['/api/embed'];
    expect((await ollama.embed({ input, model: 'simulated-embed' }, 'e1')).data).toEqual(one.data);
    // One is the load, which asks for nothing.
    expect([asked, sim.state().byPath['/api/embed']]).toEqual([2, 2]);

    const other = await room([{ ...serverAt(sim.url, 2), kind: 'openai' }]);
    const again = await other.embed({ input, model: 'simulated-embed' });
    expect((again.data as { embeddings: number[][] }).embeddings).toEqual(embeddings);
    expect(sim.state().byPath['/v1/embeddings']).toBe(1);
  });
});
