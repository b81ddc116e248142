import { memoryStore } from './memory.ts';
import { memoryPulse } from './pulse-memory.ts';
import { timedPulseSuite } from './pulse.suite.ts';
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

let now = 0;
let pulse = memoryPulse(() => now);
timedPulseSuite('the pulse in memory by a clock of its own', () => ({
  get pulse() {
    return pulse;
  },
  set: async (to) => void (now = to),
  clear: async () => void (pulse = memoryPulse(() => now)),
}));
