import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, agreed, gate, said, eventually, tick } from '../suites/fixture.suite.ts';
import { metricValue } from '../suites/metric-value.suite.ts';
import type { RabbitFixture } from './rabbit-fixture.suite.ts';

const TYPES = ['table.tick'] as const;

export function recoverySuite(open: () => Promise<RabbitFixture>): void {
  let fixture: RabbitFixture;
  beforeEach(async () => void (fixture = await open()));
  afterEach(() => fixture.close());

  it('loses no message while the connection is cut repeatedly', async () => {
    const sender = await fixture.open('healer');
    const taker = await fixture.open('player');
    const taken = new Set<number>();
    await taker.consume('q', TYPES, { concurrency: 50 }, async ({ data }) => void taken.add(data.alarm));
    const before = await metricValue(metrics.reconnects, { service: 'healer' });
    const sent = [];
    for (let n = 0; n < 500; n++) {
      sent.push(sender.publish(tick(n)));
      if (n % 100 === 50) {
        await Promise.race(sent.slice(-20));
        fixture.wayOf(sender).cut();
      }
    }
    await Promise.all(sent);
    await eventually(() => expect(taken.size).toBe(500));
    expect(await metricValue(metrics.reconnects, { service: 'healer' })).toBeGreaterThan(before);
    expect(await metricValue(metrics.unconfirmed, { service: 'healer' })).toBe(0);
  });

  it('consumes and replies again after a reconnect, with the same concurrency', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    let [now, most] = [0, 0];
    const first = gate();
    await taker.consume('q', ['table.act'], { concurrency: 2 }, async ({ data }) => {
      most = Math.max(most, ++now);
      if (data.seat < 3) await first.opened;
      now--;
      return agreed(data.seat);
    });
    const answers = [1, 2, 3, 4].map((seat) => asker.request(act(seat)));
    await eventually(() => expect(now).toBe(2));
    fixture.wayOf(taker).cut();
    await eventually(() => expect(fixture.wayOf(taker).connections).toBe(2));
    await eventually(() => expect(taker.isUp()).toBe(true));
    first.open();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4].map(agreed));
    expect(most).toBe(2);
  });

  it('resends a request at once when the connection broke before the reply', async () => {
    const [asker, taker] = [await fixture.open('eager', { resendMs: 60_000 }), await fixture.open('gamemaster')];
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
    await eventually(async () => expect(await metricValue(metrics.unconfirmed, { service: 'eager' })).toBe(0));
    fixture.wayOf(asker).cut();
    await eventually(() => expect(asker.isUp()).toBe(false));
    may.open();
    expect(await answer).toEqual(agreed(3));
    expect(tries).toBe(2);
  });

  it('is down while the broker is unreachable; messages arrive afterwards', async () => {
    const bus = await fixture.open('patient');
    const taken: number[] = [];
    const rung: number[] = [];
    await bus.subscribe(['room.said'], async ({ data }) => void rung.push(data.line));
    fixture.wayOf(bus).block();
    await eventually(() => expect(bus.isUp()).toBe(false));
    expect(await metricValue(metrics.busUp, { service: 'patient' })).toBe(0);
    const sent = bus.publish(tick(1));
    const listening = bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await eventually(async () => expect(await metricValue(metrics.unconfirmed, { service: 'patient' })).toBe(1));
    fixture.wayOf(bus).mend();
    await Promise.all([sent, listening]);
    expect(await metricValue(metrics.busUp, { service: 'patient' })).toBe(1);
    await bus.publish(tick(2));
    await bus.publish(said(3));
    await eventually(() => expect(taken).toContain(2));
    await eventually(() => expect(rung).toEqual([3]));
  });

  it('closes while the broker is unreachable', async () => {
    const bus = await fixture.open('player', { graceMs: 10 });
    await bus.consume('q', TYPES, { concurrency: 1 }, async () => undefined);
    fixture.wayOf(bus).block();
    await eventually(() => expect(bus.isUp()).toBe(false));
    const sent = bus.publish(tick(1)).catch((error: unknown) => error);
    await bus.close();
    expect(await sent).toMatchObject({ message: expect.stringMatching(/closed before the broker confirmed/) });
  });

  it('declares a deleted exchange again and sends what was waiting', async () => {
    const bus = await fixture.open('player');
    const taken: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await fixture.channel.deleteExchange(fixture.nameOf('commands'));
    await bus.publish(tick(1));
    await eventually(() => expect(taken).toEqual([1]));
  });

  it('declares a deleted queue again and consumes from it', async () => {
    const bus = await fixture.open('player');
    const taken: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await fixture.channel.deleteQueue(fixture.nameOf('q'));
    await eventually(() => expect(fixture.wayOf(bus).connections).toBe(2));
    await eventually(() => expect(bus.isUp()).toBe(true));
    await bus.publish(tick(1));
    await eventually(() => expect(taken).toEqual([1]));
  });

  it('declares a deleted delay queue again without losing the retry', async () => {
    const bus = await fixture.open('player', { retryMs: [30] });
    const attempts: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('not yet');
    });
    await fixture.channel.deleteQueue(fixture.nameOf('q.after-30'));
    await bus.publish(tick(1));
    await eventually(() => expect(attempts).toContain(2));
    expect(await fixture.dead('q')).toEqual([]);
  });

  it('detects a silent broker by its heartbeat', async () => {
    const bus = await fixture.open('player', { heartbeatS: 1 });
    const taken: number[] = [];
    await bus.consume('q', TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    fixture.wayOf(bus).freeze();
    const sent = bus.publish(tick(1));
    await eventually(() => expect(fixture.wayOf(bus).connections).toBe(2));
    await sent;
    await eventually(() => expect(taken).toContain(1));
  });
}
