import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { StoredKey } from './gateway-keys.ts';

const key = (id: string, more: Partial<StoredKey> = {}): StoredKey => ({
  id,
  digest: id.repeat(64).slice(0, 64),
  at: 5,
  by: 'home/boss',
  about: { agent: 'bot', limits: { agentRpm: 3 }, name: 'Zoë' },
  ...more,
});

/** The contract of the keys of the gateway. */
export function gatewayKeysSuite(store: () => Store): void {
  const keys = () => store().gatewayKeys;

  describe('keys of the gateway', () => {
    it('are listed as they were added, the oldest first', async () => {
      const added = [key('b', { at: 2 }), key('a', { at: 2 }), key('B', { at: 2 }), key('c', { at: 1 })];
      for (const one of added) await keys().add(one);
      expect(await keys().list()).toEqual([added[3], added[2], added[1], added[0]]);
    });

    it('are refused with the id or the digest of another', async () => {
      await keys().add(key('a'));
      await expect(keys().add(key('a', { digest: 'other' }))).rejects.toThrow('duplicate key');
      await expect(keys().add(key('b', { digest: key('a').digest }))).rejects.toThrow('duplicate key');
      expect(await keys().list()).toEqual([key('a')]);
    });

    it('are removed once', async () => {
      await keys().add(key('a'));
      await keys().add(key('b'));
      expect([await keys().remove('a'), await keys().remove('a'), await keys().remove('x')]).toEqual([true, false, false]);
      expect(await keys().list()).toEqual([key('b')]);
    });
  });
}
