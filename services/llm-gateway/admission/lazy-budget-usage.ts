import type { BudgetUsage, LlmUsage } from '@maw/store/ports/budget-usage.ts';
import type { Store } from '@maw/store/store.ts';

type UsedStore = Pick<Store, 'budgetUsage' | 'llmUsage' | 'now' | 'close'>;

/** The parts of a store that is opened on first use, and again after a failure, so that a gateway starts without its database. */
export function lazyBudgetUsage(open: () => Promise<UsedStore>): {
  readonly budgetUsage: BudgetUsage;
  readonly llmUsage: LlmUsage;
  /** The clock of the database, as `Store.now`. */
  now(): Promise<number>;
  close(): Promise<void>;
} {
  let opening: ReturnType<typeof open> | undefined;
  let isClosed = false;

  /** @throws what `open` throws */
  async function opened(): Promise<UsedStore> {
    if (isClosed) throw new Error('the budget database is closed');
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    budgetUsage: {
      record: async (...args) => (await opened()).budgetUsage.record(...args),
      list: async (...args) => (await opened()).budgetUsage.list(...args),
      prune: async (...args) => (await opened()).budgetUsage.prune(...args),
    },
    llmUsage: {
      add: async (...args) => (await opened()).llmUsage.add(...args),
      list: async (...args) => (await opened()).llmUsage.list(...args),
    },
    now: async () => (await opened()).now(),
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
