import type { Strategies, StrategyVersion } from '@maw/store/ports/strategies.ts';
import { compareBytes } from './compare-bytes.ts';

/** Strategies in memory. */
export function memoryStrategies(): Strategies {
  const sets = new Map<string, { frozen: number | undefined; readonly versions: StrategyVersion[] }>();
  const versionsOf = (name: string): readonly StrategyVersion[] => sets.get(name)?.versions ?? [];
  const keyOf = ({ recipe, rules, role }: StrategyVersion): string => JSON.stringify([recipe, rules, role]);
  const isOf = (a: StrategyVersion, b: object): boolean =>
    Object.entries(b).every(([field, value]) => value === undefined || a[field as keyof StrategyVersion] === value);
  return {
    async add(given) {
      const { name, recipe, rules, role, table, round, seat, parent } = given;
      const set = sets.get(name) ?? { frozen: undefined, versions: [] };
      sets.set(name, set);
      const { versions } = set;
      if (versions.some((each) => isOf(each, { table, round, seat }))) return 'known';
      if (set.frozen !== undefined) return 'frozen';
      if ((versions.findLast((each) => isOf(each, { recipe, rules, role }))?.version ?? 0) !== parent) return 'outdated';
      versions.push(structuredClone({ ...given, version: versions.length + 1 }));
      return versions.length;
    },

    async has(name, { table, round, seat }) {
      return versionsOf(name).some((each) => isOf(each, { table, round, seat }));
    },

    async newest(name, { version = Infinity, recipe, rules, role } = {}) {
      const wanted = versionsOf(name).filter((each) => each.version <= version && isOf(each, { recipe, rules, role }));
      const last = [...Map.groupBy(wanted, keyOf).values()].map((each) => each.at(-1)!);
      const order = (a: StrategyVersion, b: StrategyVersion) =>
        compareBytes(a.recipe, b.recipe) || compareBytes(a.rules, b.rules) || compareBytes(a.role, b.role);
      return structuredClone(last.toSorted(order));
    },

    async list(name) {
      const wanted = [...sets].filter(([each]) => name === undefined || each === name).toSorted(([a], [b]) => compareBytes(a, b));
      return wanted.map(([each, { frozen, versions }]) => {
        const games = new Set(versions.map(({ table, round }) => JSON.stringify([table, round]))).size;
        const at = versions.length ? Math.max(...versions.map((version) => version.at)) : undefined;
        return { name: each, newest: versions.length, frozen, games, at };
      });
    },

    async freeze(name, at) {
      const set = sets.get(name);
      if (set) set.frozen ??= at;
      return set !== undefined;
    },
  };
}
