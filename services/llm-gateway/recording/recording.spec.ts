import { describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { Recordings } from '@maw/store/ports/recordings.ts';
import { logger } from '@maw/telemetry/log.ts';
import { canonicalRequest, requestHash } from './recording.ts';
import { gatewayConfig } from '../config.ts';
import { testResources } from '../scheduler/completions.suite.ts';
import type { Completion } from '../request.ts';
import type { GatewayOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from '../fake-ollama.suite.ts';
import { llmGateway } from '../service.ts';

const { keep } = testResources();
const SIM = { decodeMsPerToken: 0.01, prefillMsPerToken: 0.01 };

interface Asks {
  readonly table?: string;
  readonly seat?: number;
  readonly id?: string;
}

/** A gateway that records or replays, and a player. */
async function room(record: GatewayOptions['record'], recordings: Recordings, options: Partial<GatewayOptions> = {}) {
  const hub = memoryHub();
  const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30 }));
  const player = keep(memoryBus({ service: 'player', hub, resendMs: 60_000 }));
  const lines: string[] = [];
  const log = logger('llm-gateway', { level: 'error', destination: { write: (line: string) => void lines.push(line) } });
  const given = { agentRpm: 0, agentConcurrency: 0, servers: [], checkSlots: false, record, ...options };
  const gateway = keep(await llmGateway({ bus, now: Date.now, log, options: given, recordings }));
  const ask = async (
    say: string,
    { table = 't', seat = 1, id = crypto.randomUUID() }: Asks = {},
    more: Parameters<typeof completionMessage>[1] = {},
  ) => {
    const message = { ...completionMessage(say, { agent: `${table}:${seat}`, ...more, id }), subject: table };
    return player.request(message);
  };
  const embed = (input: string[], table: string) => {
    const about = { id: crypto.randomUUID(), source: 'player', subject: table, at: Date.now(), replyBy: Date.now() + 10_000 };
    return player.request(contracts.write('llm.embed', { agent: `${table}:1`, model: 'simulated-embed', input }, about));
  };
  return { gateway, player, hub, lines, ask, embed };
}

const said = (reply: { readonly data?: unknown }): string => (reply.data as Completion).content;
const refused = (detail: RegExp) => ({ performative: 'refuse', data: { reason: 'failed', detail: expect.stringMatching(detail) } });

