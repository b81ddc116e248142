/** What a heap notes on an element: where it is, undefined while it is in none. An element is in one heap at a time. */
export interface HeapElement {
  heapIndex?: number | undefined;
}

/** A binary heap (Williams 1964) that can remove any element. `push` and `remove` take O(log n) steps. */
export interface Heap<T> {
  readonly first: T | undefined;
  readonly size: number;
  /** What orders an element must not change while it is in the heap. */
  push(element: T): void;
  remove(element: T): void;
}

/** @param compare negative when `a` goes before `b` */
export function heap<T extends HeapElement>(compare: (a: T, b: T) => number): Heap<T> {
  const elements: T[] = [];

  function place(element: T, index: number): void {
    elements[index] = element;
    element.heapIndex = index;
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
      if (element.heapIndex !== undefined) throw new Error('the element is already in a heap');
      elements.push(element);
      siftUp(element, elements.length - 1);
    },
    remove(element) {
      const index = element.heapIndex;
      if (index === undefined || elements[index] !== element) throw new Error('the element is not in the heap');
      element.heapIndex = undefined;
      const last = elements.pop()!;
      if (last !== element && siftUp(last, index) === index) siftDown(last, index);
    },
  };
}
