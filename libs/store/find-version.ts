import type { CountedPool, ExperiencePools } from './ports/experience.ts';

/** Something that exists in versions: a pool of experience, a set of strategies. */
export interface VersionedName {
  readonly name: string;
  /** Undefined: the newest. */
  readonly version: number | undefined;
}

/** Reads `NAME@VERSION`, or `NAME` for the newest. */
export function parseVersionedName(text: string): VersionedName {
  const [, name = text, version] = /^(.*)@(\d+)$/.exec(text) ?? [];
  return { name, version: version === undefined ? undefined : Number(version) };
}

/** The pool `NAME@VERSION`, or the newest version of `NAME`. @throws Error naming those there are */
export async function findPool(pools: ExperiencePools, wanted: string): Promise<CountedPool> {
  const { name, version } = parseVersionedName(wanted);
  const found = (await pools.list(name)).findLast((each) => version === undefined || each.version === version);
  if (found) return found;
  const there = (await pools.list()).map((each) => `${each.name}@${each.version}`).join(', ');
  throw new Error(`there is no pool of experience ${wanted}; ${there ? `there are ${there}` : 'maw experience build makes one'}`);
}
