import { readText, tooLong } from './received.ts';
import type { Received } from './conversation.ts';

const LF = 10;
const CR = 13;
const FIRST_BYTES = 1_024;

interface State {
  /** The line that has not ended, in its first `length` bytes. */
  held: Buffer;
  length: number;
}

/**
 * Splits bytes into lines, ended by LF or CR LF. Holds `maxBytes` at most; a longer line is told at once, and its rest left out.
 * @param onLine @param onLong told how many bytes a line that is too long has so far
 */
export function lineReader(maxBytes: number, onLine: (line: Received) => void, onLong: (bytes: number) => void): (chunk: Buffer) => void {
  const s: State = { held: Buffer.alloc(0), length: 0 };
  const add = (part: Buffer): void => {
    const wasLong = s.length > maxBytes;
    hold(s, part, maxBytes);
    if (s.length <= maxBytes) return;
    if (!wasLong) onLine(tooLong(maxBytes));
    onLong(s.length);
  };
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf(LF); to >= 0; to = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, to));
      const isWhole = s.length <= maxBytes;
      const length = s.held[s.length - 1] === CR ? s.length - 1 : s.length;
      s.length = 0;
      if (isWhole) onLine(readText(s.held.subarray(0, length), maxBytes));
      from = to + 1;
    }
    add(chunk.subarray(from));
  };
}

/** Adds to the line; the memory for it doubles, so that single bytes cost no more than long parts. */
function hold(s: State, part: Buffer, maxBytes: number): void {
  const at = s.length;
  s.length += part.length;
  if (s.length > maxBytes) return void (s.held = Buffer.alloc(0));
  if (s.length > s.held.length) {
    const grown = Buffer.alloc(Math.min(maxBytes, Math.max(FIRST_BYTES, s.length, 2 * s.held.length)));
    s.held.copy(grown, 0, 0, at);
    s.held = grown;
  }
  part.copy(s.held, at);
}
