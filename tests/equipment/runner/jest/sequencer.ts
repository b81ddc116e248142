import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../../source/repository.ts';

/**
 * The suites that take longest, in the order in which they start, at most two end-to-end suites at once: none is left to run alone at the end, and
 * those that keep a core busy, the chaos run and the browser, start apart.
 */
export const LONGEST: readonly string[] = [
  'tests/observability/boards.e2e.spec.ts',
  'tests/equipment/servers/rabbitmq-cluster.e2e.spec.ts',
  'tests/equipment/chaos/chaos-run.e2e.spec.ts',
  'tests/e2e/human.e2e.spec.ts',
  'tests/infra/broker.e2e.spec.ts',
  'tests/console/console.e2e.spec.ts',
  'tests/equipment/leaks/paired-run.storm.spec.ts',
  'tests/equipment/schedules/product.storm.spec.ts',
  'libs/store/pglite.spec.ts',
  'tests/equipment/fuzz/fuzz.storm.spec.ts',
  'libs/minds/model-recipes.spec.ts',
];

interface Suite {
  readonly path: string;
}

/** Orders the suites for Jest: the longest first, the others by the size of their files. */
export default class RunnerSequencer {
  sort<T extends Suite>(suites: readonly T[]): readonly T[] {
    const rankOf = (path: string): number => {
      const rank = LONGEST.indexOf(relative(root, path));
      return rank < 0 ? LONGEST.length : rank;
    };
    const ordered = suites.map((suite) => ({ suite, rank: rankOf(suite.path), bytes: statSync(suite.path).size }));
    return ordered.toSorted((a, b) => a.rank - b.rank || b.bytes - a.bytes).map(({ suite }) => suite);
  }

  /** Jest wants it; the order depends on no earlier run. */
  cacheResults(): void {}
}
