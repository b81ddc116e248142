/** The maximum size of a list in a message, in bytes of JSON; a whole message may have 1 MiB. */
const PAGE_BYTES = 400_000;

/** The first items that fit into a message; at least one. */
export function fitInPage<T>(all: readonly T[]): T[] {
  let bytes = 0;
  const end = all.findIndex((one, i) => (bytes += Buffer.byteLength(JSON.stringify(one))) > PAGE_BYTES && i > 0);
  return all.slice(0, end < 0 ? undefined : end);
}
