import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { LimitOptions } from '../limits.ts';
import { type ServerOptions, defaultOptions } from '../options.ts';
import { replicaSync } from './replica-sync.ts';
import { eventually } from '../fake-ollama.suite.ts';
import { parseServer } from './parse-server.ts';
import { serverRegistry } from '../servers/registry.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
const NEVER_UP = 'http://127.0.0.1:9';
const one = (name: string, more: Partial<Parameters<typeof parseServer>[0]> = {}) =>
  parseServer({ url: `${NEVER_UP}/${name}`, kind: 'ollama', slots: 1, ...more });
const nameOf = (name: string) => `127.0.0.1:9/${name}`;

const hub = () => memoryHub();
async function gateway(shared: ReturnType<typeof hub>, all: readonly ServerOptions[], clock = { at: 1_000 }, keyFolder?: string) {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub: shared }));
  const log = logger('llm-gateway', { level: 'silent' });
  const own = { ...defaultOptions, servers: all, keyFolder };
  const servers = keep(serverRegistry(own, log, () => clock.at));
  let limits: LimitOptions = defaultOptions;
  const admission = {
    get limits() {
      const { agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay } = limits;
      return { agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay };
    },
    setLimits: (given: Partial<LimitOptions>) => void (limits = { ...limits, ...given }),
  };
  const mirror = keep(await replicaSync({ bus, instance: 'one', registry: servers, admission, options: own, log, now: () => clock.at }));
  return {
    bus,
    servers,
    admission,
    mirror,
    clock,
    shows: () =>
      servers.all.map(({ name, options, phase }) => [
        name,
        options.slots,
        { active: 'stays', draining: 'drains', leaving: 'leaves' }[phase],
      ]),
    tell: (pool: Partial<Data<'llm.pool'>>) =>
      bus.publish(
        contracts.write(
          'llm.pool',
          { changed: 5_000, servers: [], limits: {}, ...pool },
          { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at: 1 },
        ),
      ),
  };
}

