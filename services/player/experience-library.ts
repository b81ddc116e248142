import { poolIndex, type StoredExperience } from '@maw/minds/experience/pool-index.ts';
import type { ExperienceIndex, Tools } from '@maw/minds/mind.ts';
import { findPool } from '@maw/store/find-version.ts';
import type { ExperiencePools, PoolEntry } from '@maw/store/ports/experience.ts';
import { LRUCache } from 'lru-cache';

/** How long a pool is used before it is read again, in milliseconds: games may have been added. */
const READ_AGAIN_MS = 600_000;
/** How much memory pools may take together; one of 100,000 decisions with 384 dimensions takes about 200 MB. */
const MAX_BYTES = 512 * 1024 * 1024;
const PAGE_SIZE = 5_000;

/** A pool of experience in memory. */
interface LoadedPool {
  readonly index: ExperienceIndex;
  /** About how much memory it takes. */
  readonly bytes: number;
}

/**
 * Opens pools of experience by `NAME` or `NAME@VERSION`, once for all who ask, and keeps those used last in memory.
 * @param maxBytes of all together; a larger pool is kept alone
 * @throws Error when there is no such pool
 */
export function experienceLibrary(pools: ExperiencePools, now: () => number, maxBytes = MAX_BYTES): NonNullable<Tools['experience']> {
  const cache = new LRUCache<string, LoadedPool>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.min(maxBytes, Math.max(1, bytes)),
    ttl: READ_AGAIN_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: (pool) => load(pools, pool),
  });
  return async (pool) => (await cache.forceFetch(pool)).index;
}

async function load(pools: ExperiencePools, wanted: string): Promise<LoadedPool> {
  const { name, version, about } = await findPool(pools, wanted);
  const entries: StoredExperience[] = [];
  for (let after: PoolEntry | undefined; ;) {
    const page = await pools.entries(name, version, { limit: PAGE_SIZE, ...(after ? { after } : {}) });
    entries.push(...page.map(storedExperience));
    after = page.at(-1);
    if (page.length < PAGE_SIZE) break;
  }
  const model = about['model'];
  const index = poolIndex(`${name}@${version}`, typeof model === 'string' ? model : undefined, entries);
  return { index, bytes: entries.reduce((sum, entry) => sum + bytesOf(entry), 0) };
}

const bytesOf = ({ reflection, response, vector }: StoredExperience): number =>
  2 * (reflection.length + response.length) + (vector?.byteLength ?? 0);

function storedExperience({ item, vector }: PoolEntry): StoredExperience {
  const { reflection, response, score, branch } = item as unknown as StoredExperience;
  return { reflection, response, score, branch, ...(vector === undefined ? {} : { vector: floatsOf(vector) }) };
}

/** 32-bit floats from base64. */
function floatsOf(base64: string): Float32Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
