/**
 * The text in a file of UTF-8; a byte order mark stays.
 * @throws Error that names the encoding it is in instead, and how to convert it
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // named below
  }
  throw new Error(whyNotUtf8(bytes));
}

/** What the first bytes of a file are that is not UTF-8, and what to do. */
export function whyNotUtf8(bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'is compressed with gzip; unpack it with: gunzip';
  const encoding = utf16Of(bytes) ?? ENCODINGS.find((each) => isIn(each, bytes));
  return encoding ? `is in ${encoding}, not UTF-8; convert it with: iconv -f ${encoding} -t UTF-8` : 'is not UTF-8, and not text';
}

/** What most logs of Japanese programs are in. Much EUC-JP reads as Shift_JIS too, little the other way round. */
const ENCODINGS = ['EUC-JP', 'SHIFT_JIS'] as const;

const isIn = (encoding: string, bytes: Uint8Array): boolean => {
  try {
    return !/[\0-\x08]/.test(new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
};

/** UTF-16 by its byte order mark, or by the zeros of its Latin letters. */
export function utf16Of(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const [one, two] = bytes;
  if (one === 0xff ? two === 0xfe : one !== 0 && two === 0) return 'UTF-16LE';
  return (one === 0xfe ? two === 0xff : one === 0 && two !== 0) ? 'UTF-16BE' : undefined;
}
