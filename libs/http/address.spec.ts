import { describe, expect, it } from '@jest/globals';
import { clientNetwork } from './address.ts';

describe('clientNetwork', () => {
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
  ])('maps %s to %s', (address, network) => expect(clientNetwork(address)).toBe(network));
});