describe('what is changed at one gateway', () => {
  it('is so at the others: servers that come, drain, go, stay on, and have other slots; limits', async () => {
    const shared = hub();
    const all = ['a', 'b', 'c', 'd'].map((name) => one(name));
    const folder = await mkdtemp(join(tmpdir(), 'maw-keys-'));
    keep({ close: () => rm(folder, { recursive: true }) });
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'sk-1');
    const [here, there] = [await gateway(shared, all), await gateway(shared, all, undefined, folder)];
    here.servers.add(one('e', { kind: 'openai', slots: 7, keyFile }));
    here.servers.drain(nameOf('a'));
    here.servers.remove(nameOf('b'));
    here.servers.setSlots(nameOf('c'), 3);
    here.admission.setLimits({ agentRpm: 7 });
    await here.mirror.broadcast();
    const expected = [
      [nameOf('a'), 1, 'drains'],
      [nameOf('c'), 3, 'stays'],
      [nameOf('d'), 1, 'stays'],
      [nameOf('e'), 7, 'stays'],
    ];
    await eventually('the change', () => there.admission.limits.agentRpm === 7);
    expect(there.shows()).toEqual(expected);
    expect(there.servers.all[3]!.options).toMatchObject({ kind: 'openai', keyFile, url: `${NEVER_UP}/e` });
    expect(there.admission.limits).toEqual({ ...here.admission.limits, agentRpm: 7 });
    here.servers.add(one('a'));
    await here.mirror.broadcast();
    await eventually('its return', () => there.shows()[0]![2] === 'stays');
  });

  it('is told again to those who have started since, and never before anything was changed', async () => {
    const shared = hub();
    const here = await gateway(shared, [one('a')]);
    here.mirror.rebroadcast();
    here.servers.drain(nameOf('a'));
    await here.mirror.broadcast();
    const there = await gateway(shared, [one('a'), one('b')]);
    here.mirror.rebroadcast();
    await eventually('the change', () => there.shows().length === 1);
    expect(there.shows()).toEqual([[nameOf('a'), 1, 'drains']]);
  });

  it('is not undone by what was changed before it, also by a clock that goes after', async () => {
    const shared = hub();
    const [ahead, behind] = [await gateway(shared, [one('a')], { at: 9_000 }), await gateway(shared, [one('a')], { at: 1_000 })];
    ahead.servers.setSlots(nameOf('a'), 9);
    await ahead.mirror.broadcast();
    await eventually('the first', () => behind.shows()[0]![1] === 9);
    behind.servers.setSlots(nameOf('a'), 2);
    await behind.mirror.broadcast();
    await eventually('the second', () => ahead.shows()[0]![1] === 2);
    const [before] = ahead.servers.all;
    await ahead.tell({ changed: 9_000 });
    await ahead.tell({ changed: 9_001 });
    await ahead.tell({ changed: 9_002, servers: [told('a', { slots: 4 })] });
    await eventually('the third', () => ahead.shows()[0]![1] === 4 && behind.shows()[0]![1] === 4);
    expect(ahead.servers.all[0]).toBe(before); // it was never away
  });

  const told = (name: string, more: Partial<Data<'llm.pool'>['servers'][number]> = {}): Data<'llm.pool'>['servers'][number] => ({
    server: nameOf(name),
    url: `${NEVER_UP}/${name}`,
    kind: 'ollama',
    slots: 1,
    state: 'stays',
    ...more,
  });

  it('leaves to a server the password and the key that the configuration gave it, and tells nobody', async () => {
    const shared = hub();
    const all = [one('a', { url: `http://me:secret@127.0.0.1:9/a` }), one('b', { kind: 'openai', key: 'sk-secret' })];
    const here = await gateway(shared, all);
    const said: string[] = [];
    await here.bus.subscribe(['llm.pool'], async (message) => void said.push(JSON.stringify(message)));
    await here.mirror.broadcast();
    await eventually('the telling', () => said.length === 1);
    expect(said[0]).not.toMatch(/secret|Basic|bWU6/);
    await here.tell({ servers: [told('a', { slots: 4 }), told('b', { kind: 'openai', slots: 5 })] });
    await eventually('the slots', () => here.shows()[1]![1] === 5);
    expect(here.servers.all.map(({ options }) => [options.authorization?.slice(0, 5), options.key])).toEqual([
      ['Basic', undefined],
      [undefined, 'sk-secret'],
    ]);
  });

  it('has no server read a key file from anywhere but for the server the configuration names it for', async () => {
    const here = await gateway(hub(), [one('a', { kind: 'openai', keyFile: '/operator/key' })]);
    const openaiAt = (name: string, more: object) => told(name, { kind: 'openai', ...more });
    await here.tell({
      servers: [openaiAt('a', { keyFile: '/operator/key', slots: 2 }), openaiAt('b', { keyFile: '/operator/key' }), told('c')],
    });
    await eventually('the rest', () => here.shows().some(([name]) => name === nameOf('c')));
    expect(here.shows()).toEqual([
      [nameOf('a'), 2, 'stays'],
      [nameOf('c'), 1, 'stays'],
    ]);
    // It is not asked elsewhere under its name either.
    await here.tell({ changed: 5_001, servers: [openaiAt('a', { keyFile: '/operator/key', url: 'http://127.0.0.1:9/x' }), told('d')] });
    await eventually('the rest', () => here.shows().some(([name]) => name === nameOf('d')));
    expect(here.servers.all[0]!.options).toMatchObject({ url: `${NEVER_UP}/a`, keyFile: '/operator/key' });
  });

  it('of another kind than the one that is here is taken in its place', async () => {
    const here = await gateway(hub(), [one('a')]);
    await here.tell({ servers: [told('a', { kind: 'openai', slots: 2 })] });
    await eventually('the other', () => here.servers.all[0]?.provider.kind === 'openai');
    expect(here.shows()).toEqual([[nameOf('a'), 2, 'stays']]);
  });

  it('that cannot be is left alone, and the rest is taken', async () => {
    const here = await gateway(hub(), [one('a')]);
    const limits = { agentRpm: 100_001, agentBurst: 0, unheard: 1, agentTpm: 9 };
    await here.tell({ limits, servers: [told('b', { keyFile: '/key' }), told('c', { state: 'drains' }), told('d', { state: 'leaves' })] });
    await eventually('the rest', () => here.shows()[0]?.[0] === nameOf('c'));
    expect(here.shows()).toEqual([[nameOf('c'), 1, 'drains']]);
    expect(here.admission.limits).toMatchObject({ agentRpm: 60, agentBurst: 20, agentTpm: 9 });
    expect(here.admission.limits).not.toHaveProperty('unheard');
  });

  it('is not taken when it is to come in more than an hour, and what is changed afterwards is newer than what was taken', async () => {
    const shared = hub();
    const here = await gateway(shared, [one('a')]);
    const there = await gateway(shared, [one('a')]);
    const hour = 3_600_000;
    for (const changed of [Number.MAX_SAFE_INTEGER, 1_000 + hour + 1]) {
      await here.tell({ changed, limits: { agentRpm: 9 } });
      await here.tell({ changed: 1_000, servers: [], limits: {} });
    }
    await here.tell({ changed: 1_000 + hour, limits: { agentRpm: 8 } });
    await eventually('what is an hour ahead', () => there.admission.limits.agentRpm !== defaultOptions.agentRpm);
    expect([here, there].map(({ admission }) => admission.limits.agentRpm)).toEqual([8, 8]);
    there.admission.setLimits({ agentRpm: 7 });
    await there.mirror.broadcast();
    await eventually('the change after it', () => here.admission.limits.agentRpm === 7);
  });
});
