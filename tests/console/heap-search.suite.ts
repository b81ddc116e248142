import type { Page } from 'playwright-core';

/** Longer than what any pattern matches, in characters. */
const OVERLAP = 100;

/** Says of each pattern whether it occurs in the memory of a page: in any string that its scripts can still reach. */
export async function foundInHeap(page: Page, patterns: readonly RegExp[]): Promise<readonly boolean[]> {
  const session = await page.context().newCDPSession(page);
  const found = patterns.map(() => false);
  let end = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    const text = end + chunk;
    for (const [i, pattern] of patterns.entries()) found[i] ||= pattern.test(text);
    end = text.slice(-OVERLAP);
  });
  await session.send('HeapProfiler.takeHeapSnapshot');
  await session.detach();
  return found;
}
