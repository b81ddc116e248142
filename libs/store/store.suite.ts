import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sameAsMemorySuite } from './ports/same-as-memory.suite.ts';
import { agentSetsSuite } from './ports/agent-sets.suite.ts';
import { budgetUsageSuite } from './ports/budget-usage.suite.ts';
import { contestsSuite } from './ports/contests.suite.ts';
import { experienceSuite } from './ports/experience.suite.ts';
import { policiesSuite } from './ports/policies.suite.ts';
import { tableListsSuite } from './ports/table-lists.suite.ts';
import { roomOrderSuite } from './ports/room-order.suite.ts';
import { tokensSuite } from './ports/tokens.suite.ts';
import { gatewayKeysSuite } from './ports/gateway-keys.suite.ts';
import { heartbeatSuite } from './ports/heartbeat.suite.ts';
import { recordingsSuite } from './ports/recordings.suite.ts';
import { roomsSuite } from './ports/rooms.suite.ts';
import { strategiesSuite } from './ports/strategies.suite.ts';
import type { Store } from './store.ts';
import { tapesSuite } from './ports/tapes.suite.ts';
import { thoughtsSuite } from './ports/thoughts.suite.ts';
import { llmUsageSuite } from './ports/llm-usage.suite.ts';
import { maintenanceSuite } from './ports/maintenance.suite.ts';

/** A store under test, and how to empty it. */
export interface Opened {
  readonly store: Store;
  clear(): Promise<void>;
}

/** The contract of every store. `open` returns another store each time. */
export function storeSuite(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    const store = () => opened.store;
    beforeAll(async () => {
      opened = await open();
    }, 600_000);
    beforeEach(() => opened.clear());
    afterAll(() => opened.store.close());

    tapesSuite(store);
    tableListsSuite(store);
    roomsSuite(store);
    roomOrderSuite(store);
    thoughtsSuite(store);
    recordingsSuite(store);
    experienceSuite(store);
    policiesSuite(store);
    strategiesSuite(store);
    agentSetsSuite(store);
    contestsSuite(store);
    maintenanceSuite(store);
    tokensSuite(store);
    heartbeatSuite(store);
    budgetUsageSuite(store);
    llmUsageSuite(store);
    gatewayKeysSuite(store);
    sameAsMemorySuite(store, () => opened.clear());

    it('reports the same time as its heartbeat', async () => {
      const before = await store().now();
      const { now } = await store().heartbeat.beat(1_000_000);
      expect([before, now, await store().now()].every(Number.isSafeInteger)).toBe(true);
      expect(now).toBeGreaterThanOrEqual(before);
      expect(await store().now()).toBeGreaterThanOrEqual(now);
    });

    it('says how large its database is, and that nobody waits in it', async () => {
      const { bytes, oldestTransactionS, locksWaiting } = await store().use();
      expect([Number.isSafeInteger(bytes), locksWaiting]).toEqual([true, 0]);
      expect(bytes).toBeGreaterThan(1_000_000); // an empty one of PostgreSQL has about seven million
      expect(oldestTransactionS).toBeLessThan(600); // other tests of this server may have one
    });

    it('finishes appends in flight when closed, and rejects calls afterwards', async () => {
      const { store: brief } = await open();
      await brief.ping();
      const writing = { at: 1, cause: 'c', wake: undefined, summary: { stage: 'lobby' } };
      const begin = (table: string) =>
        brief.tapes.append(table, 0, [{ type: 'opened' }], writing).then(
          () => 'won',
          (error: Error) => error.name,
        );
      const appends = [...Array.from({ length: 20 }, (_, i) => begin(`t${i}`)), ...['t0', 't0', 't0'].map(begin)];
      await Promise.resolve();
      await Promise.all([brief.close(), brief.close()]);
      await brief.close();
      expect(await Promise.all(appends)).toEqual([...Array.from({ length: 20 }, () => 'won'), 'Conflict', 'Conflict', 'Conflict']);

      await expect(brief.ping()).rejects.toThrow(/closed|calling end/);
      await expect(brief.now()).rejects.toThrow(/closed|calling end/);
      await expect(brief.tapes.read('t')).rejects.toThrow(/closed|calling end/);
      await expect(brief.budgetUsage.prune(0)).rejects.toThrow(/closed|calling end/);
    }, 600_000);
  });
}
