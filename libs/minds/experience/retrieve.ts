/** The cosine of the angle between two vectors of one length; 0 for a zero vector. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    ofA += a[i]! ** 2;
    ofB += b[i]! ** 2;
  }
  return ofA && ofB ? product / Math.sqrt(ofA * ofB) : 0;
}

/** The positions of the `most` highest values above `above`, best first; equals in order of position. The others are not sorted. */
export function best(values: ArrayLike<number>, most: number, above: number): readonly number[] {
  const positions: number[] = [];
  let floor = most > 0 ? above : Infinity;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (!(value > floor)) continue;
    let i = Math.min(positions.length, most - 1);
    for (; i > 0 && values[positions[i - 1]!]! < value; i--) positions[i] = positions[i - 1]!;
    positions[i] = at;
    if (positions.length === most) floor = values[positions[most - 1]!]!;
  }
  return positions;
}
