import type { Received } from './conversation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true }); // leaves out a byte order mark

/** A line or message as text. */
export function readText(bytes: Uint8Array, maxBytes: number): Received {
  if (bytes.length > maxBytes) return tooLong(maxBytes);
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return NOT_TEXT;
  }
}

export const tooLong = (maxBytes: number): Received => ({ fault: 'too-long', detail: `the answer has more than ${maxBytes} bytes` });
export const NOT_TEXT: Received = { fault: 'not-text', detail: 'the bytes of the answer are not UTF-8' };

/** A text so many times longer than one may be ends the connection. */
export const ENDLESS = 16;
