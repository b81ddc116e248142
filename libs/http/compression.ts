import { pipeline, type Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

export type Coding = 'br' | 'gzip';

/** Fast rather than small, with a window of 256 KiB: one runs for each reader. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** A stream that compresses what is written to it and writes that to `out`. It takes no more than `out` does, and ends or breaks with it. */
export function compressed(coding: Coding, out: Writable): Writable {
  const encoder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  pipeline(encoder, out, () => undefined); // an error shows where it is written
  return encoder;
}
