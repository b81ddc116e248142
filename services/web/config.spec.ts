import { describe, expect, it } from '@jest/globals';
import { config, optionsOf } from './config.ts';
import { defaultOptions } from './defaults.ts';

describe('config', () => {
  it('has a default for everything', () => {
    expect(optionsOf(config({}))).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      isOpen: false,
      secret: undefined,
      adminToken: undefined,
      busRequestMs: 5000,
      streamKeepAliveMs: 15_000,
    });
  });

  it.each(['127.0.0.1', 'localhost', '::1'])('may be open on %s', (host) => {
    expect(optionsOf(config({ MAW_OPEN: '1', WEB_HOST: host })).isOpen).toBe(true);
  });

  it.each(['0.0.0.0', '::', '192.168.1.2', 'example.org'])('may not be open on %s', (host) => {
    expect(() => config({ MAW_OPEN: '1', WEB_HOST: host })).toThrow(/MAW_OPEN.*WEB_HOST/);
    expect(config({ WEB_HOST: host }).WEB_HOST).toBe(host);
  });

  it('reads several secrets: the first signs, the others verify', () => {
    const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(32));
    const secretsOf = (WEB_SECRET: string) => {
      const { secret, oldSecrets } = optionsOf(config({ WEB_SECRET }));
      return [secret, ...(oldSecrets ?? [])];
    };
    expect(secretsOf(one!)).toEqual([one]);
    expect(secretsOf(`${one},${two}\n${three}\r\n`)).toEqual([one, two, three]);
    for (const wrong of [`${one},short`, ',', '2'.repeat(31)])
      expect(() => config({ WEB_SECRET: wrong })).toThrow(/WEB_SECRET: each at least 32/);
  });

  it('limits the life of tokens to 30 days', () => {
    for (const name of ['TOKEN_MS', 'ADMIN_TOKEN_MS']) {
      expect(config({ [name]: '2592000000' })).toMatchObject({ [name]: 2_592_000_000 });
      expect(() => config({ [name]: '2592000001' })).toThrow(name);
    }
  });

  it('reads KEEP_ALIVE_MS and HEADER_BYTES', () => {
    expect(optionsOf(config({ KEEP_ALIVE_MS: '7000', HEADER_BYTES: '8192' }))).toMatchObject({
      streamKeepAliveMs: 7_000,
      maxHeaderBytes: 8_192,
    });
  });

  it('reports all mistakes at once and shows no secret', () => {
    const wrong = () => config({ WEB_SECRET: 'too short', MAW_ADMIN_TOKEN: 'short', WEB_PORT: 'x', REQUEST_MS: '0' });
    expect(wrong).toThrow(/WEB_SECRET[^]*MAW_ADMIN_TOKEN[^]*REQUEST_MS|WEB_PORT[^]*WEB_SECRET/);
    expect(wrong).not.toThrow(/too short/);
  });

  it('allows one address an eighth of all connections, enough for 85 browsers', () => {
    const { maxConnections, maxConnectionsPerClient } = defaultOptions;
    expect([maxConnections / maxConnectionsPerClient, Math.floor(maxConnectionsPerClient / 6)]).toEqual([8, 85]);
  });
});
