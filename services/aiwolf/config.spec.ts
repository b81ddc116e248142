import { describe, expect, it } from '@jest/globals';
import { MAX_GRACE_MS } from '@maw/aiwolf/server/server-terms.ts';
import { config } from './config.ts';
import { defaultOptions } from './defaults.ts';

const DATABASE_URL = 'postgres://x/y';
const configured = (servers: unknown) => config({ DATABASE_URL, AIWOLF_SERVERS: JSON.stringify(servers) });

describe('the configuration', () => {
  it('has no servers unless they are given', () => {
    expect(config({ DATABASE_URL, AIWOLF_SERVERS: '' }).AIWOLF_SERVERS).toBeUndefined();
    expect(configured([{ division: 'protocol', port: 0 }]).AIWOLF_SERVERS).toMatchObject([{ division: 'protocol', players: 5 }]);
  });

  it('names all mistakes of all servers at once', () => {
    const twice = { division: 'protocol', port: 10_000 };
    expect(() => configured([{ ...twice, port: -1 }, { division: 'natural' }])).toThrow(
      /AIWOLF_SERVERS: servers\[0\]\.port: .*; servers\[1\]\.port: /,
    );
    expect(() => configured([twice, twice])).toThrow(/servers\[1\]\.port: another server listens on/);
  });

  it('waits for no agent longer than its questions stay open', () => {
    expect(defaultOptions.graceMs).toBeLessThanOrEqual(MAX_GRACE_MS);
    expect(config({ DATABASE_URL, RETURN_MS: '60000' }).RETURN_MS).toBe(60_000);
    expect(() => config({ DATABASE_URL, RETURN_MS: '60001' })).toThrow(/RETURN_MS/);
  });

  it('never shows the secret of a server', () => {
    for (const text of ['[{"secret":"opensesame","division":"x"}]', '{"secret":"opensesame"', '"secret":"opensesame"'])
      expect(() => config({ DATABASE_URL, AIWOLF_SERVERS: text })).toThrow(/^(?![^]*opensesame)[^]*AIWOLF_SERVERS/);
  });
});
