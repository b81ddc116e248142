import { describe, expect, it } from '@jest/globals';
import { paces, placeOf } from './pace.ts';

describe('a pace', () => {
  it('lets so many through at once, then as many as fit the time, each asker for itself', () => {
    let now = 0;
    const pace = paces({ perSecond: 2, burst: 3, now: () => now });
    const passes = (who = 'a') => {
      try {
        pace.take(who);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ reason: 'too-fast', headers: { 'Retry-After': '1' } });
        return false;
      }
    };
    expect([passes(), passes(), passes(), passes()]).toEqual([true, true, true, false]);
    expect(passes('b')).toBe(true);
    now += 499;
    expect(passes()).toBe(false);
    now += 1;
    expect([passes(), passes()]).toEqual([true, false]);
    now += 3_600_000;
    expect([passes(), passes(), passes(), passes()]).toEqual([true, true, true, false]);
  });

  it('does not keep anybody out because the clock was set back', () => {
    let now = 3_600_000;
    const pace = paces({ perSecond: 1, burst: 2, now: () => now });
    pace.take('a');
    now = 0;
    expect(() => pace.take('a')).not.toThrow();
    expect(() => pace.take('a')).toThrow('too-fast');
    now += 1_000;
    expect(() => pace.take('a')).not.toThrow();
  });

  it('says in whole seconds when to ask again, never too early', () => {
    let now = 0;
    const pace = paces({ perSecond: 0.1, burst: 1, now: () => now });
    pace.take('a');
    expect(() => pace.take('a')).toThrow(expect.objectContaining({ headers: { 'Retry-After': '10' } }));
    now += 9_999;
    expect(() => pace.take('a')).toThrow('too-fast');
    now += 1;
    expect(() => pace.take('a')).not.toThrow();
  });
});

describe('an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['10.0.0.1:50123', '10.0.0.1'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (address, place) => expect(placeOf(address)).toBe(place));
});
