import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Store } from '@maw/store/store.ts';

/**
 * The ledger of a store that is opened when it is first wanted, and again as long as it cannot be: a database that is away keeps no gateway
 * from starting.
 */
export function lateLedger(open: () => Promise<Pick<Store, 'budgetUsage' | 'close'>>): {
  readonly ledger: BudgetUsage;
  close(): Promise<void>;
} {
  let opening: ReturnType<typeof open> | undefined;
  let isClosed = false;

  /** @throws what opening throws */
  async function there(): Promise<BudgetUsage> {
    if (isClosed) throw new Error('the ledger is closed');
    opening ??= open();
    try {
      return (await opening).budgetUsage;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    ledger: {
      record: async (...about) => (await there()).record(...about),
      list: async (...about) => (await there()).list(...about),
      prune: async (...about) => (await there()).prune(...about),
    },
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
