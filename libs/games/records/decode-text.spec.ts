import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodeText } from './decode-text.ts';

/** あア、日本。 with a line feed, as iconv writes it. */
const EUC = Buffer.from('a4a2a5a2a1a2c6fccbdca1a30a', 'hex');
const SHIFT_JIS = Buffer.from('82a08341814193fa967b81420a', 'hex');

describe('the text of a file', () => {
  it.each(['', 'plain\n', 'あア、日本。\n', '\ufeff0,status\n', 'tab\tand emoji 🐺'])('of UTF-8 comes as it is: %j', (text) => {
    expect(decodeText(Buffer.from(text))).toBe(text);
  });

  it.each([
    ['EUC-JP', EUC, 'is in EUC-JP, not UTF-8; convert it with: iconv -f EUC-JP -t UTF-8'],
    ['Shift_JIS', SHIFT_JIS, 'is in SHIFT_JIS, not UTF-8'],
    ['UTF-16 with a mark', Buffer.from('\ufeff0,あ\n', 'utf16le'), 'is in UTF-16LE, not UTF-8'],
    ['UTF-16 without a mark', Buffer.from('0,あ\n', 'utf16le'), 'is in UTF-16LE, not UTF-8'],
    ['UTF-16, the high byte first', Buffer.from('\ufeff0,あ\n', 'utf16le').swap16(), 'is in UTF-16BE, not UTF-8'],
    ['gzip', gzipSync('0,status\n'), 'is compressed with gzip; unpack it with: gunzip'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'is not UTF-8, and not text'],
    ['zeros', Buffer.from('abcd\0\0'), 'is not UTF-8, and not text'],
    ['half of a letter', Buffer.from('0,あ').subarray(0, 4), 'not UTF-8'],
  ])('in %s is refused by its name', (_, bytes, said) => {
    expect(() => decodeText(bytes)).toThrow(said);
  });
});
