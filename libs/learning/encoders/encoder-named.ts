import { embedded, MAX_EMBEDDING } from './embedded.ts';
import type { Encoder } from './encoder.ts';
import { hashedNgrams, MAX_DIMENSION } from './hashed-ngrams.ts';

/** The encoder of a name such as `hashed-ngrams-1:256:0`: version, dimension, seed; or `embed:MODEL:DIMENSION`. @throws Error */
export function encoderNamed(name: string): Encoder {
  const [, dimension, seed] = /^hashed-ngrams-1:(\d+):(\d+)$/.exec(name) ?? [];
  if (Number(dimension) >= 8 && Number(dimension) <= MAX_DIMENSION && Number(seed) < 2 ** 32)
    return hashedNgrams(Number(dimension), Number(seed));
  const [, model, length] = /^embed:(.+):(\d+)$/.exec(name) ?? [];
  if (model !== undefined && Number(length) >= 1 && Number(length) <= MAX_EMBEDDING) return embedded(model, Number(length));
  throw new Error(
    `${JSON.stringify(name)} is no encoder: hashed-ngrams-1:DIMENSION:SEED is, with a dimension from 8 to ${MAX_DIMENSION}, and embed:MODEL:DIMENSION, with one to ${MAX_EMBEDDING}`,
  );
}
