import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gatewayConfig } from '../config.ts';
import { validJsonLength } from './json-file.ts';
import type { LimitOptions } from '../agent-limits.ts';
import { type ConfigFileOptions, defaultOptions } from '../defaults.ts';
import type { ConfigError } from '@maw/service/config.ts';
import { parseConfigFile } from './config-file.ts';
import { reloadConfigFile } from './config-reload.ts';
import { completionMessage, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import type { Log } from '@maw/telemetry/log.ts';

const { keep, startScheduler } = testResources();
const nameOf = ({ url }: { url: string }): string => url.slice('http://'.length);

const about = { path: '/etc/gateway/pool.json', slots: 3, key: undefined };
const mistakes = (text: string): unknown => {
  try {
    return parseConfigFile(text, about);
  } catch (error) {
    return (error as ConfigError).mistakes;
  }
};
const P = about.path;

describe('parseConfigFile', () => {
  it('reads servers and limits, with default slots for servers that set none', () => {
    const text = JSON.stringify({
      servers: [
        { url: 'http://a:11434', slots: 4 },
        { url: 'b', kind: 'ollama' },
        { url: 'https://api.example.com/v1', kind: 'openai', keyFile: 'keys/x' },
        { url: 'http://c:8000', kind: 'openai', slots: 1024 },
      ],
      limits: { agentRpm: 0, gameTokens: 1_000_000_000 },
    });
    expect(parseConfigFile(text, { ...about, key: 'sk-1' })).toEqual({
      servers: [
        { url: 'http://a:11434', name: 'a:11434', authorization: undefined, kind: 'ollama', slots: 4 },
        { url: 'http://b:11434', name: 'b:11434', authorization: undefined, kind: 'ollama', slots: 3 },
        {
          url: 'https://api.example.com:443',
          name: 'api.example.com:443',
          authorization: undefined,
          kind: 'openai',
          slots: 3,
          keyFile: '/etc/gateway/keys/x',
        },
        { url: 'http://c:8000', name: 'c:8000', authorization: undefined, kind: 'openai', slots: 1024, key: 'sk-1' },
      ],
      limits: { agentRpm: 0, gameTokens: 1_000_000_000 },
    });
  });

  it.each<[string, string[]]>([
    ['{"servers":[{"url":"a"}]', [`${P}: line 1, column 25: invalid JSON from here on`]],
    ['{\n  "servers": [\n    {"url": "a"},\n  ]\n}', [`${P}: line 4, column 3: invalid JSON from here on`]],
    ['', [`${P}: line 1, column 1: invalid JSON from here on`]],
    ['[]', [`${P}: the file: must be a value of type object`]],
    ['{}', [`${P}: servers: must be a value of type array`]],
    ['{"servers":[]}', [`${P}: servers: must be at least 1 of them`]],
    ['{"server":[]}', [`${P}: servers: must be a value of type array`, `${P}: the file: unknown field server; known are servers, limits`]],
    [
      '{"servers":[{"url":"a"},{"slots":0,"kind":"vllm","key":"k"}]}',
      [
        `${P}: servers[1].url: must be a value of type string`,
        `${P}: servers[1].kind: must be one of ollama, openai`,
        `${P}: servers[1].slots: must be at least 1`,
        `${P}: servers[1]: unknown field key; known are url, kind, slots, keyFile`,
      ],
    ],
    ['{"servers":[{"url":"a","slots":1025}]}', [`${P}: servers[0].slots: must be at most 1024`]],
    ['{"servers":[{"url":"a","slots":1.5}]}', [`${P}: servers[0].slots: must be a whole number`]],
    ['{"servers":[{"url":"a","slots":"4"}]}', [`${P}: servers[0].slots: must be a whole number`]],
    ['{"servers":[{"url":"a"}],"limits":{"agentRpm":-1}}', [`${P}: limits.agentRpm: must be at least 0`]],
    ['{"servers":[{"url":"a"}],"limits":{"agentBurst":0}}', [`${P}: limits.agentBurst: must be at least 1`]],
    [
      '{"servers":[{"url":"a"}],"limits":{"rpm":1}}',
      [
        `${P}: limits: unknown field rpm; known are agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay`,
      ],
    ],
    [
      '{"servers":[{"url":"a"},{"url":"http://A:11434/"},{"url":"ftp://me:secret@x"}]}',
      [
        `${P}: servers[1]: a:11434 is named twice; one server is one pool of slots`,
        `${P}: servers[2]: "ftp://x": a model server is reached by http or https, not ftp`,
      ],
    ],
  ])('refuses %s, naming file, place and expected value', (text, wrong) => {
    expect(mistakes(text)).toEqual(wrong);
  });

  it('finds the position of the first JSON syntax error', () => {
    const json = fc.tuple(fc.jsonValue(), fc.constantFrom(0, 2)).map(([value, indent]) => JSON.stringify(value, null, indent));
    fc.assert(fc.property(json, (text) => expect([text, validJsonLength(text)]).toEqual([text, text.length])));
    fc.assert(
      fc.property(json, fc.nat(), (text, where) => {
        const at = where % (text.length + 1);
        expect(validJsonLength(`${text.slice(0, at)}\u0001${text.slice(at)}`)).toBe(at);
      }),
    );
    expect(['{"a":1,}', '[1 2]', '{"a" 1}', "{'a':1}", '"a\nb"', '01', 'nul', ' [ ] x'].map(validJsonLength)).toEqual([
      7, 3, 5, 1, 2, 1, 3, 5,
    ]);
  });
});

describe('gatewayConfig with a configuration file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-pool-'));
    keep({ close: () => rm(folder, { recursive: true }) });
  });
  const message = (env: Record<string, string>): string => {
    try {
      gatewayConfig(env);
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing was wrong';
  };

  it('takes servers and limits from the file, the rest from the environment', async () => {
    const path = join(folder, 'pool.json');
    const text = '{"servers":[{"url":"b"},{"url":"http://c","kind":"openai"}],"limits":{"agentRpm":7}}';
    await writeFile(path, text);
    const env = {
      GATEWAY_CONFIG: path,
      OLLAMA_URLS: 'a=9',
      SLOTS_PER_SERVER: '2',
      AGENT_RPM: '5',
      AGENT_TPM: '6',
      OPENAI_API_KEY: 'sk-1',
      WARM_UP: 'no',
    };
    const { options } = gatewayConfig(env);
    expect(options.servers.map(({ name, slots, kind, key }) => [name, slots, kind, key])).toEqual([
      ['b:11434', 2, 'ollama', undefined],
      ['c:80', 2, 'openai', 'sk-1'],
    ]);
    const { agentRpm, agentTpm, warmUp, checkSlots, defaultSlots } = options;
    expect({ agentRpm, agentTpm, warmUp, checkSlots, defaultSlots }).toEqual({
      agentRpm: 7,
      agentTpm: 6,
      warmUp: false,
      checkSlots: true,
      defaultSlots: 2,
    });
    expect(options.file).toMatchObject({ path, text, slots: 2, key: 'sk-1', limits: { agentRpm: 5, agentTpm: 6, agentBurst: 20 } });
    expect(gatewayConfig({ OLLAMA_URLS: 'a=9' }).options).toMatchObject({ servers: [{ name: 'a:11434', slots: 9 }], file: undefined });
  });

  it('fails at startup when the file is broken or missing, without showing keys', async () => {
    const path = join(folder, 'pool.json');
    expect(message({ GATEWAY_CONFIG: path })).toBe(`the configuration has a mistake:\nGATEWAY_CONFIG: ${path}: cannot be read: ENOENT`);
    await writeFile(path, '{"servers":[{"url":"a","slots":0},{}]}');
    expect(message({ GATEWAY_CONFIG: path, OPENAI_API_KEY: 'sk-1' })).toBe(
      `the configuration has 2 mistakes:\nGATEWAY_CONFIG: ${path}: servers[0].slots: must be at least 1\nGATEWAY_CONFIG: ${path}: servers[1].url: must be a value of type string`,
    );
    expect(message({ WARM_UP: 'perhaps' })).toContain('WARM_UP: ');
  });
});

