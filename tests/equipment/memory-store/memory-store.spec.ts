import { memoryStore } from './memory-store.ts';
import { memoryHeartbeat } from './heartbeat.ts';
import { timedHeartbeatSuite } from '@maw/store/ports/heartbeat.suite.ts';
import { storeSuite, type Opened } from '@maw/store/store.suite.ts';

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
let heartbeat = memoryHeartbeat(() => now);
timedHeartbeatSuite('the heartbeat in memory by a clock of its own', () => ({
  get heartbeat() {
    return heartbeat;
  },
  set: async (to) => void (now = to),
  clear: async () => void (heartbeat = memoryHeartbeat(() => now)),
}));
