import { toJson } from '@maw/store/memory/json.ts';
import { compareBytes } from './compare-bytes.ts';
import type { Thought, ThoughtDecision, Thoughts } from '@maw/store/ports/thoughts.ts';
import type { MemoryThought, MemoryDatabase } from './database.ts';

/** Thoughts and memories in memory. */
export function memoryThoughts({ thoughts: steps, memories }: Pick<MemoryDatabase, 'thoughts' | 'memories'>): Thoughts {
  const port: Thoughts = {
    async record({ content, ...about }) {
      const { table, seat, decision, step, kind, name } = about;
      const place = key(table, seat, decision, step);
      const at = step === 1 ? (steps.get(place)?.at ?? about.at) : about.at;
      steps.set(place, { table, seat, decision, step, kind, name, at, content: toJson(content) });
    },

    async list(table, { seat, decision, after = 0, limit } = {}) {
      const found = [...steps.values()].filter(
        (each) =>
          each.table === table &&
          each.step > after &&
          (seat === undefined || each.seat === seat) &&
          (decision === undefined || each.decision === decision),
      );
      const began = new Map<string, number>();
      for (const { seat: by, decision: on, at } of found.toSorted((a, b) => b.step - a.step)) began.set(key(by, on), at);
      const beginning = ({ seat: by, decision: on }: MemoryThought) => began.get(key(by, on))!;
      return found
        .toSorted((a, b) => beginning(a) - beginning(b) || a.seat - b.seat || compareBytes(a.decision, b.decision) || a.step - b.step)
        .slice(0, limit)
        .map((each): Thought => ({ ...each, content: JSON.parse(each.content) }));
    },

    async decisions(table, { seat, decision, after = 0, limit }) {
      const own = [...steps.values()].filter((each) => each.table === table);
      return [...Map.groupBy(own, (each) => key(each.seat, each.decision)).values()]
        .map(summaryOf)
        .toSorted((a, b) => a.began - b.began || a.seat - b.seat || compareBytes(a.decision, b.decision))
        .map((each, i): ThoughtDecision => ({ n: i + 1, ...each }))
        .filter((each) => each.n > after && (seat ?? each.seat) === each.seat && (decision ?? each.decision) === each.decision)
        .slice(0, limit);
    },

    async recall(table, seat) {
      const known = memories.get(key(table, seat));
      return known && JSON.parse(known.memory);
    },

    async recallAll(table, seats) {
      return Promise.all(seats.map((seat) => port.recall(table, seat)));
    },

    async remember(table, seat, n, memory, { sequence = Infinity, thoughts = [] } = {}) {
      for (const thought of thoughts) await port.record({ ...thought, table });
      const known = memories.get(key(table, seat));
      if (known && (known.n > n || sequenceOf(known.memory) > sequence)) return false;
      memories.set(key(table, seat), { table, n, memory: toJson(memory) });
      return true;
    },
  };
  return port;
}

const sequenceOf = (memory: string): number =>
  (JSON.parse(memory) as { readonly decision?: { readonly sequence?: number } } | null)?.decision?.sequence ?? 0;

const key = (...parts: readonly (string | number)[]) => JSON.stringify(parts);

function summaryOf(steps: readonly MemoryThought[]): Omit<ThoughtDecision, 'n'> {
  const [first] = steps.toSorted((a, b) => a.step - b.step);
  const { seat, decision, content } = first!;
  const times = steps.map(({ at }) => at);
  const { phase, trace } = JSON.parse(content) as { readonly phase?: string; readonly trace?: string };
  return { seat, decision, phase, trace, began: first!.at, ended: Math.max(...times), steps: steps.length };
}
