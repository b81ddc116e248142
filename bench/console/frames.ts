export interface Frames {
  readonly perSecond: number;
  /** The longest time between two frames, in milliseconds. */
  readonly longestMs: number;
}

/** How smoothly something moved. `times`: when each frame began, in milliseconds, in order. NaN for fewer than two frames. */
export function framesOf(times: readonly number[]): Frames {
  const lengths = times.slice(1).map((time, i) => time - times[i]!);
  if (!lengths.length) return { perSecond: Number.NaN, longestMs: Number.NaN };
  return { perSecond: (lengths.length * 1_000) / (times.at(-1)! - times[0]!), longestMs: Math.max(...lengths) };
}
