import { describe, expect, it } from '@jest/globals';
import { groupCommit } from './group-commit.ts';

interface Item {
  readonly key: string;
  readonly n?: number;
}

/** A commit that waits to be let through, and remembers what it was given. */
function gated(outcome: (items: readonly Item[]) => ReadonlySet<string> = (items) => new Set(items.map(({ key }) => key))) {
  const given: (readonly Item[])[] = [];
  const gates: (() => void)[] = [];
  let isOpen = false;
  return {
    given,
    keys: () => given.map((items) => items.map(({ key }) => key)),
    async commit(items: readonly Item[]) {
      given.push(items);
      if (!isOpen) await new Promise<void>((resolve) => gates.push(resolve));
      return outcome(items);
    },
    /** Lets one commit through. */
    pass: () => gates.shift()!(),
    open() {
      isOpen = true;
      for (const gate of gates) gate();
    },
  };
}

const keyOf = ({ key }: Item) => key;
const failure = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

describe('group commit', () => {
  it('batches entries that arrive during a commit', async () => {
    const { commit, keys, open } = gated();
    const { add } = groupCommit<Item>({ keyOf, commit });
    const first = add({ key: 'm' });
    await Promise.resolve();
    const rest = ['z', 'a', 'k'].map((key) => add({ key }));
    open();
    expect(await Promise.all([first, ...rest])).toEqual([true, true, true, true]);
    expect(keys()).toEqual([['m'], ['z', 'a', 'k']]);
  });

  it('puts one entry per key in a batch, in order of arrival', async () => {
    const { commit, given, open } = gated();
    const { add } = groupCommit<Item>({ keyOf, commit });
    open();
    await Promise.all([add({ key: 'a', n: 1 }), add({ key: 'a', n: 2 }), add({ key: 'b', n: 3 }), add({ key: 'a', n: 4 })]);
    expect(given.map((items) => items.map(({ n }) => n))).toEqual([[1, 3], [2], [4]]);
  });

  it('limits the size of a batch', async () => {
    const { commit, given, open } = gated();
    const { add } = groupCommit<Item>({ keyOf, commit, maxItems: 3 });
    open();
    await Promise.all(Array.from({ length: 7 }, (_, i) => add({ key: `k${i}` })));
    expect(given.map((items) => items.length)).toEqual([3, 3, 1]);
  });

  it('resolves each entry with whether it won', async () => {
    const { commit, open } = gated(() => new Set(['b']));
    const { add } = groupCommit<Item>({ keyOf, commit });
    open();
    expect(await Promise.all(['a', 'b', 'c'].map((key) => add({ key })))).toEqual([false, true, false]);
  });

  it('retries the entries of a failed batch one by one, so only bad ones fail', async () => {
    const { commit, keys, open } = gated((items) => {
      if (items.some(({ key }) => key === 'bad')) throw failure('22P05');
      return new Set(items.map(({ key }) => key));
    });
    const { add } = groupCommit<Item>({ keyOf, commit });
    open();
    const settled = await Promise.allSettled(['a', 'bad', 'c'].map((key) => add({ key })));
    expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
      true,
      'Error: failed with 22P05',
      true,
    ]);
    expect(keys()).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('continues after a failure', async () => {
    let isDown = true;
    const { commit, open } = gated((items) => {
      if (isDown) throw failure('08006');
      return new Set(items.map(({ key }) => key));
    });
    const { add, drained } = groupCommit<Item>({ keyOf, commit });
    open();
    await expect(add({ key: 'a' })).rejects.toThrow('failed with 08006');
    await drained();
    isDown = false;
    expect(await add({ key: 'a' })).toBe(true);
  });

  it.each(['40P01', '40001'])('retries after %s, a limited number of times', async (code) => {
    let failures = 2;
    const { commit, given, open } = gated((items) => {
      if (failures-- > 0) throw failure(code);
      return new Set(items.map(({ key }) => key));
    });
    const { add } = groupCommit<Item>({ keyOf, commit });
    open();
    expect(await add({ key: 'a' })).toBe(true);
    expect(given.length).toBe(3);
    failures = Infinity;
    await expect(add({ key: 'a' })).rejects.toThrow(code);
    expect(given.length).toBe(6);
  });

  it('does not retry other errors', async () => {
    const { commit, given, open } = gated(() => {
      throw failure('57014');
    });
    const { add } = groupCommit<Item>({ keyOf, commit });
    open();
    await expect(add({ key: 'a' })).rejects.toThrow('57014');
    expect(given.length).toBe(1);
  });

  it('is drained when nothing waits or runs', async () => {
    const { commit, given, pass } = gated();
    const { add, drained } = groupCommit<Item>({ keyOf, commit });
    await drained();
    const settled: string[] = [];
    const all = ['a', 'a'].map((key, i) => add({ key }).then(() => settled.push(`${key}${i}`)));
    const empty = drained().then(() => settled.push('drained'));
    while (given.length < 1) await Promise.resolve();
    pass();
    while (given.length < 2) await Promise.resolve();
    pass();
    await Promise.all([...all, empty]);
    expect(settled).toEqual(['a0', 'a1', 'drained']);
  });
});
