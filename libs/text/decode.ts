/** Encodings by the bytes a file begins with, which tell more than its name. */
const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** What is no text at all, by its first bytes, and how to get at the text. */
const PACKED: readonly (readonly [mark: readonly number[], means: string])[] = [
  [[0x1f, 0x8b], 'is compressed with gzip; unpack it with gunzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive; unpack it'],
];

/** Encodings of Japanese and Western systems, in the order in which bytes are rarely one by chance. Each decodes without an error or is not it. */
const GUESSES = ['euc-jp', 'shift_jis', 'iso-2022-jp'] as const;

/** ISO-2022-JP is ASCII all through, so as UTF-8 it would be read as garbage: it turns to Japanese by an escape of its own. */
const JAPANESE_SHIFT = /\x1b\$[@B]/;

/**
 * The text of a file in UTF-8, or in UTF-16 with its mark.
 * @param keepsMark whether the mark at its beginning is a part of the text, for what is written back byte for byte
 * @throws Error that says what the bytes are instead and what to do, without the file's name
 */
export function decodeText(bytes: Uint8Array, { keepsMark = false }: { readonly keepsMark?: boolean } = {}): string {
  const decode = decoderFor(bytes, keepsMark);
  return decode(bytes) + decode();
}

/** The same for a file that comes in pieces. */
export async function* decodePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decode: ReturnType<typeof decoderFor> | undefined;
  for await (const piece of pieces) yield (decode ??= decoderFor(piece))(piece);
  if (decode) yield decode();
}

/** Decodes piece after piece, and what is left without one. @param first what the bytes begin with @throws Error as `decodeText` */
function decoderFor(first: Uint8Array, ignoreBOM = false): (piece?: Uint8Array) => string {
  const begins = (mark: readonly number[]): boolean => mark.every((byte, i) => first[i] === byte);
  const packed = PACKED.find(([mark]) => begins(mark));
  if (packed) throw new Error(packed[1]);
  const decoder = new TextDecoder(MARKS.find(([mark]) => begins(mark))?.[1] ?? 'utf-8', { fatal: true, ignoreBOM });
  return (piece) => {
    try {
      const text = piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
      if (!text.includes('\0') && !JAPANESE_SHIFT.test(text)) return text;
    } catch {
      // said below
    }
    throw new Error(otherThanText(piece ?? first));
  };
}

/** What bytes are that are neither UTF-8 nor UTF-16 with its mark. */
function otherThanText(bytes: Uint8Array): string {
  if (bytes.subarray(0, 4096).includes(0)) {
    const isWide = (bytes[0] === 0) !== (bytes[1] === 0) && (bytes[2] === 0) !== (bytes[3] === 0);
    return isWide ? `is in UTF-16 without a mark; ${convert('UTF-16')}` : 'is binary, not text';
  }
  const guess = GUESSES.find((encoding) => /[\u3040-\u30ff]/.test(decoded(bytes, encoding) ?? ''))?.toUpperCase();
  return guess ? `is in ${guess}, not in UTF-8; ${convert(guess)}` : 'is not in UTF-8, nor in UTF-16 with a byte order mark';
}

const convert = (encoding: string): string => `convert it with iconv -f ${encoding} -t UTF-8`;

/** Undefined when the bytes are not of that encoding. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
