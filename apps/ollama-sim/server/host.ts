import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const nearby = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['0.0.0.0', 32],
] as const)
  nearby.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['::', 128],
  ['fc00::', 7],
] as const)
  nearby.addSubnet(net, bits, 'ipv6');

/** Whether the address is a loopback address: Ollama checks the Host header only there. */
export const isLoopback = (address: string): boolean => address === 'localhost' || address === '::1' || address.startsWith('127.');

/** Whether a Host header is accepted on loopback: a private address, `localhost`, this host, or a private suffix. */
export const hostAllowed = (header: string | undefined): boolean => {
  const name = (header ?? '')
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  const version = isIP(name);
  if (version !== 0) return nearby.check(name, isIPv6(name) ? 'ipv6' : 'ipv4') || isOwn(name);
  return name === '' || name === 'localhost' || name === hostname().toLowerCase() || /\.(localhost|local|internal)$/.test(name);
};

const isOwn = (address: string): boolean => Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address));
