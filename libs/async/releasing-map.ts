/** A map that lets go of values. */
export interface ReleasingMap<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  /** Returns the value that is gone. */
  delete(key: K): V | undefined;
  values(): Iterable<V>;
}

/**
 * A map for large values that come and go, such as requests. V8 replaces the table of a Map now and then, and links the old one to the new. Once a
 * table has survived a full collection, all that follow it survive the quick ones, with the values they had then: each request was kept, and
 * copied twice, until the next full collection. Here the table refers to a small object, which refers to the value until it is deleted.
 */
export function releasingMap<K, V>(): ReleasingMap<K, V> {
  const slots = new Map<K, { value: V | undefined }>();
  return {
    get size() {
      return slots.size;
    },
    get: (key) => slots.get(key)?.value,
    set: (key, value) => void slots.set(key, { value }),
    delete(key) {
      const slot = slots.get(key);
      if (!slot) return undefined;
      slots.delete(key);
      const { value } = slot;
      slot.value = undefined;
      return value;
    },
    *values() {
      for (const { value } of slots.values()) yield value as V;
    },
  };
}
