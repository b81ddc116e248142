import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readCliConfig } from '../config.ts';
import { prepare } from './prepare.ts';

describe('maw prepare', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-prepare-'));
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });
  const run = (env: Record<string, string> = {}) => prepare(folder, readCliConfig({ COMPOSE_PROFILES: 'sim', ...env }));
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const modeOf = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8);

  it('creates a secret per service once, in the file the service reads', async () => {
    await run();
    const first = await read('secrets/gamemaster');
    expect(first).toMatch(/^[\w-]{43}$/);
    const secrets = await Promise.all((await readdir(join(folder, 'secrets'))).map((name) => read(`secrets/${name}`)));
    expect(new Set(secrets).size).toBe(18);
    expect(await read('gamemaster/amqp-url')).toBe(`amqp://gamemaster:${first}@rabbitmq:5672/maw`);
    expect(await read('gamemaster/database-url')).toBe(`postgres://maw_gamemaster:${first}@postgres:5432/maw`);
    expect(await read('owner/passwords/maw_gamemaster')).toBe(first);
    expect(await read('owner/passwords/maw_llm_gateway')).toBe(await read('secrets/llm-gateway'));
    expect(await read('owner/first-user-url')).toBe('postgres://postgres@%2Frun%2Fpostgresql/maw');
    expect(await read('postgres/password')).toBe(await read('secrets/first-user'));
    expect(await read('web/admin-token')).toBe(await read('operator/admin-token'));
    expect(JSON.parse(await read('llm-gateway/gateway-keys.json'))).toEqual([
      { key: await read('operator/gateway-key'), agent: 'operator', tenant: 'operators', admin: true },
    ]);
    expect(await read('broker/definitions.json')).not.toContain(first);
    await run();
    expect(await read('secrets/gamemaster')).toBe(first);
    expect(await read('gamemaster/amqp-url')).toContain(first);
    expect([await modeOf('gamemaster/amqp-url'), await modeOf('secrets/web'), await modeOf('broker/definitions.json')]).toEqual([
      '400',
      '400',
      '444',
    ]);
  });

  it('writes nothing beside the folders inside, as in a container only these are writable', async () => {
    const names = [
      'secrets',
      'gamemaster',
      'chatroom',
      'player',
      'llm-gateway',
      'web',
      'aiwolf',
      'contest',
      'owner',
      'broker',
      'operator',
      'postgres',
      'monitoring',
    ];
    for (const name of names) await mkdir(join(folder, name));
    await utimes(folder, 0, 0);
    await run();
    expect((await stat(folder)).mtimeMs).toBe(0);
  });

  it('prefers a given password, with any characters, to a generated one', async () => {
    await run();
    await run({ PASSWORD_WEB: 'a/b@c:d?e#f%g', POSTGRES_PASSWORD: 'p@ss word' });
    expect(new URL(await read('web/amqp-url')).password).toBe(encodeURIComponent('a/b@c:d?e#f%g'));
    expect(await read('owner/passwords/maw_web')).toBe('a/b@c:d?e#f%g');
    expect(await read('postgres/password')).toBe('p@ss word');
    await run();
    expect(await read('owner/passwords/maw_web')).toBe(await read('secrets/web'));
    await expect(run({ PASSWORD_WEB: 'short' })).rejects.toThrow(
      'PASSWORD_WEB: at least 8 visible characters without spaces (given: hidden)',
    );
    await expect(run({ MAW_ADMIN_TOKEN: 'has spaces in between' })).rejects.toThrow('MAW_ADMIN_TOKEN');
  });

  it("sets the gateway's model servers by the active profiles", async () => {
    const asked = async () => [await read('llm-gateway/ollama-urls'), await read('llm-gateway/model')];
    await run({ MODEL: 'qwen3:4b' });
    expect(await asked()).toEqual(['http://ollama-sim:11434=4', '']);
    await run({ COMPOSE_PROFILES: 'observability, ollama', MODEL: 'qwen3:4b' });
    expect(await asked()).toEqual(['http://ollama:11434', 'qwen3:4b']);
    await run({ COMPOSE_PROFILES: '', OLLAMA_URLS: 'http://gpu:11434=8' });
    expect(await asked()).toEqual(['http://gpu:11434=8', '']);
    await expect(run({ COMPOSE_PROFILES: 'sim,ollama', MODEL: 'x' })).rejects.toThrow('names both sim and ollama');
    await expect(run({ COMPOSE_PROFILES: 'sim', OLLAMA_URLS: 'http://gpu:11434' })).rejects.toThrow('OLLAMA_URLS and the profile sim');
    await expect(run({ COMPOSE_PROFILES: 'ollama' })).rejects.toThrow('needs a MODEL');
    expect(await asked()).toEqual(['http://gpu:11434=8', '']);
  });

  it('has seats play without a model where there is no model server', async () => {
    const recipes = async () => [await read('player/default-recipe'), await read('gamemaster/default-recipe')];
    await run();
    expect(await recipes()).toEqual(['', '']);
    await run({ COMPOSE_PROFILES: '' });
    expect([await read('llm-gateway/ollama-urls'), ...(await recipes())]).toEqual(['', 'rules', 'rules']);
  });

  it('enables tracing only with a collector', async () => {
    const endpoint = () => read('player/otlp-endpoint');
    await run();
    expect(await endpoint()).toBe('');
    await run({ COMPOSE_PROFILES: 'sim,observability' });
    expect(await endpoint()).toBe('http://otel-collector:4318');
    await run({ COMPOSE_PROFILES: 'sim,observability', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://elsewhere:4318' });
    expect(await endpoint()).toBe('http://elsewhere:4318');
  });
});

describe('what the command line reads', () => {
  it('may be in files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maw-config-'));
    try {
      const file = join(folder, 'token');
      await writeFile(file, 'secret\n');
      expect(readCliConfig({ MAW_TOKEN_FILE: file }).token).toBe('secret');
      expect(readCliConfig({ MAW_TOKEN: 'bare' }).token).toBe('bare');
      expect(() => readCliConfig({ MAW_TOKEN: 'bare', MAW_TOKEN_FILE: file })).toThrow('MAW_TOKEN: is set, and so is MAW_TOKEN_FILE');
      expect(() => readCliConfig({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(
        'DATABASE_URL_FILE: the file cannot be read: ENOENT',
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
