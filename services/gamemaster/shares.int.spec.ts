import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { brokerForTests, type RabbitFixture, rabbitFixture } from '@maw/bus/rabbitmq/rabbit-fixture.suite.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { type ContractName, contracts, type Input, type Message } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { gamemaster } from './service.ts';

const TABLES = Array.from({ length: 200 }, (_, n) => `table-${n}`);
const options = { shareEveryMs: 100, metricsEveryMs: 0, obeyBacklog: false, obeyCapacity: false };

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!brokerForTests) it.skip('gamemasters that share tables: skipped, because AMQP_URL is not set', () => undefined);
else {
  describe('gamemasters on one broker', () => {
    let fixture: RabbitFixture;
    let web: Bus;
    const store = memoryStore({ service: 'gamemaster', now: Date.now });
    const conflicts = () => metricValue(metrics.conflicts, { service: 'gamemaster' });
    beforeEach(async () => {
      fixture = await rabbitFixture(brokerForTests!);
      web = await fixture.open('web');
    }, 600_000);
    afterEach(() => fixture.close(), 600_000);

    async function started(replica: string) {
      const bus = await fixture.open('gamemaster');
      const { tapes, heartbeat } = store;
      const one = await gamemaster({
        bus,
        tapes,
        heartbeat,
        now: Date.now,
        log: logger('gamemaster', { level: 'silent' }),
        replica,
        options,
      });
      return { ...one, tables: () => one.inside().running };
    }
    const ask = <N extends ContractName>(name: N, table: string, data: Input<N>) => {
      const about = { id: randomUUID(), source: 'web', subject: table, at: Date.now(), replyBy: Date.now() + 240_000 };
      return web.request(contracts.write(name, data as never, about) as unknown as Message<N>);
    };
    const LONG = { dayMs: 600_000, nightMs: 600_000 };
    const seats = Array.from({ length: 6 }, () => ({ kind: 'person' as const }));
    const everywhere = async (act: (table: string) => Promise<unknown>): Promise<void> => void (await Promise.all(TABLES.map(act)));
    const joined = (name: string) => everywhere((table) => ask('table.join', table, { name }));
    const seen = () => everywhere((table) => ask('table.view', table, { eye: 'audience' }));

    it('hold a share of the tables each, and write none of them in vain', async () => {
      const [a, b] = [await started('a'), await started('b')];
      const most = TABLES.length * 0.6;
      await everywhere((table) => ask('table.open', table, { rules: 'maw', seats, options: LONG }));
      await pollUntil('both have found each other, and forgotten the tables of the other', async () => {
        await seen();
        return a.tables() + b.tables() === TABLES.length && a.tables() > 0 && b.tables() > 0 && a.tables() <= most && b.tables() <= most;
      });
      const before = await conflicts();
      for (const name of ['Ann', 'Bob', 'Cat']) await joined(name);
      await seen();
      expect((await conflicts()) - before).toBeLessThan(TABLES.length * 3 * 0.01);
      expect(a.tables() + b.tables()).toBe(TABLES.length);

      // One ends, and the other takes all; a new one comes, and is given its share.
      await a.close();
      await joined('Dan');
      await seen();
      expect(b.tables()).toBe(TABLES.length);
      const c = await started('c');
      await pollUntil('the new one has its share', async () => {
        await seen();
        return c.tables() > 0 && c.tables() <= most && b.tables() <= most;
      });
      await joined('Eve');
      for (const table of TABLES) {
        const tape = await store.tapes.read(table);
        expect(tape.filter(({ event }) => event.type === 'joined')).toHaveLength(5);
      }
      expect(await fixture.dead('gamemaster')).toEqual([]);
      await Promise.all([b.close(), c.close()]);
    }, 600_000);
  });
}
