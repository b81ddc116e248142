import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressed } from './compression.ts';
import { backpressureWriter } from './sse.ts';

const never = new AbortController().signal;

describe('compressed', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('writes %s', async (coding, decode) => {
    const out = new PassThrough();
    const encoder = compressed(coding, out);
    encoder.write('hello ');
    encoder.end('world');
    expect(String(decode(await buffer(out)))).toBe('hello world');
  });

  it('takes no more than a reader that reads nothing', async () => {
    const out = new PassThrough();
    const write = backpressureWriter(compressed('gzip', out), 50, never);
    const writing = (async () => {
      for (let i = 0; ; i++) await write(`${Math.random()} ${i} `.repeat(1_000)); // does not compress away
    })();
    await expect(writing).rejects.toThrow('the client read nothing for 50 ms');
    expect(out.writableLength + out.readableLength).toBeLessThan(300_000);
  });

  it('breaks with what it writes to', async () => {
    const out = new PassThrough();
    const encoder = compressed('br', out);
    out.destroy();
    await new Promise((resolve) => encoder.on('close', resolve));
    expect(encoder.destroyed).toBe(true);
  });
});
