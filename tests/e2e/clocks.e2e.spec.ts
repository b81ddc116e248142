import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { createWebClient, type WebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { testDatabase } from '@maw/store/test-database.suite.ts';
import { amqpUrl, databaseUrl } from '../equipment/servers/running-system.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** How far the clock of each service is ahead when it starts. */
const AT_START: Readonly<Record<string, number>> = {
  'gamemaster': 6 * SECOND,
  'chatroom': -6 * SECOND,
  'player': HOUR,
  'llm-gateway': -10 * MINUTE,
  'web': -HOUR,
};
const preload = pathToFileURL(join(import.meta.dirname, '../equipment/servers/skewed-clock.ts')).href;
const isPossible = amqpUrl !== undefined && databaseUrl !== undefined;

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPossible ? describe : describe.skip;

here(`services on machines with wrong clocks${isPossible ? '' : ' (skipped: AMQP_URL or DATABASE_URL is not set)'}`, () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let system: System;
  let at: WebClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-clocks-'));
    database = await testDatabase();
    const all = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload}`, CLOCK_SKEW_FOLDER: folder };
    const skewed = Object.entries(AT_START).map(([service, ms]) => [service, { CLOCK_SKEW_MS: String(ms) }]);
    system = await startSystem({
      amqpUrl: amqpUrl!,
      databaseUrl: database.url,
      port: 0,
      base: process.env,
      env: { all, ...Object.fromEntries(skewed) },
      replicas: { gamemaster: 2, chatroom: 2, player: 2, contest: 0 },
      graceMs: 3_000,
      say: () => undefined,
    });
    at = createWebClient(system.url, system.adminToken);
  }, 10 * MINUTE);
  afterAll(async () => {
    await system?.close();
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  }, 10 * MINUTE);

  /** Sets the clock of a process. */
  const set = (name: string, aheadMs: number) => writeFile(join(folder, new URL(system.ops.get(name)!).port), String(aheadMs));

  /** What the check of the clock says in /readyz; undefined until it is there. */
  async function clockCheck(name: string): Promise<{ readonly status: number; readonly clock: string | undefined } | undefined> {
    const response = await fetch(`${system.ops.get(name)}/readyz`).catch(() => undefined);
    if (!response) return undefined;
    return { status: response.status, clock: ((await response.json()) as { checks: { clock?: string } }).checks.clock };
  }
  const isWrong = (name: string, side: string) =>
    pollUntil(
      `${name} that is ${side}`,
      async () => {
        const found = await clockCheck(name);
        return found?.status === (name === 'web' ? 200 : 503) && found.clock?.includes(side); // web consumes nothing: it only remarks it
      },
      { timeoutMs: 5 * MINUTE },
    );
  const isReady = (name: string) =>
    pollUntil(`${name} that is ready`, async () => (await clockCheck(name))?.status === 200, { timeoutMs: 5 * MINUTE });

  it(
    'pause while their clocks are wrong, and finish a game while clocks change',
    async () => {
      const names = [...system.ops.keys()];
      const skewOf = (name: string): number => AT_START[name.replace(/-2$/, '')]!;
      await Promise.all(names.map((name) => isWrong(name, skewOf(name) > 0 ? 'ahead of' : 'behind')));

      const right = names.filter((name) => name !== 'gamemaster-2');
      await Promise.all(right.map((name) => set(name, 0)));
      await Promise.all(right.map(isReady));
      for (let n = 0; n < 20; n++) expect(await at.tables()).toEqual([]); // one in ten was answered
      await isWrong('gamemaster-2', '6.0 s ahead of');

      await set('gamemaster-2', 0);
      await isReady('gamemaster-2');
      const seats = Array.from({ length: 5 }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
      const options = { dayMs: 60_000, nightMs: 4_000, maxDays: 1 }; // a majority ends the day
      const { table } = await at.open({ rules: 'maw', players: 5, seats, rounds: 1, seed: 'clocks', options });
      const wrong = names.filter((name) => !name.endsWith('-2'));
      let answers: number | undefined;
      for await (const news of at.follow(table, { as: 'narrator' })) {
        if (news.kind === 'over') break;
        if (answers === undefined) await Promise.all(wrong.map((name) => set(name, -skewOf(name))));
        answers = (answers ?? 0) + (news.kind === 'seen' && news.seen.event.type === 'answered' ? 1 : 0);
      }
      await Promise.all(wrong.map((name) => isWrong(name, skewOf(name) > 0 ? 'behind' : 'ahead of')));
      expect(answers).toBeGreaterThan(seats.length / 2); // a majority ends the day: it was decided by votes, not by silence
      expect(await at.table(table)).toMatchObject({ stage: 'over' });
    },
    10 * MINUTE,
  );
});
