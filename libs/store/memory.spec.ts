import { memoryStore } from './memory.ts';
import { storeSuite, type Opened } from './store.suite.ts';

storeSuite('the store in memory', async (): Promise<Opened> => {
  let store = memoryStore();
  return {
    get store() {
      return store;
    },
    async clear() {
      store = memoryStore();
    },
  };
});
