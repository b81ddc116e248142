import type { Policies, StoredPolicy } from '@maw/store/ports/policies.ts';
import { compareBytes } from './compare-bytes.ts';

/** Policies in memory. */
export function memoryPolicies(): Policies {
  const policies: StoredPolicy[] = [];
  const of = (name: string): readonly StoredPolicy[] => policies.filter((policy) => policy.name === name);
  return {
    async add(policy) {
      const version = of(policy.name).length + 1;
      policies.push(structuredClone({ ...policy, version }));
      return version;
    },
    async list(name) {
      return (name === undefined ? policies : of(name))
        .toSorted((a, b) => compareBytes(a.name, b.name) || a.version - b.version)
        .map(({ weights: _, ...about }) => structuredClone(about));
    },
    async get(name, version) {
      return structuredClone(of(name).find((policy) => policy.version === version));
    },
  };
}
