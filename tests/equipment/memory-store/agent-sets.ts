import type { AgentSets } from '@maw/store/ports/agent-sets.ts';
import { compareBytes } from './compare-bytes.ts';
import type { MemoryDatabase } from './database.ts';

/** Sets of outside agents in memory. */
export const memoryAgentSets = ({ agentSets: sets, agentFaults: all }: MemoryDatabase): AgentSets => ({
  async begin(set) {
    if (!sets.has(set.id)) sets.set(set.id, structuredClone(set));
  },

  async end(id, at) {
    const known = sets.get(id);
    if (known) sets.set(id, { ended: at, ...known });
  },

  async discard(id, at) {
    const known = sets.get(id);
    if (known) sets.set(id, { ended: at, ...known, number: 0 });
  },

  async running() {
    const left = [...sets.values()].filter(({ ended }) => ended === undefined);
    return structuredClone(left.toSorted((a, b) => a.at - b.at || compareBytes(a.id, b.id)));
  },

  async get(id) {
    return structuredClone(sets.get(id));
  },

  async latest(division, fields) {
    const same = [...sets.values()].filter(
      (set) => set.division === division && set.number > 0 && Object.entries(fields).every(([field, value]) => set.terms[field] === value),
    );
    return structuredClone(same.toSorted((a, b) => b.at - a.at || b.number - a.number)[0]);
  },

  async addFaults(faults) {
    for (const fault of faults) {
      const key = JSON.stringify([fault.set, fault.question, fault.seat]);
      const n = Math.max(0, ...[...all.values()].map(({ fault: each }) => each.n)) + 1;
      if (!all.has(key)) all.set(key, { table: fault.set, fault: structuredClone({ ...fault, n }) });
    }
  },

  async faults(set, after = 0, limit = 1000) {
    const wanted = [...all.values()].flatMap(({ fault }) => (fault.set === set && fault.n > after ? [fault] : []));
    return structuredClone(wanted.slice(0, limit));
  },
});
