/** Dice are rolled while deciding and written into events. Folding events never rolls. */
export interface Dice {
  /** A random integer in [0, n). @throws Error when `n` is less than 1 */
  below(n: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  shuffle<T>(items: readonly T[]): T[];
}

/** The draws of one moment. Each has a name, so that a record can fix its value. */
export interface Draws {
  /** A random element of `items`. */
  pick<T extends string | number>(name: string, items: readonly [T, ...T[]]): T;
  /** `items` in random order. */
  shuffle<T extends string | number>(name: string, items: readonly T[]): T[];
}

/** The draws of one moment of one game; `seed` and `moment` as in `diceOf`. */
export type Roll = (seed: string, moment: string) => Draws;
export const seededRoll: Roll = (seed, moment) => {
  const dice = diceOf(seed, moment);
  return { pick: (_, items) => dice.pick(items), shuffle: (_, items) => dice.shuffle(items) };
};

/**
 * The dice of one moment of one game. The same `seed` and `moment` always roll the same, and moments are independent, so that a game can be
 * dealt again from its seed whatever was refused or late in between.
 * The generator is sfc32 (Doty-Humphrey, PractRand), seeded by an FNV-1a variant over both texts.
 */
export function diceOf(seed: string, moment: string): Dice {
  const next = sfc32(hash(seed, 0x811c9dc5), hash(moment, 0x9e3779b9), hash(`${seed}\u0000${moment}`, 0x85ebca6b));
  for (let warm = 0; warm < 12; warm++) next();
  const below = (n: number): number => {
    if (!(n >= 1)) throw new Error(`a die of ${n} sides cannot be rolled`);
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % n); // rejection sampling keeps every face equally likely
    for (;;) {
      const roll = next();
      if (roll < limit) return roll % n;
    }
  };
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    shuffle(items) {
      const out = [...items];
      for (let i = out.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [out[i], out[j]] = [out[j]!, out[i]!];
      }
      return out;
    },
  };
}

function hash(text: string, start: number): number {
  let h = start;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

function sfc32(a: number, b: number, c: number): () => number {
  let counter = 1;
  return () => {
    const out = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + out;
    return out >>> 0;
  };
}
