import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryGatewayKeys } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { NOTHING_NAMED, runMaw, runMawHeard } from '../command.suite.ts';
import { writeConnectionFile } from '../clients/connection-file.ts';
import { gatewayKeys, gatewayLimits, gatewayServers, gatewayStatus } from './gateway.ts';

const KEY = 'the-key-of-these-tests';
const nothing: { gatewayAt: string | undefined; gatewayKey: string | undefined } = { gatewayAt: undefined, gatewayKey: undefined };
const opened: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

let url: string;
const data = temporaryFolder();
let model: string;
let other: string;
/** An address at which nothing answers any more. */
let gone: string;

beforeAll(async () => {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub: memoryHub() }));
  const [sim, second] = [keep(await startSimulator()), keep(await startSimulator())];
  [model, other] = [`127.0.0.1:${sim.port}`, `127.0.0.1:${second.port}`];
  const gateway = keep(
    await llmGateway({
      bus,
      now: Date.now,
      log: logger('llm-gateway', { level: 'silent' }),
      options: { servers: [{ url: sim.url, name: model, authorization: undefined, slots: 4 }], agentRpm: 600 },
      gatewayKeys: memoryGatewayKeys(),
      http: {
        host: '127.0.0.1',
        port: 0,
        isOpen: false,
        graceMs: 100,
        keys: [
          { key: KEY, agent: 'boss', tenant: 'home', admin: true },
          { key: 'a-key-that-may-only-ask', agent: 'bot', tenant: 'home', admin: false },
        ],
      },
    }),
  );
  url = gateway.httpUrl!;
  const past = await startSimulator();
  gone = past.url;
  await past.close();
  await writeConnectionFile(data, { url: 'http://127.0.0.1:1', token: 't', gateway: { url, key: KEY } });
});
afterAll(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
afterEach(() => void jest.restoreAllMocks());

/** What a command prints. */
async function printed(does: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (lines.push(String(text)), true));
  try {
    await does();
  } finally {
    jest.restoreAllMocks();
  }
  return lines.join('');
}
const here = () => ({ data, json: false });
const asJson = () => ({ data, json: true });

describe('maw gateway status', () => {
  it('prints the status as text', async () => {
    const said = await printed(() => gatewayStatus(here(), nothing));
    expect(said).toMatch(/^gateway [\w-]+ at /);
    expect(said).toContain(`\n${model}  ollama  up     0/4    simulated:latest`);
    expect(said.endsWith('\n') && !said.endsWith('\n\n')).toBe(true);
  });

  it('prints the whole status as JSON', async () => {
    const said = JSON.parse(await printed(() => gatewayStatus(asJson(), nothing)));
    expect(said).toMatchObject({ door: url, servers: [{ server: model, slots: 4 }], capacity: { active: 0, more: 4 } });
  });
});

describe('maw gateway servers', () => {
  it('lists, adds, drains and removes', async () => {
    expect(await printed(() => gatewayServers('list', undefined, here(), nothing))).toBe(
      `${'server'.padEnd(model.length)}  kind    slots  state\n${model}  ollama  4      up\n`,
    );
    const added = await printed(() => gatewayServers('add', `http://${other}`, { ...asJson(), slots: 2, kind: 'ollama' }, nothing));
    const [, one] = added.trim().split('\n');
    expect(JSON.parse(one!)).toMatchObject({ server: other, kind: 'ollama', slots: 2 });
    expect(await printed(() => gatewayServers('drain', other, here(), nothing))).toContain(`${other}  ollama  2      draining`);
    expect(await printed(() => gatewayServers('remove', other, here(), nothing))).not.toContain(other);
  });

  it('names the next step when an added server is down', async () => {
    const said = await printed(() => gatewayServers('add', 'http://127.0.0.1:9', { ...here(), kind: 'openai' }, nothing));
    expect(said).toMatch(/127\.0\.0\.1:9 +openai +1 +down\nIt is down; \.\/maw gateway status says why\.\n$/);
    await printed(() => gatewayServers('remove', '127.0.0.1:9', here(), nothing));
  });

  it.each([
    ['sell', undefined, {}, 'servers sell: there is list, add, drain and remove'],
    ['add', undefined, {}, 'servers add: an address, such as http://10.0.0.2:11434 is wanted'],
    ['drain', undefined, {}, 'servers drain: a name of the list is wanted'],
    ['remove', '', {}, 'servers remove: a name of the list is wanted'],
    ['list', 'x', {}, 'servers list shows all servers; leave out x'],
    ['drain', 'x', { slots: 2 }, '--slots is for servers add URL'],
    ['list', undefined, { kind: 'openai' }, '--kind is for servers add URL'],
    ['add', 'http://x', { kind: 'openai', keyFile: 'key.txt' }, '--key-file key.txt: write the whole path'],
    ['add', 'http://x', { kind: 'openai', keyFile: '/none' }, 'keyFile: only the file in GATEWAY_CONFIG may name key files'],
    ['add', 'ftp://x', {}, 'unreadable: "ftp://x": a model server is reached by http or https, not ftp'],
    ['drain', 'nobody', {}, 'no-server: there is no server nobody; available: 127.0.0.1:'],
  ])('%s %s %j is refused', async (act, server, more, why) => {
    await expect(gatewayServers(act, server, { ...here(), ...more }, nothing)).rejects.toThrow(why);
  });
});

