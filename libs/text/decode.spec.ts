import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodeText } from './decode.ts';

const bytes = (...codes: readonly number[]) => Uint8Array.from(codes);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('the bytes of a file', () => {
  it.each([
    ['in UTF-8', Buffer.from('名前\n')],
    ['in UTF-8 with a mark', Buffer.from('\ufeff名前\n')],
    ['in UTF-16 with its mark', utf16('\ufeff名前\n')],
    ['in UTF-16 of the other order', utf16('\ufeff名前\n').swap16()],
  ])('%s are read', (_, given) => expect(decodeText(given)).toBe('名前\n'));

  it.each([
    ['Shift_JIS', bytes(0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd, 0x0a), 'is in SHIFT_JIS, not in UTF-8; convert it with iconv -f SHIFT_JIS -t UTF-8'],
    ['EUC-JP', bytes(0xa4, 0xb3, 0xa4, 0xf3, 0xa4, 0xcb, 0xa4, 0xc1, 0xa4, 0xcf, 0x0a), 'is in EUC-JP, not in UTF-8; convert it with iconv -f EUC-JP -t UTF-8'],
    ['ISO-2022-JP', Buffer.from('\u001b$B$3$s\u001b(B,1\n'), 'is in ISO-2022-JP, not in UTF-8; convert it with iconv -f ISO-2022-JP -t UTF-8'],
    ['UTF-16 without a mark', utf16('name,score\n'), 'is in UTF-16 without a mark; convert it with iconv -f UTF-16 -t UTF-8'],
    ['gzip', gzipSync('a,b\n'), 'is compressed with gzip; unpack it with gunzip'],
    ['ZIP', bytes(0x50, 0x4b, 0x03, 0x04, 0x14), 'is a ZIP archive; unpack it'],
    ['zeros', Buffer.alloc(40), 'is binary, not text'],
    ['Latin 1', Buffer.from('Zoë\n', 'latin1'), 'is not in UTF-8, nor in UTF-16 with a byte order mark'],
    ['UTF-8 that breaks off', Buffer.from('é').subarray(0, 1), 'is not in UTF-8, nor in UTF-16 with a byte order mark'],
  ])('in %s are named, not read as garbage', (_, given, means) => expect(() => decodeText(given)).toThrow(new Error(means))); // prettier-ignore
});
