/** The weight of all ways to deal some cards, at most one to a seat: in total, and by seat with no card, or with one of each kind. */
export interface Ways {
  readonly total: number;
  readonly shares: readonly (readonly number[])[];
}

/**
 * Deals `cards[kind]` cards of each kind by the forward-backward algorithm over the seats; the state is how many of each kind are dealt. So
 * the time grows with the seats, not with the ways.
 * @returns a function of the likelihood of each seat's evidence with no card, then with a card of each kind
 */
export function dealer(cards: readonly number[]): (weights: readonly (readonly number[])[]) => Ways {
  const strides = cards.map((_, kind) => cards.slice(0, kind).reduce((product, n) => product * (n + 1), 1));
  const states = cards.reduce((product, n) => product * (n + 1), 1);
  /** By kind: the states in which one more can be dealt. */
  const from = cards.map((n, kind) =>
    Array.from({ length: states }, (_, state) => state).filter((state) => Math.floor(state / strides[kind]!) % (n + 1) < n),
  );

  /** The weights of dealing to the first seats, and to the later ones, by state. They are made once, and filled for each question. */
  const before = [new Float64Array(states)];
  let rest = new Float64Array(states);
  let next = new Float64Array(states);
  before[0]![0] = 1;

  /** The weights after one more seat. */
  function after(last: Float64Array, row: readonly number[], then = new Float64Array(states)) {
    for (let state = 0; state < states; state++) then[state] = last[state]! * row[0]!;
    for (let kind = 0; kind < from.length; kind++) {
      const p = row[kind + 1]!;
      const stride = strides[kind]!;
      if (p) for (const state of from[kind]!) then[state + stride]! += last[state]! * p;
    }
    return then;
  }

  return (weights) => {
    for (const [i, row] of weights.entries()) before[i + 1] = after(before[i]!, row, before[i + 1]);
    const shares: number[][] = [];
    rest.fill(0);
    rest[states - 1] = 1;
    for (let i = weights.length - 1; i >= 0; i--) {
      const row = weights[i]!;
      const last = before[i]!;
      const share = [0];
      for (let state = 0; state < states; state++) {
        next[state] = rest[state]! * row[0]!;
        share[0]! += last[state]! * next[state]!;
      }
      for (let kind = 0; kind < from.length; kind++) {
        const p = row[kind + 1]!;
        const stride = strides[kind]!;
        let sum = 0;
        if (p)
          for (const state of from[kind]!) {
            const ways = p * rest[state + stride]!;
            sum += last[state]! * ways;
            next[state]! += ways;
          }
        share.push(sum);
      }
      shares[i] = share;
      [rest, next] = [next, rest];
    }
    return { total: before[weights.length]![states - 1]!, shares };
  };
}
