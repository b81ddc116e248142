import { errorCode } from './error-code.ts';

interface GroupCommitOptions<I> {
  /** A batch has at most one item of each key. */
  readonly keyOf: (item: I) => string;
  /** Writes a batch in one transaction. @returns the keys of the items that won; the others lost, which is no error */
  readonly commit: (items: readonly I[]) => Promise<ReadonlySet<string>>;
  readonly maxItems?: number;
}

interface GroupCommit<I> {
  /** Writes an item together with those that are waiting. Resolves to whether it won. */
  add(item: I): Promise<boolean>;
  /** Resolves once nothing is waiting or being committed. */
  drained(): Promise<void>;
}

interface Waiting<I> {
  readonly item: I;
  readonly key: string;
  readonly settle: (won: boolean) => void;
  readonly fail: (why: unknown) => void;
}

/**
 * Group commit: items that arrive during a commit are committed together in the next one; the first never waits.
 * When a batch fails, each of its items is tried alone, so that one bad item does not fail its neighbours.
 */
export function groupCommit<I>({ keyOf, commit, maxItems = 200 }: GroupCommitOptions<I>): GroupCommit<I> {
  const waiting = new Set<Waiting<I>>();
  let running: Promise<void> | undefined;

  const take = () => {
    const taken = new Map<string, Waiting<I>>();
    for (const one of waiting) {
      if (taken.size === maxItems) break;
      if (taken.has(one.key)) continue;
      taken.set(one.key, one);
      waiting.delete(one);
    }
    return [...taken.values()];
  };

  const write = async (group: readonly Waiting<I>[]) => {
    const won = await commit(group.map(({ item }) => item));
    for (const { key, settle } of group) settle(won.has(key));
  };

  const commitAlone = async (one: Waiting<I>) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write([one]);
      } catch (error) {
        if (attempt === ATTEMPTS || !isTransient(error)) return one.fail(error);
      }
    }
  };

  const run = async () => {
    // Items added in the same tick join the batch.
    await Promise.resolve();
    while (waiting.size > 0) {
      const group = take();
      if (group.length === 1) await commitAlone(group[0]!);
      else await write(group).catch(() => Promise.all(group.map(commitAlone)));
    }
    running = undefined;
  };

  return {
    add: (item) =>
      new Promise((settle, fail) => {
        waiting.add({ item, key: keyOf(item), settle, fail });
        running ??= run();
      }),
    drained: async () => running,
  };
}

const ATTEMPTS = 3;

/** A deadlock or a serialization failure: the database asks for a retry. */
const isTransient = (error: unknown) => ['40P01', '40001'].includes(errorCode(error) ?? '');
