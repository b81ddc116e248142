import type { Roll } from '../kernel/dice.ts';

/** One outcome of chance, its probability, and the result. */
export interface Branch<T> {
  readonly probability: number;
  readonly to: T;
}

export interface BranchingDice {
  readonly roll: Roll;
  /** Runs a function once for every outcome of its draws. It must depend on the draws only. */
  each<T>(run: () => T): readonly Branch<T>[];
}

type Item = string | number;

const MAX_FACES = 50_000;

/** Dice that enumerate every outcome, one after another. */
export function branchingDice(): BranchingDice {
  let script: number[] = [];
  let faces: number[] = [];
  let probability = 1;

  function face<T>(weighed: readonly Branch<T>[]): T {
    const at = faces.push(weighed.length) - 1;
    const branch = weighed[(script[at] ??= 0)]!;
    probability *= branch.probability;
    return branch.to;
  }

  /** Moves to the next outcome; false after the last. */
  function advance(): boolean {
    while (script.length && script.at(-1) === faces[script.length - 1]! - 1) script.pop();
    if (!script.length) return false;
    script[script.length - 1]!++;
    return true;
  }

  return {
    roll: () => ({
      pick: (_, items) => face(weighed(items)),
      shuffle: (name, items) => [...face(ordered(name, items))],
    }),
    each<T>(run: () => T): readonly Branch<T>[] {
      const out: Branch<T>[] = [];
      script = [];
      do {
        faces = [];
        probability = 1;
        const to = run();
        out.push({ probability, to });
      } while (advance());
      return out;
    },
  };
}

/** The distinct items, with probabilities by frequency. */
const weighed = <T extends Item>(items: readonly T[]): readonly Branch<T>[] =>
  [...new Set(items)].map((item) => ({ probability: items.filter((other) => other === item).length / items.length, to: item }));

/** The distinct, equally likely orders of some items. */
function ordered<T extends Item>(name: string, items: readonly T[]): readonly Branch<readonly T[]>[] {
  let orders: T[][] = [[]];
  for (let left = items.length; left > 0; left--) {
    orders = orders.flatMap((begun) => [...new Set(without(items, begun))].map((item) => [...begun, item]));
    if (orders.length > MAX_FACES) throw new Error(`the draw ${name} of ${items.length} items falls in more than ${MAX_FACES} ways`);
  }
  return orders.map((to) => ({ probability: 1 / orders.length, to }));
}

/** The items minus those removed, as multisets. */
function without<T>(items: readonly T[], taken: readonly T[]): T[] {
  const left = [...items];
  for (const item of taken) left.splice(left.indexOf(item), 1);
  return left;
}
