import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, agreed, gate, LONG_MS, said, soon, tick } from '../suites/fixture.suite.ts';
import { metricValue } from '../suites/metric-value.suite.ts';
import type { RabbitFixture } from './rabbit-fixture.suite.ts';

const TYPES = ['table.tick'] as const;

export function healingSuite(open: () => Promise<RabbitFixture>): void {
  let ground: RabbitFixture;
  beforeEach(async () => void (ground = await open()));
  afterEach(() => ground.close(), LONG_MS);

  it('loses nothing that is sent while its connection is cut, again and again', async () => {
    const sender = await ground.open('healer');
    const taker = await ground.open('player');
    const taken = new Set<number>();
    await taker.consume('q', TYPES, { concurrency: 50 }, async ({ data }) => void taken.add(data.alarm));
    const before = await metricValue(metrics.reconnects, { service: 'healer' });
    const sent = [];
    for (let n = 0; n < 500; n++) {
      sent.push(sender.publish(tick(n)));
      if (n % 100 === 50) {
        await Promise.race(sent.slice(-20));
        ground.wayOf(sender).cut();
      }
    }
    await Promise.all(sent);
    await soon(() => expect(taken.size).toBe(500));
    expect(await metricValue(metrics.reconnects, { service: 'healer' })).toBeGreaterThan(before);
    expect(await metricValue(metrics.unconfirmed, { service: 'healer' })).toBe(0);
  });

  it('takes messages again after its connection was cut, with one hand for each, and answers', async () => {
    const [asker, taker] = [await ground.open('player'), await ground.open('gamemaster')];
    let [now, most] = [0, 0];
    const first = gate();
    await taker.consume('q', ['table.act'], { concurrency: 2 }, async ({ data }) => {
      most = Math.max(most, ++now);
      if (data.seat < 3) await first.opened;
      now--;
      return agreed(data.seat);
    });
    const answers = [1, 2, 3, 4].map((seat) => asker.request(act(seat)));
    await soon(() => expect(now).toBe(2));
    ground.wayOf(taker).cut();
    await soon(() => expect(ground.wayOf(taker).connections).toBe(2));
    await soon(() => expect(taker.isUp()).toBe(true));
    first.open();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4].map(agreed));
    expect(most).toBe(2);
  });

  it('asks again at once when its connection was cut while the answer was on its way', async () => {
    const [asker, taker] = [await ground.open('eager', { resendMs: 60_000 }), await ground.open('gamemaster')];
    const [begun, may] = [gate(), gate()];
    let tries = 0;
    await taker.consume('q', ['table.act'], { concurrency: 1 }, async ({ data }) => {
      tries++;
      begun.open();
      await may.opened;
      return agreed(data.seat);
    });
    const answer = asker.request(act(3));
    await begun.opened;
    // Otherwise it would be sent again because it was not confirmed.
    await soon(async () => expect(await metricValue(metrics.unconfirmed, { service: 'eager' })).toBe(0));
    ground.wayOf(asker).cut();
    await soon(() => expect(asker.isUp()).toBe(false));
    may.open();
    expect(await answer).toEqual(agreed(3));
    expect(tries).toBe(2);
  });

  it('is down while the broker cannot be reached, and what is sent then arrives when it can', async () => {
    const bus = await ground.open('patient');
    const taken: number[] = [];
    const rung: number[] = [];
    await bus.subscribe(['room.said'], async ({ data }) => void rung.push(data.line));
    ground.wayOf(bus).block();
    await soon(() => expect(bus.isUp()).toBe(false));
    expect(await metricValue(metrics.busUp, { service: 'patient' })).toBe(0);
    const sent = bus.publish(tick(1));
    const listening = bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await soon(async () => expect(await metricValue(metrics.unconfirmed, { service: 'patient' })).toBe(1));
    ground.wayOf(bus).mend();
    await Promise.all([sent, listening]);
    expect(await metricValue(metrics.busUp, { service: 'patient' })).toBe(1);
    await bus.publish(tick(2));
    await bus.publish(said(3));
    await soon(() => expect(taken).toContain(2));
    await soon(() => expect(rung).toEqual([3]));
  });

  it('ends also while the broker cannot be reached', async () => {
    const bus = await ground.open('player', { graceMs: 10 });
    await bus.consume('q', TYPES, { concurrency: 1 }, async () => undefined);
    ground.wayOf(bus).block();
    await soon(() => expect(bus.isUp()).toBe(false));
    const sent = bus.publish(tick(1)).catch((error: unknown) => error);
    await bus.close();
    expect(await sent).toMatchObject({ message: expect.stringMatching(/closed before the broker confirmed/) });
  });

  it('declares an exchange again that somebody has removed, and sends what could not be sent', async () => {
    const bus = await ground.open('player');
    const taken: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await ground.hand.deleteExchange(ground.nameOf('commands'));
    await bus.publish(tick(1));
    await soon(() => expect(taken).toEqual([1]));
  });

  it('declares a queue again that somebody has removed under its pool', async () => {
    const bus = await ground.open('player');
    const taken: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await ground.hand.deleteQueue(ground.nameOf('q'));
    await soon(() => expect(ground.wayOf(bus).connections).toBe(2));
    await soon(() => expect(bus.isUp()).toBe(true));
    await bus.publish(tick(1));
    await soon(() => expect(taken).toEqual([1]));
  });

  it('declares the queue for retries again when a retry finds it gone, and loses nothing', async () => {
    const bus = await ground.open('player', { retryMs: [30] });
    const attempts: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('not yet');
    });
    await ground.hand.deleteQueue(ground.nameOf('q.after-30'));
    await bus.publish(tick(1));
    await soon(() => expect(attempts).toContain(2));
    expect(await ground.dead('q')).toEqual([]);
  });

  it(
    'finds out by itself that the other side says nothing any more',
    async () => {
      const bus = await ground.open('player', { heartbeatS: 1 });
      const taken: number[] = [];
      await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
      ground.wayOf(bus).freeze();
      const sent = bus.publish(tick(1));
      await soon(() => expect(ground.wayOf(bus).connections).toBe(2));
      await sent;
      await soon(() => expect(taken).toContain(1));
    },
    LONG_MS * 2,
  );
}
