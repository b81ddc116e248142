import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { LimitOptions } from '../agent-limits.ts';
import { defaultOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';
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
async function gateway(sharedHub: ReturnType<typeof hub>, configured: readonly ServerOptions[], clock = { at: 1_000 }, keyFolder?: string) {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub: sharedHub }));
  const log = logger('llm-gateway', { level: 'silent' });
  const own = { ...defaultOptions, servers: configured, keyFolder };
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

describe('replicaSync', () => {
  it('copies server and limit changes to the other gateways', async () => {
    const sharedHub = hub();
    const configured = ['a', 'b', 'c', 'd'].map((name) => one(name));
    const folder = await mkdtemp(join(tmpdir(), 'maw-keys-'));
    keep({ close: () => rm(folder, { recursive: true }) });
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'sk-1');
    const [here, there] = [await gateway(sharedHub, configured), await gateway(sharedHub, configured, undefined, folder)];
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

  it('rebroadcasts changes to gateways started later, but nothing before the first change', async () => {
    const sharedHub = hub();
    const here = await gateway(sharedHub, [one('a')]);
    here.mirror.rebroadcast();
    here.servers.drain(nameOf('a'));
    await here.mirror.broadcast();
    const there = await gateway(sharedHub, [one('a'), one('b')]);
    here.mirror.rebroadcast();
    await eventually('the change', () => there.shows().length === 1);
    expect(there.shows()).toEqual([[nameOf('a'), 1, 'drains']]);
  });

  it('ignores older changes, also when the clocks differ', async () => {
    const sharedHub = hub();
    const [ahead, behind] = [await gateway(sharedHub, [one('a')], { at: 9_000 }), await gateway(sharedHub, [one('a')], { at: 1_000 })];
    ahead.servers.setSlots(nameOf('a'), 9);
    await ahead.mirror.broadcast();
    await eventually('the first', () => behind.shows()[0]![1] === 9);
    behind.servers.setSlots(nameOf('a'), 2);
    await behind.mirror.broadcast();
    await eventually('the second', () => ahead.shows()[0]![1] === 2);
    const [before] = ahead.servers.all;
    await ahead.tell({ changed: 9_000 });
    await ahead.tell({ changed: 9_001 });
    await ahead.tell({ changed: 9_002, servers: [stateOf('a', { slots: 4 })] });
    await eventually('the third', () => ahead.shows()[0]![1] === 4 && behind.shows()[0]![1] === 4);
    expect(ahead.servers.all[0]).toBe(before); // it was never away
  });

  const stateOf = (name: string, more: Partial<Data<'llm.pool'>['servers'][number]> = {}): Data<'llm.pool'>['servers'][number] => ({
    server: nameOf(name),
    url: `${NEVER_UP}/${name}`,
    kind: 'ollama',
    slots: 1,
    state: 'stays',
    ...more,
  });

  it('keeps configured passwords and keys, and never broadcasts them', async () => {
    const sharedHub = hub();
    const configured = [one('a', { url: `http://me:secret@127.0.0.1:9/a` }), one('b', { kind: 'openai', key: 'sk-secret' })];
    const here = await gateway(sharedHub, configured);
    const said: string[] = [];
    await here.bus.subscribe(['llm.pool'], async (message) => void said.push(JSON.stringify(message)));
    await here.mirror.broadcast();
    await eventually('the broadcast', () => said.length === 1);
    expect(said[0]).not.toMatch(/secret|Basic|bWU6/);
    await here.tell({ servers: [stateOf('a', { slots: 4 }), stateOf('b', { kind: 'openai', slots: 5 })] });
    await eventually('the slots', () => here.shows()[1]![1] === 5);
    expect(here.servers.all.map(({ options }) => [options.authorization?.slice(0, 5), options.key])).toEqual([
      ['Basic', undefined],
      [undefined, 'sk-secret'],
    ]);
  });

  it('accepts a key file only for the server that the configuration gives it', async () => {
    const here = await gateway(hub(), [one('a', { kind: 'openai', keyFile: '/operator/key' })]);
    const openaiAt = (name: string, more: object) => stateOf(name, { kind: 'openai', ...more });
    await here.tell({
      servers: [openaiAt('a', { keyFile: '/operator/key', slots: 2 }), openaiAt('b', { keyFile: '/operator/key' }), stateOf('c')],
    });
    await eventually('the rest', () => here.shows().some(([name]) => name === nameOf('c')));
    expect(here.shows()).toEqual([
      [nameOf('a'), 2, 'stays'],
      [nameOf('c'), 1, 'stays'],
    ]);
    // Nor is its address changed under the same name.
    await here.tell({ changed: 5_001, servers: [openaiAt('a', { keyFile: '/operator/key', url: 'http://127.0.0.1:9/x' }), stateOf('d')] });
    await eventually('the rest', () => here.shows().some(([name]) => name === nameOf('d')));
    expect(here.servers.all[0]!.options).toMatchObject({ url: `${NEVER_UP}/a`, keyFile: '/operator/key' });
  });

  it('replaces a server of another kind', async () => {
    const here = await gateway(hub(), [one('a')]);
    await here.tell({ servers: [stateOf('a', { kind: 'openai', slots: 2 })] });
    await eventually('the other', () => here.servers.all[0]?.provider.kind === 'openai');
    expect(here.shows()).toEqual([[nameOf('a'), 2, 'stays']]);
  });

  it('skips invalid servers and limits and applies the rest', async () => {
    const here = await gateway(hub(), [one('a')]);
    const limits = { agentRpm: 100_001, agentBurst: 0, unheard: 1, agentTpm: 9 };
    await here.tell({
      limits,
      servers: [stateOf('b', { keyFile: '/key' }), stateOf('c', { state: 'drains' }), stateOf('d', { state: 'leaves' })],
    });
    await eventually('the rest', () => here.shows()[0]?.[0] === nameOf('c'));
    expect(here.shows()).toEqual([[nameOf('c'), 1, 'drains']]);
    expect(here.admission.limits).toMatchObject({ agentRpm: 60, agentBurst: 20, agentTpm: 9 });
    expect(here.admission.limits).not.toHaveProperty('unheard');
  });

  it('ignores a change over an hour ahead; later changes supersede an accepted one', async () => {
    const sharedHub = hub();
    const here = await gateway(sharedHub, [one('a')]);
    const there = await gateway(sharedHub, [one('a')]);
    const hour = 3_600_000;
    for (const changed of [Number.MAX_SAFE_INTEGER, 1_000 + hour + 1]) {
      await here.tell({ changed, limits: { agentRpm: 9 } });
      await here.tell({ changed: 1_000, servers: [], limits: {} });
    }
    await here.tell({ changed: 1_000 + hour, limits: { agentRpm: 8 } });
    await eventually('the change dated an hour ahead', () => there.admission.limits.agentRpm !== defaultOptions.agentRpm);
    expect([here, there].map(({ admission }) => admission.limits.agentRpm)).toEqual([8, 8]);
    there.admission.setLimits({ agentRpm: 7 });
    await there.mirror.broadcast();
    await eventually('the change after it', () => here.admission.limits.agentRpm === 7);
  });
});