describe('maw gateway keys', () => {
  it('adds, lists and revokes', async () => {
    const about = { tenant: 'lab', models: 'qwen3:8b,llama3.1', expires: '2099-01-31', urgency: 'background', admin: true };
    const said = await printed(() => gatewayKeys('add', 'bot', ['agentRpm=30', 'tokensPerDay=9000'], { ...here(), ...about }, nothing));
    const [, key, id] = /^(maw-[\w-]{43})\nThis is key ([0-9a-f]{12})\. It is shown only now/.exec(said)!;
    await expect(gatewayStatus({ ...here(), key: key! }, nothing)).resolves.toBeUndefined();
    const listed = await printed(() => gatewayKeys('list', undefined, [], here(), nothing));
    expect(listed).toMatch(/\n[0-9a-f]{12} +home\/boss\* +all +none +never +the key file\n/);
    expect(listed).toMatch(
      new RegExp(`${id} +lab/bot\\* +qwen3:8b,llama3.1:latest +agentRpm=30 tokensPerDay=9000 urgency=background +9000 +2099-01-31T00:00`),
    );
    expect(listed).not.toContain(key);
    expect(await printed(() => gatewayKeys('revoke', id, [], here(), nothing))).toBe(
      `The key ${id} is revoked: it is refused from now on.\n`,
    );
    await expect(gatewayStatus({ ...here(), key: key! }, nothing)).rejects.toThrow('bad-key');
    const made = JSON.parse(await printed(() => gatewayKeys('add', 'bot', [], asJson(), nothing)));
    expect(Object.keys(made)).toEqual(['id', 'key']);
    const lines = (await printed(() => gatewayKeys('list', undefined, [], asJson(), nothing))).trim().split('\n');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ id: made.id, agent: 'default/bot', limits: {} });
  });

  it.each([
    ['sell', undefined, [], {}, 'keys sell: there is list, add and revoke'],
    ['add', undefined, [], {}, 'keys add: the agent who gets it is wanted'],
    ['revoke', '', [], {}, 'keys revoke: an id of the list is wanted'],
    ['list', 'x', [], {}, 'keys list shows all keys; leave out x'],
    ['list', undefined, [], { admin: true }, '--admin is for keys add AGENT'],
    ['revoke', 'x', ['agentRpm=3'], {}, 'agentRpm=3 is for keys add AGENT'],
    ['add', 'bot', ['agentRpm'], {}, 'agentRpm: name=value is wanted'],
    ['add', 'bot', ['rpm=3'], {}, 'unreadable: limits: unknown limit; a key may have agentRpm,'],
    ['add', 'a b', [], {}, 'unreadable: agent: must be letters'],
    ['add', 'bot', [], { expires: 'soon' }, 'unreadable: expires: must be a time'],
    ['add', 'bot', [], { expires: '2001-01-01' }, 'unreadable: expires: is in the past'],
    ['add', 'bot', [], { models: '' }, 'unreadable: models.0: must be the name of a model'],
    ['revoke', 'nobody', [], {}, 'unknown-route: there is no key nobody'],
  ])('%s %s %j %j is refused', async (act, what, limits, more, why) => {
    await expect(gatewayKeys(act, what, limits, { ...here(), ...more }, nothing)).rejects.toThrow(why);
  });
});

describe('maw gateway limits', () => {
  it('prints and changes them', async () => {
    expect(await printed(() => gatewayLimits([], here(), nothing))).toContain(
      '\nagentRpm            600\nagentBurst          20\nagentTpm            none\n',
    );
    const changed = await printed(() => gatewayLimits(['agentRpm=0', 'agentBurst=7'], asJson(), nothing));
    expect(JSON.parse(changed)).toMatchObject({ agentRpm: 0, agentBurst: 7, agentConcurrency: 4 });
    expect(await printed(() => gatewayLimits([], here(), nothing))).toContain('\nagentRpm            none\nagentBurst          7\n');
  });

  it.each([
    ['agentRpm', 'agentRpm: name=value is wanted'],
    ['agentRpm=fast', 'agentRpm=fast: name=value is wanted'],
    ['agentRpm=-1', 'agentRpm=-1: name=value is wanted'],
    ['rpm=1', 'there is no limit rpm; there are agentRpm, agentBurst,'],
    ['agentBurst=0', 'unreadable: agentBurst: '],
  ])('%s is refused', async (text, why) => {
    await expect(gatewayLimits([text], here(), nothing)).rejects.toThrow(why);
  });
});

