import type { Strategies, StrategySet, StrategyVersion } from '@maw/store/ports/strategies.ts';
import type { CliConfig } from '../config.ts';
import { withStore } from '../maintenance/open-store.ts';
import { say, sayColumns } from '../output.ts';
import { sanitizeText } from '../transcript.ts';

interface Common {
  readonly data: string;
  readonly json: boolean;
}

/** `maw strategy list`. */
export const list = ({ json, ...options }: Common, config: CliConfig): Promise<number> =>
  withStore(options, config, async ({ strategies }) => {
    const sets = await strategies.list();
    if (json) return sets.forEach((set) => say(JSON.stringify(set)));
    if (!sets.length) return say('There are no strategies; ./maw play --minds lan:strategies=NAME learns some.');
    const day = (at: number | undefined): string => (at === undefined ? '-' : new Date(at).toISOString().slice(0, 10));
    const rows = sets.map(({ name, newest, games, at, frozen }) => [name, String(newest), String(games), day(at), day(frozen)]);
    sayColumns([['set', 'newest version', 'games', 'written', 'frozen'], ...rows]);
  });

/** `maw strategy show`. */
export const show = (
  name: string,
  role: string | undefined,
  options: Common & { readonly version?: number },
  config: CliConfig,
): Promise<number> =>
  withStore(options, config, async ({ strategies }) => {
    const { newest, frozen } = await findSet(strategies, name);
    const { version = newest, json } = options;
    mustExist(name, version, newest);
    const all = await strategies.newest(name, { version });
    const found = all.filter((each) => role === undefined || each.role === role);
    if (!found.length) {
      const roles = [...new Set(all.map((each) => each.role))].join(', ');
      throw new Error(
        `${name}@${version} has no strategy${role === undefined ? '' : ` for the role ${role}; it has ${roles || 'none at all'}`}`,
      );
    }
    if (json) return found.forEach((each) => say(JSON.stringify(each)));
    say(`${name}@${version}${frozen === undefined ? '' : ', frozen'}`);
    for (const each of found) {
      say(
        `\n${titleOf(each)}, version ${each.version} (revises ${each.parent || 'the recipe’s own'}; table ${each.table}, round ${each.round}, seat ${each.seat})`,
      );
      for (const line of linesOf(each)) say(`  ${line}`);
    }
  });

/** `maw strategy diff`. */
export const diff = (name: string, from: number, to: number, { json, ...options }: Common, config: CliConfig): Promise<number> =>
  withStore(options, config, async ({ strategies }) => {
    const { newest } = await findSet(strategies, name);
    for (const version of [from, to]) mustExist(name, version, newest);
    const [before, after] = await Promise.all([from, to].map((version) => strategies.newest(name, { version })));
    const changes = changesOf(before!, after!);
    if (json) return changes.forEach((change) => say(JSON.stringify(change)));
    if (!changes.length) return say(`Nothing differs between ${name}@${from} and ${name}@${to}.`);
    for (const { recipe, rules, role, from: old, to: now, removed, added } of changes) {
      say(`${titleOf({ recipe, rules, role })}: version ${old ?? 'none'} to ${now ?? 'none'}`);
      for (const line of removed) say(`- ${line}`);
      for (const line of added) say(`+ ${line}`);
      say('');
    }
  });

/** `maw strategy freeze`. */
export const freeze = (name: string, options: { readonly data: string }, config: CliConfig): Promise<number> =>
  withStore(options, config, async ({ strategies, now }) => {
    const { newest } = await findSet(strategies, name);
    await strategies.freeze(name, await now());
    say(`${name} is frozen at version ${newest}: games read it, and none adds to it.`);
  });

async function findSet(strategies: Strategies, name: string): Promise<StrategySet> {
  const [found] = await strategies.list(name);
  if (found) return found;
  const there = (await strategies.list()).map((set) => set.name).join(', ');
  throw new Error(
    `there is no set of strategies ${name}; ${there ? `there are ${there}` : './maw play --minds lan:strategies=NAME makes one'}`,
  );
}

function mustExist(name: string, version: number, newest: number): void {
  if (version > newest) throw new Error(`${name} has no version ${version}; ${newest ? `it has 1 to ${newest}` : 'it has none yet'}`);
}

type Titled = Pick<StrategyVersion, 'recipe' | 'rules' | 'role'>;
const titleOf = ({ recipe, rules, role }: Titled): string => `${rules} ${role} (${recipe})`;

/** What was learned, a line for each part. */
function linesOf({ lesson }: Pick<StrategyVersion, 'lesson'>): readonly string[] {
  return Object.entries(lesson).flatMap(([part, value]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' && text ? [`${part}: ${sanitizeText(text)}`] : [])),
  );
}

interface Change extends Titled {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function changesOf(before: readonly StrategyVersion[], after: readonly StrategyVersion[]): readonly Change[] {
  const roles = Map.groupBy([...before, ...after], titleOf);
  return [...roles.keys()].toSorted().flatMap((title) => {
    const [old, now] = [before, after].map((versions) => versions.find((each) => titleOf(each) === title));
    if (old?.version === now?.version) return [];
    const { recipe, rules, role } = (old ?? now)!;
    const [was, is] = [old, now].map((each) => (each ? linesOf(each) : [])) as [readonly string[], readonly string[]];
    const removed = was.filter((line) => !is.includes(line));
    const added = is.filter((line) => !was.includes(line));
    return [{ recipe, rules, role, from: old?.version, to: now?.version, removed, added }];
  });
}