describe('reloadConfigFile', () => {
  let folder: string;
  let path: string;
  let [a, b]: FakeOllama[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-pool-'));
    keep({ close: () => rm(folder, { recursive: true }) });
    path = join(folder, 'pool.json');
    [a, b] = [keep(await fakeOllama()), keep(await fakeOllama())];
  });

  const written: { level: string; fields: object; message: string | undefined }[] = [];
  const write = (level: string) => (fields: object | string, message?: string) =>
    void written.push({ level, fields: Object(fields) as object, message });
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
    child: () => log,
  };
  const logged = (message: string) => written.filter((line) => line.message === message);
  const [CHANGED, WRONG, LOST] = [
    'configuration file reloaded',
    'file is invalid; keeping its previous content',
    'file cannot be read; keeping its previous content',
  ];

  /** Replaces the file atomically: a file that is being written is empty for a moment. */
  async function put(text: string): Promise<void> {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
  const fileOf = (servers: readonly object[], limits?: object): string => JSON.stringify({ servers, ...(limits ? { limits } : {}) });
  async function follow(text: string, base: Partial<LimitOptions> = {}) {
    written.splice(0);
    await writeFile(path, text);
    const { agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay } =
      defaultOptions;
    const limits = {
      agentRpm,
      agentBurst,
      agentTpm,
      agentConcurrency,
      gameConcurrency,
      mostWaiting,
      gameTokens,
      tenantTokensPerDay,
      ...base,
    };
    const file: ConfigFileOptions = { path, text, slots: 1, key: undefined, limits };
    const pool = parseConfigFile(text, file);
    const options = { ...defaultOptions, ...limits, ...pool.limits, servers: pool.servers, file };
    const scheduler = await startScheduler({ ...options, log });
    const servers = scheduler.registry;
    keep(reloadConfigFile({ file, registry: servers, admission: scheduler.admission, log }));
    return { servers, scheduler, names: () => servers.all.map(({ name, slots }) => `${name}=${slots}`) };
  }

  it('applies changed servers, slots and limits and leaves others alone', async () => {
    const { servers, scheduler, names } = await follow(fileOf([{ url: a!.url, slots: 2 }], { agentRpm: 7 }), { agentRpm: 5 });
    servers.add(parseConfigFile(fileOf([{ url: 'http://by.hand' }]), about).servers[0]!);
    scheduler.admission.setLimits({ gameTokens: 99 });
    expect(scheduler.admission.limits).toMatchObject({ agentRpm: 7, gameTokens: 99 });
    await writeFile(path, fileOf([{ url: a!.url, slots: 4 }, { url: b!.url }], { agentTpm: 1_000 }));
    await eventually('the change', () => logged(CHANGED).length === 1);
    expect(names()).toEqual([`${nameOf(a!)}=4`, 'by.hand:80=3', `${nameOf(b!)}=1`]);
    expect(scheduler.admission.limits).toMatchObject({ agentRpm: 5, agentTpm: 1_000, gameTokens: 99 });
    await eventually('the check', () => servers.all[2]!.health.isUp);
    await writeFile(path, fileOf([{ url: b!.url }]));
    await eventually('the change', () => logged(CHANGED).length === 2);
    expect([names(), scheduler.admission.limits.agentTpm]).toEqual([['by.hand:80=3', `${nameOf(b!)}=1`], 0]);
    expect(logged(CHANGED)).toMatchObject([
      { fields: { changed: [`${nameOf(a!)}=4`, `${nameOf(b!)}=1`], gone: [], limits: { agentRpm: 5, agentTpm: 1_000 } } },
      { fields: { changed: [], gone: [nameOf(a!)], limits: { agentTpm: 0 } } },
    ]);
  });

  it('drains a removed server, and keeps it when the file restores it', async () => {
    const { servers, scheduler, names } = await follow(fileOf([{ url: a!.url }, { url: b!.url }]));
    const answer = scheduler.complete(completionMessage('x'), never);
    const call = await a!.call('x');
    await writeFile(path, fileOf([{ url: b!.url }]));
    await eventually('the change', () => servers.all[0]!.phase === 'leaving');
    await writeFile(path, fileOf([{ url: a!.url, slots: 2 }, { url: b!.url }]));
    await eventually('the change', () => servers.all[0]!.phase !== 'leaving');
    expect(names()).toEqual([`${nameOf(a!)}=2`, `${nameOf(b!)}=1`]);
    await writeFile(path, fileOf([{ url: b!.url }]));
    await eventually('the change', () => servers.all[0]!.phase === 'leaving');
    call.answer('done');
    expect((await answer).content).toBe('done');
    await eventually('the end of it', () => names().length === 1);
  });

  it('replaces a server by another kind only after it has drained', async () => {
    const { servers, scheduler } = await follow(fileOf([{ url: a!.url }]));
    const answer = scheduler.complete(completionMessage('x'), never);
    const call = await a!.call('x');
    await writeFile(path, fileOf([{ url: a!.url, kind: 'openai', slots: 5 }]));
    await eventually('the change', () => logged(CHANGED).length === 1);
    expect(servers.all.map(({ kind, phase }) => [kind, phase])).toEqual([['ollama', 'leaving']]);
    call.answer('done');
    await answer;
    await eventually('the other', () => servers.all[0]?.provider.kind === 'openai');
    expect(servers.all.map(({ name, slots, isDraining }) => [name, slots, isDraining])).toEqual([[nameOf(a!), 5, false]]);
  });

  it('never adds a replacement that the file drops while the old server still drains', async () => {
    const { servers, scheduler, names } = await follow(fileOf([{ url: a!.url }, { url: b!.url }]));
    const answer = scheduler.complete(completionMessage('x'), never);
    const call = await a!.call('x');
    await writeFile(path, fileOf([{ url: a!.url, kind: 'openai' }, { url: b!.url }]));
    await eventually('the change', () => servers.all[0]!.phase === 'leaving');
    await writeFile(path, fileOf([{ url: b!.url }]));
    await eventually('the change', () => logged(CHANGED).length === 2);
    call.answer('done');
    await answer;
    await eventually('the end of it', () => !servers.all.some(({ provider, name }) => provider.kind === 'ollama' && name === nameOf(a!)));
    expect(names()).toEqual([`${nameOf(b!)}=1`]);
  });

  it('keeps the old configuration and logs once while the file is broken or missing', async () => {
    const { names } = await follow(fileOf([{ url: a!.url }]));
    const before = names();
    await put('{"servers":[{"url":"x","slots":0}]}');
    await eventually('the mistake', () => logged(WRONG).length === 1);
    expect(logged(WRONG)).toMatchObject([{ level: 'warn', fields: { mistakes: [`${path}: servers[0].slots: must be at least 1`] } }]);
    await rm(path);
    await eventually('the loss', () => logged(LOST).length === 1);
    expect([names(), logged(LOST)]).toMatchObject([before, [{ level: 'warn', fields: { file: path, why: 'ENOENT' } }]]);
    await put(fileOf([{ url: a!.url, slots: 6 }]));
    await eventually('the change', () => logged(CHANGED).length === 1);
    expect([names(), logged(WRONG).length, logged(LOST).length]).toEqual([[`${nameOf(a!)}=6`], 1, 1]);
  });

  it('reloads after an atomic rename and after a ConfigMap symlink swap', async () => {
    const { names } = await follow(fileOf([{ url: a!.url }]));
    await writeFile(join(folder, '.pool.swp'), fileOf([{ url: a!.url, slots: 2 }]));
    await rename(join(folder, '.pool.swp'), path);
    await eventually('the change', () => names()[0] === `${nameOf(a!)}=2`);

    await writeFile(join(folder, 'one.json'), fileOf([{ url: a!.url, slots: 3 }]));
    await writeFile(join(folder, 'two.json'), fileOf([{ url: a!.url, slots: 4 }]));
    await symlink('one.json', join(folder, '..data'));
    await symlink('..data', join(folder, 'link'));
    await rename(join(folder, 'link'), path);
    await eventually('the change', () => names()[0] === `${nameOf(a!)}=3`);
    await symlink('two.json', join(folder, '..next'));
    await rename(join(folder, '..next'), join(folder, '..data'));
    await eventually('the change', () => names()[0] === `${nameOf(a!)}=4`);
  });
});
