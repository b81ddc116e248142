/** A binary heap (Williams 1964) that can remove any element. `push` and `remove` take O(log n) steps. */
export interface Heap<T> {
  readonly first: T | undefined;
  readonly size: number;
  /** What orders an element must not change while it is in the heap. */
  push(element: T): void;
  remove(element: T): void;
}

/** @param compare negative when `a` goes before `b` */
export function heap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const elements: T[] = [];
  const indexes = new Map<T, number>();

  function place(element: T, index: number): void {
    elements[index] = element;
    indexes.set(element, index);
  }

  /** Moves an element up from a free index. Returns where it ends. */
  function siftUp(element: T, from: number): number {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      if (compare(element, elements[parent]!) >= 0) break;
      place(elements[parent]!, index);
      index = parent;
    }
    place(element, index);
    return index;
  }

  function siftDown(element: T, from: number): void {
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= elements.length) break;
      if (child + 1 < elements.length && compare(elements[child + 1]!, elements[child]!) < 0) child++;
      if (compare(elements[child]!, element) >= 0) break;
      place(elements[child]!, index);
      index = child;
    }
    place(element, index);
  }

  return {
    get first() {
      return elements[0];
    },
    get size() {
      return elements.length;
    },
    push(element) {
      if (indexes.has(element)) throw new Error('the element is already in the heap');
      elements.push(element);
      siftUp(element, elements.length - 1);
    },
    remove(element) {
      const index = indexes.get(element);
      if (index === undefined) throw new Error('the element is not in the heap');
      indexes.delete(element);
      const last = elements.pop()!;
      if (last !== element && siftUp(last, index) === index) siftDown(last, index);
    },
  };
}
