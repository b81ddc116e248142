/** Things of which the first is wanted. Putting one in or taking one out takes as many steps as their number has binary digits. */
export interface Heap<T> {
  readonly first: T | undefined;
  readonly size: number;
  /** What puts it in order must not change as long as it is in. */
  put(one: T): void;
  /** Takes out one that is in. */
  take(one: T): void;
}

/** A binary heap (Williams 1964) that knows where each thing stands. @param before less than 0 when `one` goes before `other` */
export function heap<T>(before: (one: T, other: T) => number): Heap<T> {
  const all: T[] = [];
  const places = new Map<T, number>();

  function stand(one: T, at: number): void {
    all[at] = one;
    places.set(one, at);
  }

  /** Moves it forward from a free place as far as it goes. */
  function rise(one: T, from: number): number {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (before(one, all[above]!) >= 0) break;
      stand(all[above]!, at);
      at = above;
    }
    stand(one, at);
    return at;
  }

  /** Moves it back from a free place as far as it goes. */
  function sink(one: T, from: number): void {
    let at = from;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= all.length) break;
      if (below + 1 < all.length && before(all[below + 1]!, all[below]!) < 0) below++;
      if (before(all[below]!, one) >= 0) break;
      stand(all[below]!, at);
      at = below;
    }
    stand(one, at);
  }

  return {
    get first() {
      return all[0];
    },
    get size() {
      return all.length;
    },
    put(one) {
      if (places.has(one)) throw new Error('it is in already');
      all.push(one);
      rise(one, all.length - 1);
    },
    take(one) {
      const at = places.get(one);
      if (at === undefined) throw new Error('it is not in');
      places.delete(one);
      const last = all.pop()!;
      if (last !== one && rise(last, at) === at) sink(last, at);
    },
  };
}
