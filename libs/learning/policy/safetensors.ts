import { z } from 'zod';

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

const size = z.int().nonnegative();
const Entry = z.object({
  dtype: z.literal('F32', { error: ({ input }) => `values of type ${String(input)}; only F32 is read` }),
  shape: z.array(size),
  data_offsets: z.tuple([size, size]),
});
const Header = z.object({ __metadata__: z.record(z.string(), z.string()).default({}) }).catchall(Entry);

/**
 * Reads tensors of 32-bit floats.
 * @param name of the file, for messages
 * @throws Error that says what is wrong
 */
export function decodeSafetensors(bytes: Uint8Array, name: string): Safetensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = bytes.length < LENGTH_BYTES ? Infinity : LENGTH_BYTES + Number(view.getBigUint64(0, true));
  if (begin > bytes.length) throw new Error(`${name} is no safetensors file, or it was cut off: its header has no end`);
  const { __metadata__: metadata, ...entries } = readHeader(bytes.subarray(LENGTH_BYTES, begin), name);
  const data = bytes.subarray(begin);
  return {
    metadata,
    tensors: new Map(Object.entries(entries).map(([tensor, entry]) => [tensor, tensorOf(entry, data, `${name}, ${tensor}`)])),
  };
}

function readHeader(text: Uint8Array, name: string): z.infer<typeof Header> {
  try {
    return Header.parse(JSON.parse(Buffer.from(text).toString()));
  } catch (cause) {
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const why = issue ? `${issue.path.join('.')}: ${issue.message}` : (cause as Error).message;
    throw new Error(`${name} is no safetensors file of 32-bit floats: ${why}`, { cause });
  }
}

function tensorOf({ shape, data_offsets: [begin, end] }: z.infer<typeof Entry>, data: Uint8Array, where: string): Tensor {
  const count = shape.reduce((product, each) => product * each, 1);
  if (end - begin !== count * FLOAT_BYTES || end > data.length)
    throw new Error(`${where}: ${end - begin} bytes for ${count} values, in a file with ${data.length} bytes of them`);
  return { shape, values: new Float32Array(Uint8Array.from(data.subarray(begin, end)).buffer) };
}
