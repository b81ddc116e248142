import type { Store } from '@maw/store/store.ts';

/** What a gateway needs of a database that may be missing at first. */
type UsedStore = Pick<Store, 'budgetUsage' | 'llmUsage' | 'gatewayKeys' | 'now' | 'close'>;

/** The parts of a store that is opened on first use, and again after a failure, so that a gateway starts without its database. */
export function lazyStore(open: () => Promise<UsedStore>): UsedStore {
  let opening: ReturnType<typeof open> | undefined;
  let isClosed = false;

  /** @throws what `open` throws */
  async function opened(): Promise<UsedStore> {
    if (isClosed) throw new Error('the database is closed');
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
    gatewayKeys: {
      list: async () => (await opened()).gatewayKeys.list(),
      add: async (key) => (await opened()).gatewayKeys.add(key),
      remove: async (id) => (await opened()).gatewayKeys.remove(id),
    },
    now: async () => (await opened()).now(),
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
