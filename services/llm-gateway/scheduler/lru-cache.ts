interface Bounds {
  /** How many values. */
  readonly most: number;
  /** How long each. */
  readonly forMs: number;
  /** The weight of all together. */
  readonly mostWeight: number;
}

export interface Kept<Value> {
  get(id: string, at: number): Value | undefined;
  put(id: string, value: Value, weight: number, at: number): void;
  drop(id: string): void;
  readonly size: number;
}

/** What is remembered for a while: the least recently used goes when there are too many, they weigh too much, or their time is over. */
export function kept<Value>({ most, forMs, mostWeight }: Bounds): Kept<Value> {
  const values = new Map<string, { readonly value: Value; readonly weight: number; readonly until: number }>();
  let weight = 0;
  const drop = (id: string): void => {
    weight -= values.get(id)?.weight ?? 0;
    values.delete(id);
  };
  return {
    get(id, at) {
      const found = values.get(id);
      if (!found) return undefined;
      if (found.until <= at) {
        drop(id);
        return undefined;
      }
      values.delete(id);
      values.set(id, found);
      return found.value;
    },
    put(id, value, heavy, at) {
      drop(id);
      values.set(id, { value, weight: heavy, until: at + forMs });
      weight += heavy;
      for (const [oldest, { until }] of values) {
        if (values.size <= most && weight <= mostWeight && until > at) break;
        drop(oldest);
      }
    },
    drop,
    get size() {
      return values.size;
    },
  };
}