describe('a recording', () => {
  it('replays recorded answers to any table without asking a server', async () => {
    const { recordings } = keep(memoryStore());
    const sim = await startSimulator(SIM);
    const live = await room('record', recordings, { servers: [serverAt(sim.url, 2)] });
    const format = { type: 'object', properties: { a: { const: 1 }, b: { enum: ['x', 'y'] } }, required: ['a', 'b'] };
    const first = await live.ask('Say hello.', {}, { format, seed: 7, temperature: 0.5 });
    const vectors = await live.embed(['Bob votes for Ann.'], 't');
    await live.gateway.close();
    await sim.close();

    const again = await room('replay', recordings, { servers: [serverAt(sim.url, 2)] });
    await again.gateway.ready();
    const turned = { type: 'object', required: ['a', 'b'], properties: { b: { enum: ['x', 'y'] }, a: { const: 1 } } };
    const how = { format: turned, seed: 7, temperature: 0.5, urgency: 'critical' as const, kind: 'other', tenant: 'somebody' };
    expect(await again.ask('Say hello.', { table: 'u', seat: 4 }, how)).toEqual(first);
    expect(first).toMatchObject({ performative: 'agree', data: { model: 'simulated:latest', times: { decode: expect.any(Number) } } });
    expect(await again.embed(['Bob votes for Ann.'], 'u')).toEqual(vectors);
    expect(vectors).toMatchObject({ performative: 'agree', data: { embeddings: [expect.any(Array)] } });
    expect(again.gateway.debugCounters()).toMatchObject({ requests: 0, slots: 0, counted: 0 });
  });

  it('replays repeated requests in order per table, and duplicates unchanged', async () => {
    const { recordings } = keep(memoryStore());
    const server = keep(await fakeOllama());
    const live = await room('record', recordings, { servers: [serverAt(server.url)] });
    for (const [table, answer] of [
      ['t', 'one'],
      ['u', 'other'],
      ['t', 'two'],
      ['t', 'three'],
    ] as const) {
      const reply = live.ask('Speak.', { table });
      (await server.call('Speak.')).answer(answer);
      await reply;
    }
    const again = await room('replay', recordings);
    const hear = async (table: string, id?: string) => said(await again.ask('Speak.', { table, ...(id ? { id } : {}) }));
    expect([await hear('t'), await hear('t', 'm2'), await hear('t', 'm2'), await hear('t')]).toEqual(['one', 'two', 'two', 'three']);
    expect([await hear('u'), await hear('new'), await hear('new'), await hear('new')]).toEqual(['other', 'one', 'two', 'three']);
    expect(await again.ask('Speak.', { table: 'new' })).toMatchObject(
      refused(/of seat 1 of table new for the 4th time: it was recorded 3 times, by seat 1 of table t$/),
    );
  });

  it('refuses an unknown request by hash, seat and table', async () => {
    const { recordings } = keep(memoryStore());
    const server = keep(await fakeOllama());
    const live = await room('record', recordings, { servers: [serverAt(server.url)] });
    const reply = live.ask('Anna is dead. Who was it?', { seat: 3 });
    (await server.call('Anna is dead. Who was it?')).answer('x');
    await reply;
    const again = await room('replay', recordings);
    const hash = requestHash(canonicalRequest(completionMessage('Anna is dead. Who did it?')));
    expect(await again.ask('Anna is dead. Who did it?', { table: 'u', seat: 3 })).toMatchObject(
      refused(new RegExp(`^the recording default has no answer to request ${hash} of seat 3 of table u$`)),
    );
    expect(again.lines.join('')).toMatch(/the recording has no answer to a request/);
    expect(again.lines.join('')).not.toMatch(/Anna|dead/); // the log contains no prompt
    await expect(room('replay', recordings, { recording: 'other' })).rejects.toThrow(/^there is no recording other here\. Record first: /);
  });

  it('replays refusals but not cancellations', async () => {
    const { recordings } = keep(memoryStore());
    const server = keep(await fakeOllama());
    const live = await room('record', recordings, { servers: [serverAt(server.url)] });
    const failing = live.ask('Fail.');
    (await server.call('Fail.')).fail(400, 'it does not like that');
    const truth = await failing;
    const cancelled = live.ask('Leave.', { id: 'm9' });
    await server.call('Leave.');
    const about = { id: 'c', source: 'player', subject: 't', at: Date.now() };
    await live.player.publish(contracts.write('llm.cancel', { request: 'm9', why: 'over' }, about) as Message);
    expect(await cancelled).toMatchObject(refused(/^cancelled: over$/));
    const again = await room('replay', recordings);
    expect(await again.ask('Fail.', { table: 'u' })).toEqual(truth);
    expect(truth).toMatchObject(refused(/it does not like that/));
    expect(await again.ask('Leave.')).toMatchObject(refused(/has no answer to request/));
  });

  it('stores an answer before it is sent, unless storing fails', async () => {
    const store = keep(memoryStore());
    const server = keep(await fakeOllama());
    const gate = Promise.withResolvers<void>();
    const slow: Recordings = { ...store.recordings, save: (take) => gate.promise.then(() => store.recordings.save(take)) };
    const live = await room('record', slow, { servers: [serverAt(server.url)] });
    let heard = '';
    const reply = live.ask('Speak.').then((came) => (heard = said(came)));
    (await server.call('Speak.')).answer('kept');
    await eventually('the end of the call', () => live.gateway.debugCounters().requests === 0);
    expect([heard, await store.recordings.list('default', { limit: 9 })]).toEqual(['', []]);
    gate.resolve();
    await reply;
    expect([heard, (await store.recordings.list('default', { limit: 9 })).length]).toEqual(['kept', 1]);

    const broken = { ...store.recordings, save: () => Promise.reject(new Error('the disk is full')) };
    const other = await room('record', broken, { servers: [serverAt(server.url)] });
    const lost = other.ask('Again.');
    (await server.call('Again.')).answer('not kept');
    expect(said(await lost)).toBe('not kept');
    expect(other.lines.join('')).toMatch(/failed to record an outcome; the recording is incomplete/);
  });

  /** A store with a recording in it. */
  async function recorded(): Promise<Recordings> {
    const { recordings } = keep(memoryStore());
    await recordings.save({ recording: 'default', hash: 'h', table: 't', id: 'm', asker: '1', at: 1, request: {}, outcome: {} });
    return recordings;
  }

  it('that cannot be read is named in the refusal; a slow one is late', async () => {
    const recordings = await recorded();
    const broken = await room('replay', { ...recordings, find: () => Promise.reject(new Error('no connection')) });
    expect(await broken.ask('Speak.')).toMatchObject(
      refused(/^the recording default could not be read for request [0-9a-f]{64}: no connection$/),
    );
    const silent = await room('replay', { ...recordings, find: () => new Promise<undefined>(() => undefined) });
    const reply = await silent.ask('Speak.', {}, { replyBy: Date.now() + 200 }).catch((error: Error) => error.name);
    expect([
      'RequestTimeout',
      { performative: 'refuse', data: { reason: 'late', detail: 'the deadline passed while the recording was read' } },
    ]).toContainEqual(reply);
  });

  it('replays without servers and capacity, and needs a database', async () => {
    const recordings = await recorded();
    const server = keep(await fakeOllama());
    const { player, hub, gateway } = await room('replay', recordings, { servers: [serverAt(server.url)], capacityEveryMs: 5 });
    const published: unknown[] = [];
    const tap = keep(memoryBus({ service: 'gamemaster', hub }));
    await tap.subscribe(['llm.capacity'], async ({ data }) => void published.push(data));
    const about = { id: 'a', source: 'web', subject: 'pool', at: Date.now(), replyBy: Date.now() + 10_000 };
    expect(await player.request(contracts.write('llm.models', {}, { ...about, id: 'b' }))).toMatchObject({ data: { servers: [] } });
    await gateway.close();
    expect([published, server.connections]).toEqual([[], 0]);

    const bus = keep(memoryBus({ service: 'llm-gateway' }));
    const log = logger('llm-gateway', { level: 'silent' });
    await expect(llmGateway({ bus, now: Date.now, log, options: { servers: [], record: 'record' } })).rejects.toThrow(
      /to record .* a database is needed/,
    );
    expect(() => gatewayConfig({ RECORD: 'replay' })).toThrow(/DATABASE_URL: RECORD=replay needs the database/);
    expect(gatewayConfig({ RECORD: 'replay', RECORDING: 'r', DATABASE_URL: 'postgres://x/y' }).options).toMatchObject({
      record: 'replay',
      recording: 'r',
    });
    expect(gatewayConfig({}).options).toMatchObject({ record: 'off', recording: 'default' });
    expect(() => gatewayConfig({ RECORD: 'yes' })).toThrow(/RECORD/);
  });
});

