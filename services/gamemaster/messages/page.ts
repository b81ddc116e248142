/** What a list in a message may have in bytes of JSON: a whole message may have a mebibyte. */
export const PAGE_BYTES = 400_000;

/** The first of them that fit into a message; at least one when there is any. */
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
