import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf } from '@maw/contracts/model-name.ts';
import { gatewayConfig } from '../config.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { logger } from '@maw/telemetry/log.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { watchKeyFile, apiKeys, modelFor, readKeyFile } from './api-keys.ts';

const folder = temporaryFolder();
let files = 0;
const fileOf = (said: unknown): string => {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, typeof said === 'string' ? said : JSON.stringify(said));
  return file;
};
const KEY = 'a-key-of-16-char';

describe('readKeyFile', () => {
  it('maps each key to its agent, tenant and admin flag', () => {
    const file = fileOf([
      { key: KEY, agent: 'bot' },
      { key: `${KEY}2`, agent: 'boss', tenant: 'lab', admin: true },
    ]);
    const keys = apiKeys(readKeyFile(file), false, Date.now);
    const callerOf = (key: string) => keys.callerOf({ authorization: `Bearer ${key}`, host: 'x' });
    const id = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(callerOf(KEY)).toEqual({ id, agent: 'default/bot', tenant: 'default', isAdmin: false, limits: {} });
    expect(callerOf(`${KEY}2`)).toEqual({ id, agent: 'lab/boss', tenant: 'lab', isAdmin: true, limits: {} });
    expect(() => callerOf(`${KEY}3`)).toThrow('knows no such key');
  });

  it.each([
    ['[', 'line 1, column 2: invalid JSON from here on'],
    [{}, 'the file: must be a list'],
    [[], 'the file: has no keys'],
    [[{ agent: 'bot' }], '[0].key: must be a string'],
    [[{ key: 'only-15-letters', agent: 'bot' }], '[0].key: must be at least 16 visible characters'],
    [[{ key: 'sixteen letters!', agent: 'bot' }], '[0].key: must be at least 16 visible characters'],
    [[{ key: KEY, agent: 'a/b' }], '[0].agent: must be letters'],
    [[{ key: KEY, agent: 'x'.repeat(51) }], '[0].agent: has more than 50 characters'],
    [[{ key: KEY, agent: 'bot', tenant: '' }], '[0].tenant: must be letters'],
    [[{ key: KEY, agent: 'bot', admin: 1 }], '[0].admin: must be a boolean'],
    [
      [{ key: KEY, agent: 'bot', secret_of_mine: 1 }],
      '[0]: unknown field; known are key, agent, tenant, admin, models, expires, urgency, limits',
    ],
    [[{ key: KEY, agent: 'bot', models: [] }], '[0].models: must name a model'],
    [[{ key: KEY, agent: 'bot', models: ['a b'] }], '[0].models[0]: must be the name of a model'],
    [[{ key: KEY, agent: 'bot', urgency: 'critical' }], '[0].urgency: must be talk or background'],
    [[{ key: KEY, agent: 'bot', limits: 3 }], '[0].limits: must be'],
    [[{ key: KEY, agent: 'bot', limits: { agentRpm: -1 } }], '[0].limits.agentRpm: must be a whole number within the range'],
    [[{ key: KEY, agent: 'bot', limits: { agentTpm: 1.5 } }], '[0].limits.agentTpm: must be a whole number within the range'],
    [[{ key: KEY, agent: 'bot', limits: { tokensPerDay: '9' } }], '[0].limits.tokensPerDay: must be a whole number within the range'],
    [
      [{ key: KEY, agent: 'bot', limits: { secret_of_mine: 1 } }],
      '[0].limits: unknown field; known are agentRpm, agentBurst, agentTpm, agentConcurrency, tokensPerDay',
    ],
    [[{ key: KEY, agent: 'bot', expires: 'tomorrow' }], '[0].expires: must be a time such as'],
    [
      [
        { key: KEY, agent: 'a' },
        { key: `${KEY}2`, agent: 'b' },
        { key: KEY, agent: 'c' },
      ],
      '[2].key: duplicate key',
    ],
  ])('refuses %j with the position and without the key', (said, why) => {
    const file = fileOf(said);
    let message = '';
    try {
      readKeyFile(file);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(`${file}: ${why}`);
    expect(message).not.toMatch(/a-key-of|secret_of|sixteen letters|only-15/);
  });

  it('names a missing file', () => expect(() => readKeyFile('/nowhere.json')).toThrow('/nowhere.json: cannot be read: ENOENT'));
});

describe('a key', () => {
  it('may be stored as its digest, which is no key itself', () => {
    const stored = `sha256:${createHash('sha256').update(KEY).digest('hex')}`;
    const keys = apiKeys(readKeyFile(fileOf([{ key: stored, agent: 'bot' }])), false, Date.now);
    expect(keys.callerOf({ authorization: `Bearer ${KEY}`, host: 'x' })).toMatchObject({ agent: 'default/bot' });
    expect(() => keys.callerOf({ authorization: `Bearer ${stored}`, host: 'x' })).toThrow('knows no such key');
  });

  it('is valid until the instant at which it expires', () => {
    let now = Date.parse('2027-01-01T00:00:00Z') - 1;
    const keys = apiKeys([{ key: KEY, agent: 'bot', expires: '2027-01-01T01:00:00+01:00' }], true, () => now);
    const ask = () => keys.callerOf({ authorization: `Bearer ${KEY}`, host: 'localhost' });
    expect(ask().agent).toBe('default/bot');
    now++;
    expect(ask).toThrow('this key has expired');
  });

  it('with models may ask these alone, the first where none is named', () => {
    const caller = { agent: 'a', tenant: 't', isAdmin: false, models: ['m:latest', 'n'].map(keyOf) };
    expect([modelFor(caller, 'm'), modelFor(caller, 'n:latest'), modelFor(caller, undefined)]).toEqual(['m', 'n:latest', keyOf('m')]);
    expect(() => modelFor(caller, 'm:70b')).toThrow(`this key may ask ${keyOf('m')}, ${keyOf('n')} only`);
    expect(modelFor({ agent: 'a', tenant: 't', isAdmin: false }, undefined)).toBeUndefined();
  });
});

describe('watchKeyFile', () => {
  const [one, two] = [`${KEY}-1`, `${KEY}-2`];
  const knows = (keys: ReturnType<typeof apiKeys>, key: string): boolean => {
    try {
      return keys.callerOf({ authorization: `Bearer ${key}`, host: 'x' }).agent !== '';
    } catch {
      return false;
    }
  };
  const put = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };

  it('applies changed keys; logs a broken file once and keeps the old keys', async () => {
    const file = fileOf([{ key: one, agent: 'bot' }]);
    const keys = apiKeys(readKeyFile(file), false, Date.now);
    const lines: string[] = [];
    const following = watchKeyFile(keys, file, logger('llm-gateway', { destination: { write: (line) => void lines.push(line) } }));
    try {
      put(file, JSON.stringify([{ key: two, agent: 'bot', admin: true }]));
      await pollUntil('the new key', () => knows(keys, two));
      expect(knows(keys, one)).toBe(false);
      expect(keys.callerOf({ authorization: `Bearer ${two}`, host: 'x' }).isAdmin).toBe(true);
      for (const broken of ['[', JSON.stringify([{ key: one }]), JSON.stringify([])]) {
        const before = lines.length;
        put(file, broken);
        await pollUntil('a line about it', () => lines.length > before);
        expect([knows(keys, one), knows(keys, two)]).toEqual([false, true]);
      }
      rmSync(file);
      await pollUntil('a line about the loss', () => lines.some((line) => line.includes('ENOENT')));
      expect(knows(keys, two)).toBe(true);
      put(file, JSON.stringify([{ key: one, agent: 'bot' }]));
      await pollUntil('the old key', () => knows(keys, one));
      expect(knows(keys, two)).toBe(false);
      expect(lines.map((line) => JSON.parse(line).message)).toEqual([
        'key file reloaded',
        ...Array(3).fill('file is invalid; keeping its previous content'),
        'file cannot be read; keeping its previous content',
        'key file reloaded',
      ]);
      expect(lines.join('')).not.toContain(KEY);
    } finally {
      following.close();
    }
  }, 600_000);
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('is true for %s', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example', 'localhost.example', '::2'])('is false for %s', (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});

describe('the configuration of the HTTP API', () => {
  const [keys, damaged] = [join(folder, 'keys.json'), join(folder, 'damaged.json')];
  beforeAll(() => {
    writeFileSync(keys, JSON.stringify([{ key: KEY, agent: 'bot' }]));
    writeFileSync(damaged, '[');
  });
  const httpOptions = (env: Record<string, string>) => gatewayConfig(env).http;

  it('is absent without keys and without MAW_OPEN', () => expect(httpOptions({})).toBeUndefined());

  it('listens on loopback by default, with keys or open', () => {
    const usual = { host: '127.0.0.1', port: 8_090, url: undefined, graceMs: 7_000 };
    expect(httpOptions({ MAW_OPEN: '1' })).toEqual({ ...usual, isOpen: true, keys: [] });
    const key = { key: KEY, agent: 'bot', tenant: 'default', admin: false };
    expect(httpOptions({ GATEWAY_KEYS: keys, DOOR_PORT: '0', GRACE_MS: '1000' })).toEqual({
      ...usual,
      port: 0,
      graceMs: 700,
      isOpen: false,
      keys: [key],
      keysFile: keys,
    });
    const far = { GATEWAY_KEYS: keys, DOOR_HOST: '0.0.0.0', DOOR_URL: 'http://gw-1:8090/' };
    expect(httpOptions(far)).toMatchObject({ host: '0.0.0.0', url: 'http://gw-1:8090', isOpen: false });
  });

  it.each([
    [{ MAW_OPEN: '1', DOOR_HOST: '0.0.0.0' }, /MAW_OPEN: needs no keys, so DOOR_HOST must be 127/],
    [{ MAW_OPEN: '1', DOOR_HOST: '0.0.0.0', GATEWAY_KEYS: keys }, /MAW_OPEN/],
    [{ DOOR_PORT: '8090' }, /DOOR_PORT: the HTTP API would be open to nobody/],
    [{ DOOR_URL: 'http://x' }, /DOOR_URL: the HTTP API would be open to nobody/],
    [{ DOOR_PORT: '65536', MAW_OPEN: '1' }, /DOOR_PORT: must be at most 65535/],
    [{ GATEWAY_KEYS: '/nowhere.json' }, /GATEWAY_KEYS: \/nowhere\.json: cannot be read/],
    [{ GATEWAY_KEYS: damaged }, /GATEWAY_KEYS: .*line 1, column 2: invalid JSON/],
  ])('refuses %j', (env, why) => expect(() => httpOptions(env as Record<string, string>)).toThrow(why));
});
