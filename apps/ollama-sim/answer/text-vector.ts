/** FNV-1a; `salt` gives independent hashes of the same text. */
const hash = (text: string, salt: number): number => {
  let value = 0x811c9dc5 ^ salt;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(value ^ (value >>> 15), 0x85ebca6b) >>> 0;
};

/**
 * A unit vector by feature hashing of words and letter triples: every feature adds or subtracts one at its own index, so texts
 * that share words lie close together. Deterministic.
 */
export const embed = (text: string, dimensions: number): readonly number[] => {
  const vector = new Float64Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const sign = (hash(feature, 0x9e3779b9) & 1) === 0 ? 1 : -1;
    const at = hash(feature, 0) % dimensions;
    vector[at] = (vector[at] ?? 0) + sign * weight;
  };
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) {
    add(`word ${word}`, 1);
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at++) add(padded.slice(at, at + 3), 0.5);
  }
  if (vector.every((value) => value === 0)) add(`text ${text}`, 1);
  return unit(vector);
};

/** Truncates a vector to `dimensions` and normalizes it. */
export const shortened = (vector: readonly number[], dimensions: number): readonly number[] => unit(vector.slice(0, dimensions));

const unit = (vector: ArrayLike<number>): readonly number[] => {
  const values = Array.from(vector);
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
};
