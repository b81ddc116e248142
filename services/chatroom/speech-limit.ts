/** How many seats and recent messages are remembered; the oldest are forgotten first. */
const MOST = 50_000;

/**
 * How fast a seat may speak: a bucket of `burst` speeches that refills at `speechesPerSecond`.
 * The same message asked twice (delivered again, or sent again by its speaker) is one speech.
 */
export function speechLimit({ speechesPerSecond, burst }: { readonly speechesPerSecond: number; readonly burst: number }) {
  const buckets = new Map<string, { left: number; at: number }>();
  const allowed = new Set<string>();
  return {
    /** Whether this very message was let through before. */
    knows: (message: string): boolean => allowed.has(message),
    /** @param now milliseconds since the epoch */
    allows(seat: string, message: string, now: number): boolean {
      if (allowed.has(message)) return true;
      const bucket = buckets.get(seat) ?? { left: burst, at: now };
      const left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * speechesPerSecond);
      buckets.delete(seat);
      buckets.set(seat, { left: left >= 1 ? left - 1 : left, at: now });
      if (left >= 1) allowed.add(message);
      trim(buckets.keys(), buckets);
      trim(allowed.keys(), allowed);
      return left >= 1;
    },
  };
}

function trim(keys: Iterator<string>, from: { readonly size: number; delete(key: string): boolean }): void {
  while (from.size > MOST) from.delete(keys.next().value!);
}
