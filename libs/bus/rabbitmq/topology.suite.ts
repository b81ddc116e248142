import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { PermanentError } from '../bus.ts';
import { readDeadLetters, resendDeadLetters } from './dead-letter-admin.ts';
import { act, agreed, bytes, gate, moved, eventually, tick } from '../suites/fixture.suite.ts';
import type { RabbitFixture } from './rabbit-fixture.suite.ts';
import { rabbitBus } from './rabbit-bus.ts';
import { partOf } from '../core/topology.ts';
import { MAX_DELIVERIES } from '../retries.ts';

const TYPES = ['table.tick'] as const;
/** Where the ticks of these tests go. */
const PART = `gamemaster.part-${partOf(tick(1).subject)}`;
const quiet = logger('test', { destination: { write: () => undefined } });

const count = async ({ channel, nameOf }: RabbitFixture, queue: string) => (await channel.checkQueue(nameOf(queue))).messageCount;

/** On a broker where nothing is declared yet. */
export function declarationSuite(open: () => Promise<RabbitFixture>): void {
  let fixture: RabbitFixture;
  beforeEach(async () => void (fixture = await open()));
  afterEach(() => fixture.close());

  it('is declared by the first bus, so a command waits for a service never started', async () => {
    const bus = await fixture.open('web');
    await bus.publish(tick(1));
    expect(await count(fixture, PART)).toBe(1);
    for (const queue of ['chatroom', 'player', 'llm-gateway', 'gamemaster.dead']) expect(await count(fixture, queue)).toBe(0);
  });

  it('upgrades queues declared before the reply exchange existed, messages included', async () => {
    const at = fixture.nameOf;
    const quorum = (name: string, args: object) =>
      fixture.channel.assertQueue(at(name), { durable: true, arguments: { 'x-queue-type': 'quorum', ...args } });
    const to = (key: string) => ({
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': at(key),
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    });
    await fixture.channel.assertExchange(at('unrouted'), 'fanout', { durable: true });
    await quorum('unrouted', { 'x-max-length': 10_000, 'x-overflow': 'drop-head' });
    for (const name of ['commands', 'events'])
      await fixture.channel.assertExchange(at(name), 'topic', { durable: true, alternateExchange: at('unrouted') });
    await quorum('player.dead', { 'x-delivery-limit': 1_000_000_000 });
    await quorum('player', { ...to('player.dead'), 'x-delivery-limit': 20 });
    await quorum('player.after-10', { ...to('player'), 'x-message-ttl': 10 });
    await quorum('llm-gateway.dead', { 'x-delivery-limit': 1_000_000_000 });
    await quorum('llm-gateway', { ...to('llm-gateway.dead'), 'x-delivery-limit': 20, 'x-single-active-consumer': true });
    const [due, put] = [tick(1), tick(2)];
    fixture.channel.sendToQueue(at('player'), bytes(due), { messageId: due.id, type: due.type });
    fixture.channel.sendToQueue(at('player.after-10'), bytes(put), { messageId: put.id, type: put.type, headers: { 'x-attempt': 2 } });
    const bus = await fixture.open('player', { retryMs: [10] });
    const taken: [number, number][] = [];
    await bus.consume('player', TYPES, { concurrency: 1 }, async ({ data }, { attempt }) => void taken.push([data.alarm, attempt]));
    await eventually(() =>
      expect(taken.toSorted(([a], [b]) => a - b)).toEqual([
        [1, 1],
        [2, 2],
      ]),
    );
  });

  it('rejects a bus whose queues have other arguments', async () => {
    await fixture.channel.assertQueue(fixture.nameOf('gamemaster'), { durable: true });
    await expect(fixture.open('gamemaster', { connectMs: 60_000 })).rejects.toThrow(
      /no connection to the broker.*PRECONDITION.FAILED.*gamemaster/s,
    );
  });
}

