import { isIPv6 } from 'node:net';
import { Problem } from './problem.ts';

/** How many are remembered; the longest silent are forgotten first, when they may have a full bucket again. */
const MOST = 50_000;

/**
 * How fast one may ask: a bucket of `burst` requests that refills at `perSecond`.
 * @param now milliseconds since the epoch
 */
export function paces({ perSecond, burst, now }: { readonly perSecond: number; readonly burst: number; readonly now: () => number }) {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  return {
    /** @throws Problem too-fast, with when to ask again */
    take(who: string): void {
      const at = now();
      const { left: had, at: since } = buckets.get(who) ?? { left: burst, at };
      const left = Math.min(burst, had + (Math.max(0, at - since) / 1000) * perSecond);
      buckets.delete(who);
      buckets.set(who, { left: left >= 1 ? left - 1 : left, at });
      if (buckets.size > MOST) buckets.delete(buckets.keys().next().value!);
      if (left >= 1) return;
      const waitS = Math.max(1, Math.ceil((1 - left) / perSecond));
      throw new Problem('too-fast', `at most ${perSecond} requests a second, and ${burst} at once; ask again in ${waitS} s`, {
        headers: { 'Retry-After': String(waitS) },
      });
    },
  };
}

/** What counts as one address: a network of 64 bits of IPv6, which one subscriber has to himself. */
export function placeOf(given: string | undefined): string {
  if (given === undefined) return 'unknown';
  // Some proxies write the port as well, and that is another one for every connection.
  const address = /^\[(.*)\](?::\d+)?$/.exec(given)?.[1] ?? /^([\d.]+):\d+$/.exec(given)?.[1] ?? given;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole =
    tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}
