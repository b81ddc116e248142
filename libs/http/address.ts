import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The IPv4 addresses of this machine that other machines may reach. */
export const networkAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  );

/**
 * The network that an address is counted under by limits per client: an IPv4 address itself, or the /64 of an IPv6 address, which one
 * subscriber has alone. `unknown` for no address.
 */
export function clientNetwork(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return 'unknown';
  // Some proxies append the port, which differs for every connection.
  const address = /^\[(.*)\](?::\d+)?$/.exec(remoteAddress)?.[1] ?? /^([\d.]+):\d+$/.exec(remoteAddress)?.[1] ?? remoteAddress;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const prefix = [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4);
  return `${prefix.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase()).join(':')}::/64`;
}