export function topologySuite(open: () => Promise<RabbitFixture>, url: string): void {
  let fixture: RabbitFixture;
  beforeEach(async () => void (fixture = await open()));
  afterEach(() => fixture.close());

  it('sends what is published together in one write', async () => {
    const bus = await fixture.open('web');
    const port = Number(new URL(fixture.wayOf(bus).url).port);
    const spies = (['_write', '_writev'] as const).map((name) => jest.spyOn(Socket.prototype, name));
    await Promise.all(Array.from({ length: 20 }, (_, n) => bus.publish(tick(n))));
    const writes = spies.flatMap(({ mock }) => mock.contexts).filter((socket) => (socket as Socket).remotePort === port);
    for (const spy of spies) spy.mockRestore();
    expect(writes.length).toBeLessThan(5); // a heartbeat may be among them
  });

  it('goes on after more events than a subscriber may have unacknowledged', async () => {
    const [bus, master] = [await fixture.open('player'), await fixture.open('gamemaster')];
    let taken = 0;
    await bus.subscribe(['table.moved'], async () => void taken++);
    for (let n = 0; n < 120; n++) await master.publish(moved(`t${n}`));
    await eventually(() => expect(taken).toBe(120));
  });

  it('accepts replies of programs older than the reply exchange', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    const pool = await taker.consume('q', ['table.act'], { concurrency: 1 }, () => new Promise(() => undefined));
    await pool.stop();
    const answer = asker.request(act(3));
    const asked = await eventually(async () => {
      const got = await fixture.channel.get(fixture.nameOf('q'), { noAck: true });
      if (!got) throw new Error('it is not there yet');
      return got.properties;
    });
    const said = contracts.writeReply('table.act', agreed(3), { id: 'r', source: 'gamemaster', subject: 't', at: 0 });
    // By the default exchange, straight to the queue of that name.
    fixture.channel.sendToQueue(String(asked.replyTo), Buffer.from(JSON.stringify(said)), {
      type: 'table.act.reply',
      correlationId: String(asked.correlationId),
    });
    expect(await answer).toEqual(agreed(3));
  });

  it('sets the user of a message only where each service has its own', async () => {
    const userOf = async (service: string) => {
      const bus = await fixture.open(service);
      await bus.publish(tick(1));
      const got = await fixture.channel.get(fixture.nameOf(PART), { noAck: true });
      return got && (got.properties.userId as unknown);
    };
    const user = new URL(url).username;
    expect(await userOf('gamemaster')).toBeUndefined();
    expect(await userOf(user)).toBe(user);
  });

  it('keeps unroutable messages in unrouted', async () => {
    const bus = await fixture.open('gamemaster');
    await bus.publish(moved());
    await eventually(async () => expect(await count(fixture, 'unrouted')).toBe(1));
    expect(await count(fixture, 'player')).toBe(0);
  });

  it('lets the broker dead-letter a message after too many deliveries', async () => {
    const bus = await fixture.open('player');
    await bus.consume('q', TYPES, { concurrency: 1 }, async () => undefined).then((pool) => pool.stop());
    const message = tick(1);
    await bus.publish(message);
    for (let n = 0; n <= MAX_DELIVERIES; n++) {
      const got = await eventually(async () => {
        const taken = await fixture.channel.get(fixture.nameOf('q'));
        if (!taken) throw new Error('it is not back yet');
        return taken;
      });
      fixture.channel.nack(got);
    }
    const dead = await eventually(async () => {
      const letters = await fixture.dead('q');
      expect(letters).toHaveLength(1);
      return letters[0]!;
    });
    expect(dead).toMatchObject({ id: message.id, type: 'table.tick', reason: 'delivery-limit', queue: fixture.nameOf('q') });
    expect(dead.at).toBeGreaterThan(Date.now() - 600_000);
  });

  it('survives a consumer that the broker rejects', async () => {
    const bus = await fixture.open('player');
    await fixture.channel.assertQueue(fixture.nameOf('q'), { durable: true });
    await expect(bus.consume('q', TYPES, { concurrency: 1 }, async () => undefined)).rejects.toThrow(/PRECONDITION.FAILED/);
    const taken: number[] = [];
    await bus.consume('r', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    fixture.wayOf(bus).cut();
    await eventually(() => expect(fixture.wayOf(bus).connections).toBe(2));
    await bus.publish(tick(1));
    await eventually(() => expect(taken).toEqual([1]));
  });

  describe('a broker', () => {
    it('that rejects the login is not retried; no password is shown', async () => {
      const wrong = new URL(url);
      wrong.password = 'opensesame';
      const refused = rabbitBus({ url: wrong.href, service: 'player', log: quiet });
      await expect(refused).rejects.toThrow(/no connection to the broker at .*ACCESS.REFUSED/);
      await expect(refused).rejects.not.toThrow(/opensesame/);
    });

    it('that is unreachable is waited for until connectMs', async () => {
      const bus = await fixture.open('player');
      const way = fixture.wayOf(bus);
      way.block();
      const refused = rabbitBus({ url: way.url, service: 'player', connectMs: 300, log: quiet });
      await expect(refused).rejects.toThrow(/no connection to the broker at 127\.0\.0\.1:\d+ \(AMQP_URL\)/);
    });

    it('needs a valid URL', async () => {
      for (const wrong of ['', 'localhost:5672', 'http://localhost'])
        await expect(rabbitBus({ url: wrong, service: 'player', log: quiet })).rejects.toThrow(/amqp:\/\/user:password@host:5672/);
    });
  });

  describe('dead letters', () => {
    it('are read without removal, and resent as first attempts', async () => {
      const bus = await fixture.open('player', { retryMs: [] });
      let isBroken = true;
      const done: [number, number][] = [];
      await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }, { attempt }) => {
        if (isBroken) throw data.alarm === 2 ? new PermanentError('never') : new Error('broken');
        done.push([data.alarm, attempt]);
      });
      const messages = [1, 2, 3].map((n) => tick(n));
      for (const message of messages) await bus.publish(message);
      const q = fixture.nameOf('q');
      await eventually(async () => expect(await readDeadLetters(url, q, 10)).toHaveLength(3));
      // A read returns what it fetched when its channel closes, which the broker does a moment later.
      for (let n = 0; n < 25; n++) await eventually(async () => expect(await readDeadLetters(url, q, 1)).toHaveLength(1));
      const letters = await eventually(async () => {
        const all = await readDeadLetters(url, q, 10);
        expect(all).toHaveLength(3);
        return all;
      });
      expect(letters.map(({ id, reason, error }) => [id, reason, error])).toEqual([
        [messages[0]!.id, 'failed', 'broken'],
        [messages[1]!.id, 'gave-up', 'never'],
        [messages[2]!.id, 'failed', 'broken'],
      ]);
      expect(letters.map(({ body }) => body)).toEqual(messages.map(bytes));
      isBroken = false;
      expect(await resendDeadLetters(url, q, { ids: [messages[1]!.id, 'no such'] })).toEqual([messages[1]!.id]);
      await eventually(() => expect(done).toEqual([[2, 1]]));
      // What the resending has looked at and put back is there a moment later.
      await eventually(async () =>
        expect((await readDeadLetters(url, q, 10)).map(({ id }) => id)).toEqual([messages[0]!.id, messages[2]!.id]),
      );
      expect(await resendDeadLetters(url, q, 'all')).toHaveLength(2);
      await eventually(() =>
        expect(done.toSorted(([a], [b]) => a - b)).toEqual([
          [1, 1],
          [2, 1],
          [3, 1],
        ]),
      );
      expect(await readDeadLetters(url, q, 10)).toEqual([]);
    });

    it('stay when their queue is gone', async () => {
      const bus = await fixture.open('player');
      const listening = await bus.consume('q', TYPES, { concurrency: 1 }, () => Promise.reject(new PermanentError('never')));
      await bus.publish(tick(1));
      await eventually(async () => expect(await fixture.dead('q')).toHaveLength(1));
      await listening.stop();
      await fixture.channel.deleteQueue(fixture.nameOf('q'));
      await expect(resendDeadLetters(url, fixture.nameOf('q'), 'all')).rejects.toThrow(/no queue/);
      await eventually(async () => expect(await fixture.dead('q')).toHaveLength(1)); // a quorum queue takes back late what a closed channel had
    });

    it('of a missing queue cannot be read: the error names it', async () => {
      await expect(readDeadLetters(url, fixture.nameOf('nowhere'), 1)).rejects.toThrow(/no queue .*nowhere\.dead on the broker/);
    });
  });

  it('serves a hundred requests at a time', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    const all = gate();
    let now = 0;
    await taker.consume('q', ['table.act'], { concurrency: 100 }, async ({ data }) => {
      if (++now === 99) all.open();
      await all.opened;
      return agreed(data.seat);
    });
    const seats = Array.from({ length: 99 }, (_, n) => n + 1);
    expect(await Promise.all(seats.map((seat) => asker.request(act(seat))))).toEqual(seats.map(agreed));
  });
}
