/** The maximum size of a list in a message, in bytes of JSON; a whole message may have 1 MiB. */
export const PAGE_BYTES = 400_000;

/** The first items that fit into a message; at least one. */
export function fitInPage<T>(all: readonly T[]): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const one of all) {
    bytes += Buffer.byteLength(JSON.stringify(one));
    if (page.length && bytes > PAGE_BYTES) break;
    page.push(one);
  }
  return page;
}
