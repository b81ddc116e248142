import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeadLetters, resendDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { Store } from '@maw/store/store.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { brokerForTests, rabbitFixture, type RabbitFixture } from '@maw/bus/rabbitmq/rabbit-fixture.suite.ts';
import { eventually } from '@maw/bus/suites/fixture.suite.ts';
import { unreadable } from '../equipment/fakes/unreadable-messages.ts';

// What no service can read, on RabbitMQ; skipped by name where AMQP_URL does not say which broker to use.
const url = brokerForTests ?? '';
const here = brokerForTests ? describe : describe.skip;

here(`unreadable messages on RabbitMQ${brokerForTests ? '' : ' (skipped: AMQP_URL is not set)'}`, () => {
  let ground: RabbitFixture;
  let store: Store;
  let isAway: boolean;
  const services: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    ground = await rabbitFixture(url);
    store = memoryStore();
    isAway = false;
    const log = logger('test', { level: 'silent' });
    const tapes: Tapes = {
      ...store.tapes,
      append: async (...given) => {
        if (isAway) throw new Error('the database is away');
        await store.tapes.append(...given);
      },
    };
    services.push(await gamemaster({ bus: await ground.open('gamemaster'), tapes, now: Date.now, log }));
    services.push(await chatroom({ bus: await ground.open('chatroom'), rooms: store.rooms, now: Date.now }));
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    await ground.close();
    await store.close();
  });

  const resting = (queue: string, count: number) =>
    eventually(async () => {
      const letters = await readDeadLetters(url, ground.nameOf(queue), 100);
      expect(letters).toHaveLength(count);
      return letters;
    });
  const tableOf = async (table: string): Promise<number> => (await store.tapes.read(table)).length;
  const opening = (table: string) =>
    contracts.write(
      'table.open',
      { rules: 'maw', seats: Array.from({ length: 3 }, () => ({ kind: 'mind' as const })) },
      { id: `open-${table}`, source: 'web', subject: table, at: Date.now() },
    );

  it.each(['gamemaster', 'chatroom'].flatMap((queue) => unreadable('t1').map((each) => [each.what, queue, each] as const)))(
    'a message %s is dead-lettered in %s.dead with its reason; later ones are handled',
    async (_, queue, { body, error }) => {
      const counted = () => metricValue(metrics.deadLetters, { service: queue, queue, reason: 'unreadable' });
      const before = await counted();
      await ground.inject(queue, { body: Buffer.from(body), id: 'strange', headers: { 'x-mine': 'kept' } });
      const [letter] = await resting(queue, 1);
      expect(letter).toMatchObject({ id: 'strange', reason: 'unreadable', error: expect.stringMatching(error), attempts: 0, queue });
      expect(letter!.body.toString()).toBe(body);
      expect(await counted()).toBe(before + 1);
      await (await ground.open('web')).publish(opening('t2'));
      await eventually(async () => expect(await tableOf('t2')).toBe(2));
      await eventually(async () => expect(await store.rooms.room('t2', 'lobby-0/Lobby')).toBeDefined());
      expect(await tableOf('t1')).toBe(0);
    },
  );

  it('a dead letter resent unchanged returns; corrected, it is handled', async () => {
    const [, , wrongVersion] = unreadable('t1');
    await ground.inject('gamemaster', { body: Buffer.from(wrongVersion!.body), id: 'open-t1' });
    const [first] = await resting('gamemaster', 1);
    expect(await resendDeadLetters(url, ground.nameOf('gamemaster'), { ids: ['open-t1'] })).toEqual(['open-t1']);
    const [again] = await eventually(async () => {
      const letters = await resting('gamemaster', 1);
      expect(letters[0]!.at).toBeGreaterThan(first!.at);
      return letters;
    });
    expect(again).toMatchObject({ id: 'open-t1', reason: 'unreadable', attempts: 0 });
    expect(await tableOf('t1')).toBe(0);

    const mended = { ...(JSON.parse(again!.body.toString()) as object), dataversion: 1 };
    await ground.inject('gamemaster', { body: Buffer.from(JSON.stringify(mended)), id: 'open-t1' });
    await eventually(async () => expect(await tableOf('t1')).toBe(2));
  });

  it('a dead letter resent after the fault is fixed is handled once', async () => {
    isAway = true;
    await (await ground.open('web')).publish(opening('t1'));
    const [letter] = await resting('gamemaster', 1);
    expect(letter).toMatchObject({ id: 'open-t1', type: 'table.open', reason: 'failed', error: 'the database is away', attempts: 3 });
    isAway = false;
    expect(await resendDeadLetters(url, ground.nameOf('gamemaster'), 'all')).toEqual(['open-t1']);
    await eventually(async () => expect(await tableOf('t1')).toBe(2));
    await resting('gamemaster', 0);
    expect(await resendDeadLetters(url, ground.nameOf('gamemaster'), 'all')).toEqual([]);
  });
});
