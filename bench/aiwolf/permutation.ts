import type { Dice } from '@maw/games/kernel/dice.ts';

/** A measurement in one game: what was measured, and the label that it must not depend on. */
export interface Sample {
  readonly value: number;
  readonly label: string;
  /** Labels are exchanged within a block only, such as a game. */
  readonly block: string;
}

/**
 * How likely it is that values depend on labels at least as much by chance: the share of permutations of the labels within their blocks for
 * which the values vary between the labels as much as they do. A permutation test, after Fisher, The Design of Experiments, 1935.
 * @returns from 1 / (permutations + 1) to 1
 */
export function chanceOf(samples: readonly Sample[], permutations: number, dice: Dice): number {
  const names = [...new Set(samples.map(({ label }) => label))];
  const labels = samples.map(({ label }) => names.indexOf(label));
  const values = samples.map(({ value }) => value);
  const blocks = [...Map.groupBy(samples.keys(), (i) => samples[i]!.block).values()];
  for (const block of blocks) centre(values, block);
  const found = between(values, labels, names.length) * (1 - ROUNDING);
  let asMuch = 1;
  for (let i = 0; i < permutations; i++) {
    for (const block of blocks) shuffle(labels, block, dice);
    if (between(values, labels, names.length) >= found) asMuch++;
  }
  return asMuch / (permutations + 1);
}

const ROUNDING = 1e-9;

/** The sum of squares between the labels. */
function between(values: readonly number[], labels: readonly number[], count: number): number {
  const [sums, counts] = [Array<number>(count).fill(0), Array<number>(count).fill(0)];
  for (const [i, label] of labels.entries()) {
    sums[label]! += values[i]!;
    counts[label]!++;
  }
  return sums.reduce((all, sum, label) => all + sum ** 2 / counts[label]!, 0);
}

/** What blocks differ in says nothing. */
function centre(values: number[], places: readonly number[]): void {
  const mean = places.reduce((sum, place) => sum + values[place]!, 0) / places.length;
  for (const place of places) values[place]! -= mean;
}

/** Fisher and Yates, at these places. */
function shuffle(labels: number[], places: readonly number[], { below }: Dice): void {
  for (let last = places.length - 1; last > 0; last--) {
    const [a, b] = [places[last]!, places[below(last + 1)]!];
    [labels[a], labels[b]] = [labels[b]!, labels[a]!];
  }
}
