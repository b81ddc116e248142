import { getHeapStatistics } from 'node:v8';
import { serveBlocks } from './serve-blocks.ts';

/** What a thread may have on its heap, in MiB: old objects, and three times the space for new ones. */
export default serveBlocks(() => () => getHeapStatistics().heap_size_limit / 2 ** 20);
