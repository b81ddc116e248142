import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { postgresStore } from '@maw/store/postgres.ts';
import { USAGE_OF_DAYS, USAGE_OF_TABLE, type LlmUsage } from '@maw/store/ports/budget-usage.ts';
import type { Store } from '@maw/store/store.ts';
import { databaseUrl, testDatabase } from '@maw/store/test-database.suite.ts';
import { eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { ADMIN, httpGateway, type HttpGateway } from '../http/http-server.suite.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';

jest.setTimeout(600_000);

// Gateways on one PostgreSQL, whose clock is that of the test: the requests are of an hour ago.
const HOUR_AGO = () => Date.now() - 3_600_000;

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('the use of models on PostgreSQL: skipped, because DATABASE_URL is not set', () => undefined);
else {
  describe('gateways that count in one PostgreSQL', () => {
    const opened: { close(): Promise<unknown> }[] = [];
    const keep = <T extends { close(): Promise<unknown> }>(one: T): T => {
      opened.push(one);
      return one;
    };
    let url: string;
    let store: Store;
    let server: FakeOllama;
    beforeAll(async () => {
      url = keep(await testDatabase()).url;
      store = keep(await postgresStore({ url, poolSize: 2, service: 'test' }));
      server = keep(await fakeOllama());
      server.answerAll('there');
    });
    afterAll(async () => {
      for (const one of opened.splice(0).toReversed()) await one.close();
    });

    const gatewayOn = async (llmUsage: LlmUsage, hub = memoryHub()) =>
      keep(
        await httpGateway({
          servers: [serverAt(server.url, 8)],
          options: { checkSlots: false, keepMs: 0 },
          now: HOUR_AGO,
          store: { llmUsage },
          hub,
        }),
      );
    const useAt = async ({ ask }: HttpGateway, query = 'by=key') => (await ask(`/admin/use?${query}`, undefined, { key: ADMIN })).body.use;
    const append = (table: string, after: number, stage: string) =>
      store.tapes.append(table, after, [{ type: 'x' }], {
        at: 1,
        cause: `${table} ${after}`,
        wake: undefined,
        summary: { stage },
        ...(stage === 'over' ? { result: {} } : {}),
      });

    it('adds what two of them count, though connections break, and keeps it over a restart', async () => {
      const killer = new Client({ connectionString: url });
      await killer.connect();
      const two = await Promise.all(
        [1, 2].map(async () => {
          const own = keep(await postgresStore({ url, poolSize: 1, service: 'llm-gateway' }));
          return gatewayOn(own.llmUsage);
        }),
      );
      for (let round = 0; round < 5; round++) {
        await Promise.all(two.flatMap(({ chat }) => [chat('a'), chat('b')]));
        const reading = Promise.all(two.map((each) => useAt(each).catch(() => undefined)));
        // Whatever they do at this moment is cut off.
        await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await reading;
      }
      await killer.end();
      for (const each of two)
        await eventually('the last write', async () => Array.isArray(await useAt(each)) && each.close().then(() => true));
      const next = await gatewayOn(store.llmUsage);
      await next.chat('c');
      expect(await eventually('the sums', () => useAt(next))).toEqual([
        {
          key: expect.stringMatching(/^lab\/bot#[\da-f]{12}$/),
          requests: 21,
          failures: 0,
          prompt: expect.any(Number),
          completion: 42,
          ms: expect.any(Number),
        },
      ]);
    });

    it('tells what a seat used once its table is over, and nothing before, not even in sums of the hour', async () => {
      const hub = memoryHub();
      const gateway = await gatewayOn(store.llmUsage, hub);
      const player = keep(memoryBus({ service: 'player', hub }));
      const ask = (table: string, seat: number) =>
        player.request(
          contracts.write(
            'llm.complete',
            { agent: `${table}:${seat}`, kind: 'xu/act', messages: [{ role: 'user', content: 'x' }] },
            { id: crypto.randomUUID(), source: 'player', subject: table, at: Date.now(), replyBy: Date.now() + 500_000 },
          ),
        );
      await append('night', 0, 'round');
      await append('other', 0, 'round');
      for (const [table, seat] of [
        ['night', 3],
        ['night', 3],
        ['night', 11],
        ['other', 5],
      ] as const)
        expect(await ask(table, seat)).toMatchObject({ performative: 'agree' });
      const everything = async () =>
        JSON.stringify(await Promise.all(['', 'table=night', 'table=other', 'by=recipe'].map((query) => useAt(gateway, query))));
      expect(await everything()).not.toMatch(/night|other|seat/);
      expect(await useAt(gateway, 'table=night')).toEqual([]);
      await append('night', 1, 'over');
      const counts = { failures: 0, prompt: expect.any(Number), ms: expect.any(Number) };
      expect(await useAt(gateway, 'table=night')).toEqual([
        { seat: '3', model: 'm:latest', recipe: 'xu', requests: 2, completion: 4, ...counts },
        { seat: '11', model: 'm:latest', recipe: 'xu', requests: 1, completion: 2, ...counts },
      ]);
      expect(await useAt(gateway, 'table=other')).toEqual([]);
      // The hour that runs is in no view, and counts in it are there all the same.
      const now = Math.floor(Date.now() / 3_600_000) + 1;
      const entry = { key: 'late', model: 'm', recipe: '', table: '', seat: '', requests: 1, failures: 0 };
      await store.llmUsage.add('w', 1, [{ hour: now, ...entry, prompt: 1, completion: 1, ms: 1 }]);
      expect(await store.llmUsage.list({ from: now, to: now + 1, by: USAGE_OF_DAYS }, 9)).toEqual([]);
      expect(await store.llmUsage.list({ table: '', by: USAGE_OF_TABLE }, 9)).toEqual([]);
    });
  });
}