describe('the gateway that is meant', () => {
  it('is taken from option, environment or connection file; the stored key serves the last only', async () => {
    const asked = (more: object, config = nothing) => gatewayStatus({ ...here(), ...more }, config);
    await expect(asked({ at: gone })).rejects.toThrow(`nothing answers at ${gone} (ECONNREFUSED); start one with`);
    await expect(asked({}, { ...nothing, gatewayAt: gone })).rejects.toThrow('nothing answers');
    expect(await printed(() => gatewayStatus({ ...here(), at: `${url}/` }, { ...nothing, gatewayAt: gone }))).toMatch(/^gateway/);
    await expect(asked({ key: 'some-other-key-0123' })).rejects.toThrow(
      'bad-key: this gateway knows no such key; give another with --key or MAW_GATEWAY_KEY',
    );
    await expect(asked({}, { ...nothing, gatewayKey: 'some-other-key-0123' })).rejects.toThrow('bad-key');
    await expect(asked({ key: 'a-key-that-may-only-ask' })).rejects.toThrow(/forbidden: .*give an administrator’s key/);
    await expect(asked({ at: url.replace('127.0.0.1', 'localhost') })).rejects.toThrow(/no-key: .*give an administrator’s key/);
    await expect(asked({ at: 'nowhere' })).rejects.toThrow('nowhere is not the address of a gateway: write http://host:port');
    await expect(asked({ data: join(data, 'empty') })).rejects.toThrow(
      /no system with a gateway runs from .*empty; start one with \.\/maw up/,
    );
  });

  it('is rejected when another HTTP server answers', async () => {
    const server = createServer((_, res) => void res.end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    keep({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const at = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    await expect(gatewayStatus({ ...asJson(), at }, nothing)).rejects.toThrow('does not seem to be a gateway of maw');
    server.closeAllConnections();
  });
});

describe('on the command line', () => {
  const run = (...args: string[]) => runMaw(['gateway', ...args], { cwd: tmpdir(), env: { MAW_GATEWAY_AT: url, MAW_GATEWAY_KEY: KEY } });

  it('it ends with 0, or with 1 and the reason', async () => {
    const [status, slots, none] = await Promise.all([
      run('status', '--json'),
      run('servers', 'add', 'http://x', '--slots', '0'),
      run('limits', 'agentRpm=1', '--at', gone),
    ]);
    expect([status.code, JSON.parse(status.out).door]).toEqual([0, url]);
    expect([slots.code, slots.err]).toEqual([1, expect.stringContaining('expected a whole number from 1 to 1024')]);
    expect([none.code, none.out, none.err]).toEqual([1, '', expect.stringContaining('maw: nothing answers')]);
  }, 600_000);
});

describe('maw doctor', () => {
  const doctor = (env: Record<string, string>) =>
    runMawHeard(['doctor', '--data', join(data, 'none')], { cwd: tmpdir(), env: { ...NOTHING_NAMED, ...env } });

  it('asks a gateway that is named for its model servers, and looks for none beside it', async () => {
    const { code, out } = await doctor({ MAW_GATEWAY_AT: url, MAW_GATEWAY_KEY: KEY, OLLAMA_HOST: gone });
    expect([code, out]).toEqual([0, expect.stringContaining(`ok  Model servers: ${model} up (4 slots)`)]);
    expect(out).not.toContain('Ollama');
  });

  it('says what to do about a gateway that cannot be asked, and exits 1', async () => {
    const [nobody, stranger] = await Promise.all([
      doctor({ MAW_GATEWAY_AT: gone }),
      doctor({ MAW_GATEWAY_AT: url, MAW_GATEWAY_KEY: 'a-key-that-may-only-ask' }),
    ]);
    expect([nobody.code, nobody.out]).toEqual([1, expect.stringContaining(`--  Model servers: nothing answers at ${gone}`)]);
    expect([stranger.code, stranger.out]).toEqual([1, expect.stringMatching(/-- {2}Model servers: .*administrator/)]);
    expect(nobody.out).toContain('\n     set MAW_GATEWAY_AT and MAW_GATEWAY_KEY');
  });
});
