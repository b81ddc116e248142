import { describe, expect, it, jest } from '@jest/globals';
import { InvalidAnswer, ProtocolError } from './errors.ts';
import { answerLines, lineSplitter, MAX_LINE } from './ndjson.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('lineSplitter', () => {
  it('splits lines correctly at every chunk size, final line included', () => {
    const text = bytes('Zwölf 🐺\n\nam Tisch\r\nEnde');
    for (let size = 1; size <= text.length; size++) {
      const lines = lineSplitter();
      const seen: string[] = [];
      for (let at = 0; at < text.length; at += size) seen.push(...lines.push(text.subarray(at, at + size), false));
      expect(seen).toEqual(['Zwölf 🐺', '', 'am Tisch\r']);
      expect(lines.push(undefined, true)).toEqual(['Ende']);
    }
  });

  it('scans a line once, however small its chunks', () => {
    const lines = lineSplitter();
    const split = jest.spyOn(String.prototype, 'split');
    const one = bytes('x');
    const seen = Array.from({ length: 10_000 }, () => lines.push(one, false)).flat();
    seen.push(...lines.push(bytes('\n'), false));
    const looked = split.mock.calls.length;
    split.mockRestore();
    expect([seen, looked]).toEqual([['x'.repeat(10_000)], 1]);
  });

  it('rejects more than MAX_LINE bytes without a line break', () => {
    const lines = lineSplitter();
    const piece = new Uint8Array(MAX_LINE / 4).fill(120);
    for (let n = 0; n < 4; n++) lines.push(piece, false);
    expect(() => lines.push(bytes('x'), false)).toThrow(ProtocolError);
    const ended = lineSplitter();
    for (let n = 0; n < 4; n++) ended.push(piece, false);
    expect(ended.push(bytes('\nx'), false)).toHaveLength(1);
  });
});

describe('answerLines', () => {
  it.each([
    ['an empty stream', [], ProtocolError],
    ['a stream of blank lines', ['\n', ' \n'], ProtocolError],
    ['a stream that ends without done', ['{"a":1}\n'], InvalidAnswer],
  ])('rejects %s', async (_, chunks, kind) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(bytes(chunk));
        controller.close();
      },
    });
    const reader = answerLines(Object.assign(body.getReader(), { isComplete: false }), String);
    const rest = async () => {
      while (await reader.read());
    };
    await expect(rest()).rejects.toThrow(kind);
  });
});
