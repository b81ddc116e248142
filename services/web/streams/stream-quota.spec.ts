import { describe, expect, it } from '@jest/globals';
import type { Bearer } from '../auth/authenticate.ts';
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
    const at = streamQuota({ max: 2, maxPerToken: 2, isRevoked: ({ id }) => revoked.has(id) });
    const before = at.take(bearer('a'));
    revoked.add('a');
    expect(() => at.take(bearer('a'))).toThrow('the token was revoked');
    expect(before.signal.aborted).toBe(false);
    at.endRevoked();
    expect(before.signal.aborted).toBe(true);
    expect(at.take(bearer('b')).signal.aborted).toBe(false);
  });
});
