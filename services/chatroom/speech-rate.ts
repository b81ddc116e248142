import { rateLimiter } from '@maw/http/rate-limit.ts';
import { LRUCache } from 'lru-cache';

export const DEFAULT_SPEECHES_PER_SECOND = 2;
export const DEFAULT_SPEECH_BURST = 6;
/** How many recent messages are remembered. */
const MAX_MESSAGES = 50_000;

/** The rate limit of speech, per seat and replica. */
export interface SpeechLimit {
  /** Whether this very message was admitted before. */
  knows(message: string): boolean;
  /**
   * Takes one token of a seat. A message delivered or sent again is free.
   * @param now in milliseconds
   * @returns 0, or, without taking anything, the milliseconds until there is one
   */
  take(seat: string, message: string, now: number): number;
}

/** A token bucket for each seat: `burst` speeches, refilled at `speechesPerSecond`. */
export function speechLimit({ speechesPerSecond, burst }: { readonly speechesPerSecond: number; readonly burst: number }): SpeechLimit {
  const limiter = rateLimiter({ perMinute: speechesPerSecond * 60, burst });
  const admitted = new LRUCache<string, true>({ max: MAX_MESSAGES });
  return {
    knows: (message) => admitted.has(message),
    take(seat, message, now) {
      if (admitted.has(message)) return 0;
      const waitMs = limiter.take(seat, now);
      if (waitMs === 0) admitted.set(message, true);
      return waitMs;
    },
  };
}
