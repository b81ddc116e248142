import { poolIndex, type StoredExperience } from '@maw/minds/experience/pool-index.ts';
import type { ExperienceIndex, Tools } from '@maw/minds/mind.ts';
import type { ExperiencePools, PoolEntry } from '@maw/store/ports/experience.ts';

/** How long a pool is used before it is read again, in milliseconds: games may have been added. */
const READ_AGAIN_MS = 600_000;
const PAGE_SIZE = 5_000;

/**
 * Opens pools of experience by `NAME` or `NAME@VERSION`, and keeps the last one in memory.
 * @throws Error when there is no such pool
 */
export function experienceLibrary(pools: ExperiencePools, now: () => number): NonNullable<Tools['experience']> {
  let last: { readonly pool: string; readonly until: number; readonly index: Promise<ExperienceIndex> } | undefined;
  return (pool) => {
    if (last?.pool === pool && now() < last.until) return last.index;
    const index = open(pools, pool);
    last = { pool, until: now() + READ_AGAIN_MS, index };
    index.catch(() => (last = undefined));
    return index;
  };
}

async function open(pools: ExperiencePools, wanted: string): Promise<ExperienceIndex> {
  const [, name = wanted, version] = /^(.*)@(\d+)$/.exec(wanted) ?? [];
  const found = (await pools.list(name)).findLast((each) => version === undefined || each.version === Number(version));
  if (!found) throw new Error(`there is no pool of experience ${wanted}; maw experience list shows those there are`);
  const entries: StoredExperience[] = [];
  for (let after: PoolEntry | undefined; ;) {
    const page = await pools.entries(name, found.version, { limit: PAGE_SIZE, ...(after ? { after } : {}) });
    entries.push(...page.map(storedExperience));
    after = page.at(-1);
    if (page.length < PAGE_SIZE) break;
  }
  const model = found.about['model'];
  return poolIndex(`${name}@${found.version}`, typeof model === 'string' ? model : undefined, entries);
}

function storedExperience({ item, vector }: PoolEntry): StoredExperience {
  const { reflection, response, score, branch } = item as unknown as StoredExperience;
  return { reflection, response, score, branch, ...(vector === undefined ? {} : { vector: floatsOf(vector) }) };
}

/** 32-bit floats from base64. */
function floatsOf(base64: string): Float32Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
