import { createHash } from 'node:crypto';

/** A seeded pseudorandom generator. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, limit). */
  below(limit: number): number;
}

/** Mulberry32 over the hash of the seed. */
export const seededRandom = (seed: string): Random => {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
};
