import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Received } from './conversation.ts';
import { lineReader } from './line-reader.ts';
import { readText, tooLong } from './received.ts';

const MAX = 8;

function read(chunks: readonly Uint8Array[], maxBytes = MAX) {
  const lines: Received[] = [];
  let longest = 0;
  const reader = lineReader(
    maxBytes,
    (line) => lines.push(line),
    (bytes) => (longest = Math.max(longest, bytes)),
  );
  for (const chunk of chunks) reader(Buffer.from(chunk));
  return { lines, longest };
}

/** What the bytes mean, read as a whole. */
function meaning(bytes: Uint8Array): readonly Received[] {
  const parts = Buffer.from(bytes).toString('latin1').split('\n');
  return parts.flatMap((part, i) => {
    if (part.length > MAX) return [tooLong(MAX)];
    return i < parts.length - 1 ? [readText(Buffer.from(part.replace(/\r$/, ''), 'latin1'), MAX)] : [];
  });
}

const bytes = fc.array(fc.constantFrom(...Buffer.from('\n\n\r abä占')), { maxLength: 60 }).map((some) => Uint8Array.from(some));

describe('a line reader', () => {
  it('reads the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60)), (all, cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), all.length];
        const chunks = at.slice(1).map((to, i) => all.subarray(Math.min(at[i]!, all.length), to));
        expect(read(chunks).lines).toEqual(meaning(all));
      }),
      { numRuns: 300 },
    );
  });

  it('takes one byte at a time, and several lines at once', () => {
    const all = Buffer.from('占い師です\r\nb\n\nc\n');
    const lines = ['占い師です', 'b', '', 'c'].map((text) => ({ text }));
    expect(read([all], 100).lines).toEqual(lines);
    expect(read([...all].map((byte) => Buffer.from([byte])), 100).lines).toEqual(lines); // prettier-ignore
  });

  it('tells a line without an end once, and how long it is', () => {
    const { lines, longest } = read(Array.from({ length: 100 }, () => Buffer.from('xxx')));
    expect(lines).toEqual([tooLong(MAX)]);
    expect(longest).toBe(300);
  });

  it('leaves a byte order mark out', () => {
    expect(read([Buffer.from('\ufeffCs1\n')]).lines).toEqual([{ text: 'Cs1' }]);
  });
});
