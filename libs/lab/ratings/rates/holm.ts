/**
 * P-values corrected for their number by the step-down method of Holm (1979, Scandinavian Journal of Statistics 6, 65–70): the chance of any
 * false alarm among all comparisons stays below the level that an adjusted value is held against. In the order given.
 */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, i) => ({ p, i })).toSorted((a, b) => a.p - b.p);
  const adjusted = ps.map(() => 1);
  let highest = 0;
  for (const [rank, { p, i }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p));
    adjusted[i] = highest;
  }
  return adjusted;
}
