import { describe, expect, it } from '@jest/globals';
import { describeField, fieldRows } from '@maw/tests/equipment/source/field-input.ts';
import { parseAddress } from './address.ts';
import { gatewayConfig } from './config.ts';
import { ollamaUrl, serversIn } from './discovery/find-models.ts';
import { parseServerList } from './server-config/server-list.ts';

describe('parseAddress', () => {
  it.each([
    ['', 'http://127.0.0.1:11434'],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['host', 'http://host:11434'],
    ['host:1234', 'http://host:1234'],
    ['http://host', 'http://host:80'],
    ['http://', 'http://127.0.0.1:80'],
    ['HTTPS://Host', 'https://host:443'],
    ['http://host:11434/', 'http://host:11434'],
    ['http://host:11434//ollama//', 'http://host:11434/ollama'],
    ['host/ollama', 'http://host:11434/ollama'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:99', 'http://[::1]:99'],
    ['[::]', 'http://[::1]:11434'],
    [' "10.0.0.1" ', 'http://10.0.0.1:11434'],
  ])('reads %j as Ollama does', (text, url) => {
    expect(parseAddress(text).url).toBe(url);
  });

  it('keeps the password out of url and name', () => {
    const address = parseAddress('https://ada:p%40ss:word@models.example/');
    expect(address).toEqual({
      url: 'https://models.example:443',
      name: 'models.example:443',
      authorization: `Basic ${Buffer.from('ada:p@ss:word').toString('base64')}`,
    });
  });

  it.each(['ftp://host', 'http://host:port', 'host name', 'http://host/?a=b', 'http://host#x', 'http://u:secret@ho st'])(
    'rejects %j without showing credentials',
    (text) => {
      expect(() => parseAddress(text)).toThrow(/model server/);
      expect(() => parseAddress(text)).not.toThrow(/secret/);
    },
  );
});

describe('parseServerList', () => {
  it('reads the slots of each server', () => {
    const { entries, mistakes } = parseServerList('http://a:11434=4, b ,,c:1=2');
    expect(mistakes).toEqual([]);
    expect(entries.map(({ address, slots }) => [address.name, slots])).toEqual([
      ['a:11434', 4],
      ['b:11434', undefined],
      ['c:1', 2],
    ]);
  });

  it('reports all mistakes at once', () => {
    expect(parseServerList('ftp://a, b=0, c, c:11434, d=5000').mistakes).toEqual([
      expect.stringContaining('not ftp'),
      expect.stringContaining('b:11434 has 0 slots'),
      expect.stringContaining('c:11434 is named twice'),
      expect.stringContaining('d:11434 has 5000 slots'),
    ]);
    expect(parseServerList(' , ').mistakes).toHaveLength(1);
  });
});

describe('the error for an invalid address', () => {
  it.each(['http://ann:pass/word@host', 'ann:pass@word@host:x', 'ftp://ann:pass@word/x', 'http://a b:pass@word'])(
    'hides the part that may be a password: %s',
    (given) => {
      expect(() => parseAddress(given)).toThrow(/^"/);
      expect(() => parseAddress(given)).not.toThrow(/ann|pass/);
    },
  );
});

describe('gatewayConfig', () => {
  it('falls back to OLLAMA_HOST, then to the default address', () => {
    expect(gatewayConfig({}).options.servers).toEqual([
      { url: 'http://127.0.0.1:11434', name: '127.0.0.1:11434', authorization: undefined, slots: 1 },
    ]);
    expect(gatewayConfig({ OLLAMA_HOST: '0.0.0.0:99' }).options.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:99']);
    const both = gatewayConfig({ OLLAMA_HOST: 'x', OLLAMA_URLS: 'a,b=3', SLOTS_PER_SERVER: '2' }).options.servers;
    expect(both.map(({ name, slots }) => [name, slots])).toEqual([
      ['a:11434', 2],
      ['b:11434', 3],
    ]);
  });

  it('turns a whole KEEP_ALIVE into a number, because Ollama rejects "-1" as text', () => {
    expect(gatewayConfig({ KEEP_ALIVE: '-1' }).options.keepAlive).toBe(-1);
    expect(gatewayConfig({ KEEP_ALIVE: '1h30m' }).options.keepAlive).toBe('1h30m');
    expect(gatewayConfig({}).options.keepAlive).toBe('30m');
  });

  it('reports all mistakes at once', () => {
    const wrong = { OLLAMA_URLS: 'ftp://x', MODEL: 'gpt-oss:120b-cloud', KEEP_ALIVE: 'soon', NUM_CTX: '1' };
    expect(() => gatewayConfig(wrong)).toThrow(/4 mistakes[^]*OLLAMA_URLS[^]*MODEL[^]*NUM_CTX[^]*KEEP_ALIVE/);
  });
});

const OWN_HOSTS = [
  ['http://ada:word@gpu:8080', 'http://gpu:8080', 'Basic YWRhOndvcmQ='],
  ['ada:@gpu', 'http://gpu:11434', 'Basic YWRhOg=='],
  ['https://ada:w%3Ard@gpu.example/a/b/', 'https://gpu.example:443/a/b', 'Basic YWRhOnc6cmQ='],
  ['0.0.0.0', 'http://127.0.0.1:11434', ''],
  [' "http://0.0.0.0:8080/" ', 'http://127.0.0.1:8080', ''],
  ['[::]:8080', 'http://[::1]:8080', ''],
  ['fd00::7', 'http://[fd00::7]:11434', ''],
  ['HTTPS://GPU.example', 'https://gpu.example:443', ''],
  ['gpu:8080/', 'http://gpu:8080', ''],
  ['http://gpu', 'http://gpu:80', ''],
  ['gpu.example/ollama', 'http://gpu.example:11434/ollama', ''],
  [':8080', 'http://127.0.0.1:8080', ''],
] as const;

/** The same address and header for the gateway, for the commands that look for models, and for those that only need the address. */
const everywhere = (given: string) => ({
  command: ollamaUrl(given),
  servers: [...gatewayConfig({ OLLAMA_HOST: given }).options.servers, ...serversIn({ OLLAMA_HOST: given })].map(
    ({ url, authorization = '' }) => [url, authorization],
  ),
});
const same = (url: string, authorization: string) => ({
  command: url,
  servers: [
    [url, authorization],
    [url, authorization],
  ],
});

describe('OLLAMA_HOST', () => {
  it.each(OWN_HOSTS)('%j is the same server to the gateway and to every command', (given, url, authorization) =>
    expect(everywhere(given)).toEqual(same(url, authorization)),
  );
});

describeField('ollama-host.csv')('OLLAMA_HOST of ollama-host.csv, which is not part of this repository', () => {
  it.each(fieldRows('ollama-host.csv'))('%j is the same server to the gateway and to every command', (given, url, authorization) =>
    expect(everywhere(given!)).toEqual(same(url!, authorization!)),
  );
});
