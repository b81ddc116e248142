import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Store } from '@maw/store/store.ts';

/** The budget usage of a store that is opened on first use, and again after a failure, so that a gateway starts without its database. */
export function lazyBudgetUsage(open: () => Promise<Pick<Store, 'budgetUsage' | 'close'>>): {
  readonly budgetUsage: BudgetUsage;
  close(): Promise<void>;
} {
  let opening: ReturnType<typeof open> | undefined;
  let isClosed = false;

  /** @throws what `open` throws */
  async function opened(): Promise<BudgetUsage> {
    if (isClosed) throw new Error('the budget database is closed');
    opening ??= open();
    try {
      return (await opening).budgetUsage;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    budgetUsage: {
      record: async (...args) => (await opened()).record(...args),
      list: async (...args) => (await opened()).list(...args),
      prune: async (...args) => (await opened()).prune(...args),
    },
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
