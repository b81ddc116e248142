import type { CountedPool, ExperiencePools } from './ports/experience.ts';
import type { Policies, PolicyVersion, StoredPolicy } from './ports/policies.ts';

/** Something that exists in versions: a pool of experience, a set of strategies, a policy. */
interface VersionedName {
  readonly name: string;
  /** Undefined: the newest. */
  readonly version: number | undefined;
}

/** Reads `NAME@VERSION`, or `NAME` for the newest. */
export function parseVersionedName(text: string): VersionedName {
  const [, name = text, version] = /^(.*)@(\d+)$/.exec(text) ?? [];
  return { name, version: version === undefined ? undefined : Number(version) };
}

/** How a table uses a set of strategies. */
export interface StrategyUse extends VersionedName {
  /** Whether later rounds take newer versions, and new ones are written. */
  readonly learns: boolean;
}

/** Reads `NAME`, `NAME@VERSION` (exactly that version, nothing is written) or `NAME@VERSION+` (it begins with that version). @throws Error */
export function parseStrategyUse(text: string): StrategyUse {
  const { name, version } = parseVersionedName(text.replace(/\+$/, ''));
  const isOpen = text.endsWith('+');
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name) || (isOpen && version === undefined))
    throw new Error(
      `it is off, NAME, NAME@VERSION or NAME@VERSION+, the name of letters, digits, _ and -; ${text.slice(0, 60)} is none of them`,
    );
  return { name, version, learns: isOpen || version === undefined };
}

/** The pool `NAME@VERSION`, or the newest version of `NAME`. @throws Error naming those there are */
export async function findPool(pools: Pick<ExperiencePools, 'list'>, wanted: string): Promise<CountedPool> {
  const { name, version } = parseVersionedName(wanted);
  const found = (await pools.list(name)).findLast((each) => version === undefined || each.version === version);
  if (found) return found;
  const there = (await pools.list()).map((each) => `${each.name}@${each.version}`);
  throw new Error(missingText(`pool of experience ${wanted}`, there, 'maw experience build makes one'));
}

/** The policy `NAME@VERSION`, or the newest version of `NAME`. @throws Error naming those there are */
export async function findPolicy(policies: Pick<Policies, 'list'>, wanted: string): Promise<PolicyVersion> {
  const { name, version } = parseVersionedName(wanted);
  const found = (await policies.list(name)).findLast((each) => version === undefined || each.version === version);
  if (found) return found;
  const there = (await policies.list()).map((each) => `${each.name}@${each.version}`);
  const hint = 'maw policy import stores one';
  throw new Error(
    wanted
      ? missingText(`policy ${wanted}`, there, hint)
      : `tactic rl wants a policy: say policy=NAME@VERSION; ${there.length ? `there are ${there.join(', ')}` : hint}`,
  );
}

/** The same with its weights. */
export async function loadPolicy(policies: Pick<Policies, 'get' | 'list'>, wanted: string): Promise<StoredPolicy> {
  const { name, version } = await findPolicy(policies, wanted);
  return (await policies.get(name, version))!;
}

/** `there is no X; there are A, B`. @param hint how to make one, said when there is none at all */
export const missingText = (what: string, there: readonly string[], hint: string): string =>
  `there is no ${what}; ${there.length ? `there are ${there.join(', ')}` : hint}`;

/** @param newest the newest version; 0: there is none */
export const missingVersionText = (set: string, version: number, newest: number): string =>
  `there is no version ${version} of the strategies ${set}; ${newest ? `there are 1 to ${newest}` : 'there is none yet'}`;
