import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { describeBroker } from '@maw/bus/rabbitmq/broker-url.ts';
import { readDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { brokerForTests, rabbitFixture, type RabbitFixture } from '@maw/bus/rabbitmq/rabbit-fixture.suite.ts';
import { header } from '@maw/bus/core/headers.ts';
import { deadLetterQueueOf } from '@maw/bus/core/topology.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { databaseUrl, testDatabase } from '@maw/store/test-database.suite.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { NOTHING_NAMED, runMaw, runMawReached } from '../command.suite.ts';

// `maw dead` on RabbitMQ, beside a gamemaster; skipped by name where AMQP_URL does not say which broker to use.

jest.setTimeout(600_000);

const url = brokerForTests ?? '';
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = brokerForTests ? describe : describe.skip;
// oxlint-disable-next-line jest/no-disabled-tests -- it needs a broker and a database
const onDatabase = databaseUrl ? it : it.skip;
/** What moves a cursor, rings, begins a line or turns the writing round. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

here(`maw dead${brokerForTests ? '' : ' (skipped: AMQP_URL is not set)'}`, () => {
  let cwd: string;
  let ground: RabbitFixture;
  let store: Store;
  let queue: string;
  let isAway: boolean;
  let service: { close(): Promise<void> };

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'maw-dead-'));
    ground = await rabbitFixture(url);
    queue = ground.nameOf('gamemaster');
    store = memoryStore();
    isAway = false;
    lying = 0;
    const tapes: Tapes = {
      ...store.tapes,
      append: async (...given) => {
        if (isAway) throw new Error('the database is away');
        await store.tapes.append(...given);
      },
    };
    const log = logger('test', { level: 'silent' });
    service = await gamemaster({ bus: await ground.open('gamemaster'), tapes, now: Date.now, log });
  });
  afterEach(async () => {
    await service.close();
    await ground.close();
    await store.close();
    await rm(cwd, { recursive: true, force: true });
  });

  /** How many letters lie there: they are back a moment after whoever looked at them has gone. */
  let lying = 0;
  const areBack = () =>
    pollUntil(`${lying} letters`, async () => (await ground.channel.checkQueue(deadLetterQueueOf(queue))).messageCount === lying, {
      timeoutMs: 600_000,
    });
  const dead = async (...args: readonly string[]) => {
    await areBack();
    return runMawReached(['dead', ...args], { cwd, env: { ...NOTHING_NAMED, AMQP_URL: url } });
  };
  const lettersNow = () =>
    readDeadLetters(url, queue, 100).catch((error: unknown) => {
      if (/ETIMEDOUT/.test(String(error))) return []; // a busy machine is slow, not wrong
      throw error;
    });
  const resting = async (many: number) => {
    const letters = await pollUntil(
      `${many} dead letters`,
      async () => {
        const found = await lettersNow();
        return found.length === many ? found : undefined;
      },
      { timeoutMs: 600_000 },
    );
    lying = many;
    return letters;
  };
  const isOpen = (table: string) =>
    pollUntil(`the table ${table}`, async () => (await store.tapes.read(table)).length === 2, { timeoutMs: 600_000 });
  const opening = (table: string) => {
    const seats = Array.from({ length: 3 }, () => ({ kind: 'mind' as const }));
    return contracts.write('table.open', { rules: 'maw', seats }, { id: `open-${table}`, source: 'web', subject: table, at: Date.now() });
  };
  /** Puts a letter among the dead ones as if it had been put there at that time. */
  const bury = (id: string, at: string, { error = 'it was no JSON', body = '{' }: { error?: string; body?: string } = {}) =>
    ground.channel.sendToQueue(deadLetterQueueOf(queue), Buffer.from(body), {
      persistent: true,
      messageId: id,
      type: 'table.open',
      headers: { [header.reason]: 'unreadable', [header.error]: error, [header.queue]: queue, [header.at]: at, [header.attempts]: 2 },
    });

  it('lists letters oldest first with their reasons, as text or JSON, without removal', async () => {
    expect(await dead(queue)).toMatchObject({ code: 0, out: `No dead letters of ${queue}.\n`, err: '' });
    expect(await dead(queue, '--json')).toMatchObject({ code: 0, out: '', err: '' });

    const body = '{"text":"Grüße"';
    bury('second', '2026-02-01T00:00:00.000Z', { body });
    bury('third', '2026-02-01T00:00:00.001Z');
    bury('first', '2026-01-31T23:59:59.999Z', { error: 'version 99 is newer than 1' });
    await resting(3);
    const lines = [
      '2026-01-31T23:59:59.999Z  first  table.open  unreadable: version 99 is newer than 1\n',
      '2026-02-01T00:00:00.000Z  second  table.open  unreadable: it was no JSON\n',
      '2026-02-01T00:00:00.001Z  third  table.open  unreadable: it was no JSON\n',
    ];
    expect(await dead(queue)).toMatchObject({ code: 0, out: lines.join(''), err: '' });
    expect(await dead(queue, '--limit', '2')).toMatchObject({ code: 0, out: lines.slice(0, 2).join(''), err: '' });

    const { code, out } = await dead(queue, '--json', '--limit', '2');
    const told = out.split('\n').map((line): unknown => line && JSON.parse(line));
    const common = { type: 'table.open', queue, reason: 'unreadable', attempts: 2 };
    expect([code, told]).toEqual([
      0,
      [
        { ...common, id: 'first', at: Date.UTC(2026, 0, 31, 23, 59, 59, 999), error: 'version 99 is newer than 1', body: '{' },
        { ...common, id: 'second', at: Date.UTC(2026, 1, 1), error: 'it was no JSON', body },
        '',
      ],
    ]);
    await resting(3);
  });

  it('resends a failed letter after the fault is fixed; it is handled once', async () => {
    isAway = true;
    const web = await ground.open('web');
    for (const table of ['t1', 't2', 't3']) await web.publish(opening(table));
    await resting(3);
    const listed = await dead(queue);
    const line = (table: string) => `\\S+Z {2}open-${table} {2}table\\.open {2}failed: the database is away\n`;
    expect(listed.code).toBe(0);
    for (const table of ['t1', 't2', 't3']) expect(listed.out).toMatch(new RegExp(`^${line(table)}`, 'm'));

    isAway = false;
    const unknown = await dead(queue, '--resend', 'nobody');
    expect([unknown.code, unknown.out, unknown.err]).toEqual([
      1,
      `0 sent to ${queue} again\n`,
      `maw: no dead letter of ${queue} has the id nobody\n`,
    ]);
    expect((await resting(3)).map(({ id }) => id).toSorted()).toEqual(['open-t1', 'open-t2', 'open-t3']);

    // One that is known is sent, whoever else is not.
    const one = await dead(queue, '--resend', 'nobody', '--resend', 'open-t2');
    expect([one.code, one.out, one.err]).toEqual([
      1,
      `1 sent to ${queue} again: open-t2\n`,
      `maw: no dead letter of ${queue} has the id nobody\n`,
    ]);
    await isOpen('t2');
    expect((await resting(2)).map(({ id }) => id).toSorted()).toEqual(['open-t1', 'open-t3']);
    for (const table of ['t1', 't3']) expect(await store.tapes.read(table)).toEqual([]);

    const json = await dead(queue, '--json', '--resend', 'open-t1');
    expect([json.code, JSON.parse(json.out), json.err]).toEqual([0, { sent: ['open-t1'] }, '']);
    await isOpen('t1');
    await resting(1);
    expect(await dead(queue, '--all')).toMatchObject({ code: 0, out: `1 sent to ${queue} again: open-t3\n`, err: '' });
    await isOpen('t3');
    await resting(0);
    expect(await dead(queue, '--all')).toMatchObject({ code: 0, out: `0 sent to ${queue} again\n`, err: '' });
  });

  it('resends all letters; unreadable ones are dead-lettered again', async () => {
    const strange = JSON.stringify({ ...opening('t1'), dataversion: 99 });
    for (const id of ['a', 'b']) await ground.inject('gamemaster', { body: Buffer.from(strange), id });
    const before = await resting(2);
    const { code, out } = await dead(queue, '--all', '--json');
    expect([code, (JSON.parse(out) as { sent: string[] }).sent.toSorted()]).toEqual([0, ['a', 'b']]);
    const least = Math.max(...before.map(({ at }) => at));
    await pollUntil(
      'both again',
      async () => {
        const letters = await lettersNow();
        return letters.length === 2 && letters.every(({ at }) => at >= least);
      },
      { timeoutMs: 600_000 },
    );
    const again = await dead(queue);
    expect(again.out).toMatch(/^\S+Z {2}a {2}unknown {2}unreadable: .*version 99 is newer than 1/m);
    expect(again.out).toMatch(/^\S+Z {2}b {2}unknown {2}unreadable: .*version 99 is newer than 1/m);
  });

  it('strips terminal control characters from text output, not from JSON', async () => {
    const id = 'id\u001b[2J\u009b31m\r\u202etxt';
    const error = 'bad\u001b]0;title\u0007\n2030-01-01T00:00:00.000Z  forged  line\u2028next';
    const body = '\u001b[31m\u009b\u007f\u2066';
    bury(id, '2026-01-01T00:00:00.000Z', { error, body });
    await resting(1);
    const listed = await dead(queue);
    expect([listed.code, listed.out.split('\n').length, listed.out.slice(-1)]).toEqual([0, 2, '\n']);
    expect(listed.out.slice(0, -1)).not.toMatch(CONTROLS);
    expect(listed.out).toMatch(/^2026-01-01T00:00:00\.000Z {2}id.*txt {2}table\.open {2}unreadable: bad.*next\n$/);
    const json = await dead(queue, '--json');
    expect([json.out.split('\n').length, json.out.slice(0, -1)]).toEqual([2, expect.not.stringMatching(CONTROLS)]);
    expect(JSON.parse(json.out)).toMatchObject({ id, error, body });
    // Nobody can read it, so it comes back; its id is that of its letter.
    const told = await dead(queue, '--resend', id, '--json');
    expect([told.out.slice(0, -1), JSON.parse(told.out)]).toEqual([expect.not.stringMatching(CONTROLS), { sent: [id] }]);
    await pollUntil('the letter again', async () => (await lettersNow())[0]?.error.includes('JSON'), { timeoutMs: 600_000 });
    const all = await dead(queue, '--all');
    expect(all.out.slice(0, -1)).not.toMatch(CONTROLS);
    expect(all.out).toMatch(new RegExp(`^1 sent to ${queue} again: id.*txt\n$`));
    await resting(1);
  });

  it('lists foreign messages with missing or invalid headers', async () => {
    ground.channel.sendToQueue(deadLetterQueueOf(queue), Buffer.from('bare'), {});
    const time = { '!': 'timestamp', 'value': Number.MAX_SAFE_INTEGER };
    const death = { 'reason': 'rejected', 'queue': 'x', time, 'count': 1, 'exchange': '', 'routing-keys': [] };
    ground.channel.sendToQueue(deadLetterQueueOf(queue), Buffer.from('odd'), { messageId: 'odd', headers: { 'x-death': [death] } });
    await resting(2);
    const { code, out, err } = await dead(queue);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^1970-01-01T00:00:00\.000Z {2}sha256:[0-9a-f]{16} {2}unknown {2}unknown: \n/m);
    expect(out).toMatch(
      /^1970-01-01T00:00:00\.000Z {2}odd {2}unknown {2}rejected: dead-lettered by the broker after too many deliveries\n/m,
    );
  });

  onDatabase('drops the named or all unreadable letters, each with an entry in the audit log', async () => {
    const database = await testDatabase();
    const drop = (databaseAt: string, ...args: readonly string[]) =>
      runMawReached(['dead', queue, ...args], { cwd, env: { ...NOTHING_NAMED, AMQP_URL: brokerForTests!, DATABASE_URL: databaseAt } });
    const audit = await postgresStore({ url: database.url });
    try {
      isAway = true;
      const web = await ground.open('web');
      await web.publish(opening('t1'));
      for (const id of ['a', 'b', 'c\0']) bury(id, '2026-01-01T00:00:00.000Z');
      await resting(4);

      const nobody = new URL(database.url);
      nobody.pathname = '/maw_test_nobody';
      expect(await drop(nobody.href, '--drop', 'a')).toMatchObject({ code: 1, out: '' });
      await resting(4);
      expect(await audit.auditLog.list({ limit: 10 })).toEqual([]);

      const named = await drop(database.url, '--drop', 'a', '--drop', 'nobody');
      expect([named.code, named.out, named.err]).toEqual([
        1,
        `1 dropped from ${queue}: a\n`,
        `maw: no dead letter of ${queue} has the id nobody\n`,
      ]);
      await resting(3);
      const rest = await drop(database.url, '--drop-unreadable', '--json');
      expect([rest.code, (JSON.parse(rest.out) as { dropped: string[] }).dropped.toSorted(), rest.err]).toEqual([0, ['b', 'c\0'], '']);
      expect(await resting(1)).toEqual([expect.objectContaining({ id: 'open-t1', reason: 'failed' })]);

      const entries = await audit.auditLog.list({ limit: 10 });
      const { username } = new URL(url);
      expect(entries.toReversed().map(({ who, from, what, outcome }) => ({ who, from, what, outcome }))).toEqual(
        ['a', 'b', 'c'].map(() => ({ who: username, from: hostname(), what: `maw dead ${queue} --drop`, outcome: 'done' })),
      );
      expect(new Set(entries.map(({ about }) => about['id']))).toEqual(new Set(['a', 'b', 'c']));
      expect(entries[0]!.about).toMatchObject({ type: 'table.open', queue, reason: 'unreadable', error: 'it was no JSON', bytes: 1 });

      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query(`ALTER TABLE audit ADD CHECK (about->>'id' <> 'e')`);
      await client.end();
      for (const id of ['d', 'e']) bury(id, '2026-01-01T00:00:00.000Z');
      await resting(3);
      const cut = await drop(database.url, '--drop-unreadable');
      expect([cut.code, cut.out]).toEqual([1, `1 dropped from ${queue}: d\n`]);
      expect(cut.err).toContain('the dead letter stays where it is: the audit log cannot be written');
      expect((await resting(2)).map(({ id }) => id).toSorted()).toEqual(['e', 'open-t1']);
      expect((await audit.auditLog.list({ limit: 1 }))[0]).toMatchObject({ about: { id: 'd' }, outcome: 'done' });
    } finally {
      await audit.close();
      await database.close();
    }
  });

  it('names a missing queue or a refused login, without the password', async () => {
    const nobody = ground.nameOf('nobody');
    const error = `maw: no queue ${deadLetterQueueOf(nobody)} on the broker at ${describeBroker(url)}: it exists once its service has started\n`;
    for (const more of [[], ['--all', '--json']]) expect(await dead(nobody, ...more)).toMatchObject({ code: 1, out: '', err: error });
    const wrong = new URL(url);
    wrong.password = 'open-sesame';
    const refused = await runMaw(['dead', queue], { cwd, env: { ...NOTHING_NAMED, AMQP_URL: wrong.href } });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err.startsWith(`maw: no connection to the broker at ${describeBroker(url)}: `)).toBe(true);
    expect(refused.err).toMatch(/ACCESS.REFUSED/);
    expect(refused.err).not.toContain('open-sesame');
  });
});