describe('requestHash', () => {
  const base = { format: { type: 'object', properties: { a: {}, b: {} } }, seed: 1, temperature: 0.5, model: 'M', maxTokens: 9 };
  const hash = (given: Parameters<typeof completionMessage>[1] = {}, say = 'q') =>
    requestHash(canonicalRequest(completionMessage(say, { ...base, ...given })));

  it('ignores caller, time, urgency and order of keys', () => {
    expect(hash({ agent: 'u:9', urgency: 'critical', tenant: 'x', kind: 'y', id: 'z', replyBy: Date.now() + 5 })).toBe(hash());
    expect(hash({ model: 'm:latest', format: { properties: { b: {}, a: {} }, type: 'object' } })).toBe(hash());
    expect(hash()).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Parameters<typeof completionMessage>[1]]>([
    ['the seed', { seed: 2 }],
    ['the temperature', { temperature: 0.6 }],
    ['the model', { model: 'n' }],
    ['the format', { format: { type: 'object', properties: { a: {}, c: {} } } }],
    ['the order of a list in it', { format: { type: 'object', properties: { a: {}, b: {} }, required: ['b', 'a'] } }],
    ['maxTokens', { maxTokens: 10 }],
    ['think', { think: true }],
    ['topP', { topP: 0.5 }],
    ['stop', { stop: ['.'] }],
    ['its messages', { messages: [{ role: 'system', content: 'q' }] }],
  ])('differs with %s', (_, given) => {
    expect(hash(given)).not.toBe(hash());
  });

  it('differs between completions and embeddings', () => {
    const embed = (input: string[]) =>
      requestHash(
        canonicalRequest(contracts.write('llm.embed', { agent: 't:1', input }, { id: 'e', source: 'player', subject: 't', at: 1 })),
      );
    expect(new Set([hash(), embed(['q']), embed(['q', 'q']), embed(['qq'])]).size).toBe(4);
    expect(embed(['q'])).toBe(embed(['q']));
  });
});
