import type { Ledger, Store } from '@maw/store/store.ts';

/**
 * The ledger of a store that is opened when it is first wanted, and again as long as it cannot be: a database that is away keeps no gateway
 * from starting.
 */
export function lateLedger(open: () => Promise<Pick<Store, 'ledger' | 'close'>>): { readonly ledger: Ledger; close(): Promise<void> } {
  let opening: ReturnType<typeof open> | undefined;
  let isClosed = false;

  /** @throws what opening throws */
  async function there(): Promise<Ledger> {
    if (isClosed) throw new Error('the ledger is closed');
    opening ??= open();
    try {
      return (await opening).ledger;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    ledger: {
      note: async (...about) => (await there()).note(...about),
      tallies: async (...about) => (await there()).tallies(...about),
      sweep: async (...about) => (await there()).sweep(...about),
    },
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
