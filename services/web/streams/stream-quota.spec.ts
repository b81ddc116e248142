import { describe, expect, it } from '@jest/globals';
import type { Bearer } from '../auth/roles.ts';
import { streamQuota } from './stream-quota.ts';

const bearer = (id: string): Bearer => ({
  pass: { role: 'seat', table: 't1', seat: 0 },
  subject: 't1/seat:0',
  id,
  name: 'Ann',
  n: 1,
  until: undefined,
});

describe('streamQuota', () => {
  it('refuses a token that was revoked since it was verified', () => {
    const revoked = new Set<string>();
    const at = streamQuota({ max: 2, maxPerToken: 2, maxPerClient: 2, isRevoked: ({ id }) => revoked.has(id) });
    const before = at.take(bearer('a'), 'here');
    revoked.add('a');
    expect(() => at.take(bearer('a'), 'here')).toThrow('the token was revoked');
    expect(before.signal.aborted).toBe(false);
    at.endRevoked();
    expect(before.signal.aborted).toBe(true);
    expect(at.take(bearer('b'), 'here').signal.aborted).toBe(false);
  });

  it('counts watchers by their address, seats, programs and administrators by their token', () => {
    const at = streamQuota({ max: 100, maxPerToken: 1, maxPerClient: 2 });
    const link: Bearer = { ...bearer('link'), pass: { role: 'spectator', table: 't1' } };
    const stranger: Bearer = { ...bearer('anybody'), pass: { role: 'anybody' } };
    const first = at.take(link, 'here');
    at.take(stranger, 'here');
    expect(() => at.take(link, 'here')).toThrow('this address has 2 open streams');
    for (let i = 0; i < 2; i++) at.take(link, 'there');
    at.take(bearer('a'), 'here');
    expect(() => at.take(bearer('a'), 'there')).toThrow('this token has 1 open streams');
    const key: Bearer = { ...bearer('key'), pass: { role: 'agent' } };
    at.take(key, 'here');
    expect(() => at.take(key, 'elsewhere')).toThrow('this token has 1 open streams');
    first.release();
    at.take(stranger, 'here');
  });
});
