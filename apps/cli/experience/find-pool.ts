import type { CountedPool, ExperiencePools } from '@maw/store/ports/experience.ts';

/** The pool `NAME@VERSION`, or the newest version of `NAME`. @throws Error naming those there are */
export async function findPool(pools: ExperiencePools, wanted: string): Promise<CountedPool> {
  const [, name = wanted, version] = /^(.*)@(\d+)$/.exec(wanted) ?? [];
  const found = (await pools.list(name)).findLast((each) => version === undefined || each.version === Number(version));
  if (found) return found;
  const there = (await pools.list()).map((each) => `${each.name}@${each.version}`).join(', ');
  throw new Error(`there is no pool of experience ${wanted}; ${there ? `there are ${there}` : 'maw experience build makes one'}`);
}
