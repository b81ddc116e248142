import { errorCode } from '../driver/error-code.ts';

export interface GroupCommitOptions<I> {
  /** Items of one key never go into one batch together. */
  readonly keyOf: (item: I) => string;
  /** Writes all of them in one go. @returns the keys of those that won; the others have lost, which is no error */
  readonly commit: (items: readonly I[]) => Promise<ReadonlySet<string>>;
  readonly most?: number;
}

export interface GroupCommit<I> {
  /** Writes an item along with those that wait beside it. Resolves to whether it won. */
  add(item: I): Promise<boolean>;
  /** Resolves once nothing is waiting or under way. */
  drained(): Promise<void>;
}

interface Waiting<I> {
  readonly item: I;
  readonly key: string;
  readonly settle: (won: boolean) => void;
  readonly fail: (why: unknown) => void;
}

/**
 * Group commit: what arrives while a commit is under way goes together in the next one. The first does not wait for company.
 * When a batch fails, each of its items is tried on its own, so that one that cannot be written does not take its neighbours along.
 */
export function groupCommit<I>({ keyOf, commit, most = 200 }: GroupCommitOptions<I>): GroupCommit<I> {
  const waiting = new Set<Waiting<I>>();
  let running: Promise<void> | undefined;

  const take = () => {
    const taken = new Map<string, Waiting<I>>();
    for (const one of waiting) {
      if (taken.size === most) break;
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

  const alone = async (one: Waiting<I>) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write([one]);
      } catch (error) {
        if (attempt === ATTEMPTS || !isFleeting(error)) return one.fail(error);
      }
    }
  };

  const run = async () => {
    // A turn of the event loop: those that were called in the same breath come along.
    await Promise.resolve();
    while (waiting.size > 0) {
      const group = take();
      if (group.length === 1) await alone(group[0]!);
      else await write(group).catch(() => Promise.all(group.map(alone)));
    }
    running = undefined;
  };

  return {
    add: (item) =>
      new Promise((settle, fail) => {
        waiting.add({ item, key: keyOf(item), settle, fail });
        running ??= run();
      }),
    // It runs for as long as there is something to do, and what comes later is somebody else's.
    drained: async () => running,
  };
}

const ATTEMPTS = 3;

/** A deadlock or a serialization failure: the database asks to be asked again. */
const isFleeting = (error: unknown) => ['40P01', '40001'].includes(errorCode(error) ?? '');
