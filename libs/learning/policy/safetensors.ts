/** A named array of 32-bit floats. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface Safetensors {
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly metadata: { readonly [name: string]: string };
}

const LENGTH_BYTES = 8;
const FLOAT_BYTES = 4;
const MAX_HEADER_BYTES = 100_000_000; // as in the format's own library

/**
 * Tensors in the safetensors format (github.com/huggingface/safetensors): the length of the header in 8 bytes, the header as JSON, the values.
 * Little-endian throughout, like every machine that Node runs on.
 */
export function encodeSafetensors({ tensors, metadata }: Safetensors): Uint8Array {
  let end = 0;
  const header: Record<string, unknown> = { __metadata__: metadata };
  for (const [name, { shape, values }] of tensors) {
    const begin = end;
    end += values.byteLength;
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const padding = (LENGTH_BYTES - (text.length % LENGTH_BYTES)) % LENGTH_BYTES;
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(text.length + padding));
  const data = [...tensors.values()].map(({ values }) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  return Buffer.concat([length, text, Buffer.alloc(padding, ' '), ...data]);
}

interface Entry {
  readonly dtype?: unknown;
  readonly shape?: unknown;
  readonly data_offsets?: unknown;
}

/**
 * Reads tensors of 32-bit floats.
 * @param name of the file, for messages
 * @throws Error that says what is wrong
 */
export function decodeSafetensors(bytes: Uint8Array, name: string): Safetensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < LENGTH_BYTES ? undefined : Number(view.getBigUint64(0, true));
  if (length === undefined || length > MAX_HEADER_BYTES || LENGTH_BYTES + length > bytes.length)
    throw new Error(`${name} is no safetensors file, or it was cut off: its header has no end`);
  const { __metadata__: metadata = {}, ...entries } = parseHeader(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), name);
  const data = bytes.subarray(LENGTH_BYTES + length);
  const tensors = new Map(Object.entries(entries).map(([tensor, entry]) => [tensor, tensorOf(entry as Entry, data, `${name}, ${tensor}`)]));
  return { tensors, metadata: metadata as Safetensors['metadata'] };
}

function parseHeader(text: Uint8Array, name: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(text).toString());
    if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${name} is no safetensors file: its header is no JSON (${(error as Error).message})`, { cause: error });
  }
  throw new Error(`${name} is no safetensors file: its header is no object`);
}

function tensorOf({ dtype, shape, data_offsets: offsets }: Entry, data: Uint8Array, where: string): Tensor {
  if (dtype !== 'F32') throw new Error(`${where}: values of type ${String(dtype)}; only F32 is read`);
  const isNumbers = (value: unknown): value is readonly number[] =>
    Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
  if (!isNumbers(shape) || !isNumbers(offsets)) throw new Error(`${where}: no shape or no place`);
  const [begin = 0, end = 0] = offsets;
  const size = shape.reduce((product, each) => product * each, 1);
  if (end - begin !== size * FLOAT_BYTES || end > data.length)
    throw new Error(`${where}: ${end - begin} bytes for ${size} values, in a file with ${data.length} bytes of them`);
  return { shape, values: new Float32Array(Uint8Array.from(data.subarray(begin, end)).buffer) };
}
