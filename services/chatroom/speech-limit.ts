import { LRUCache } from 'lru-cache';

/** How many seats, and how many recent messages, are remembered. */
const MAX_ENTRIES = 50_000;

/** The rate limit of speech, per seat and replica. */
export interface SpeechLimit {
  /** Whether this very message was admitted before. */
  knows(message: string): boolean;
  /** Takes one token of a seat. A message delivered or sent again is free. @param now milliseconds since the epoch */
  allows(seat: string, message: string, now: number): boolean;
}

/** A token bucket for each seat: `burst` speeches, refilled at `speechesPerSecond`. */
export function speechLimit({ speechesPerSecond, burst }: { readonly speechesPerSecond: number; readonly burst: number }): SpeechLimit {
  const buckets = new LRUCache<string, { readonly tokens: number; readonly at: number }>({ max: MAX_ENTRIES });
  const admitted = new LRUCache<string, true>({ max: MAX_ENTRIES });
  return {
    knows: (message) => admitted.has(message),
    allows(seat, message, now) {
      if (admitted.has(message)) return true;
      const bucket = buckets.get(seat) ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * speechesPerSecond);
      const isAllowed = tokens >= 1;
      buckets.set(seat, { tokens: isAllowed ? tokens - 1 : tokens, at: now });
      if (isAllowed) admitted.set(message, true);
      return isAllowed;
    },
  };
}
