import { describe, expect, it } from '@jest/globals';
import type { Bus } from '../bus.ts';
import { busSuite } from '../suites/bus.suite.ts';
import { type BusFixture, agreed, act, gate, tick } from '../suites/fixture.suite.ts';
import { createHub } from './hub.ts';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import type { Counter } from 'prom-client';
import { partOf } from '../core/topology.ts';
import { memoryBus, memoryHub } from './memory-bus.ts';
import { MAX_RETAINED, MAX_WAITING } from '../core/message-limits.ts';
import { MAX_DELIVERIES } from '../retries.ts';
import type { RawMessage } from '../core/transport.ts';

busSuite('memory', async (): Promise<BusFixture> => {
  const hub = createHub();
  const buses: Bus[] = [];
  const rawMessage = (given: Partial<RawMessage> & { body: Buffer }): RawMessage => ({ headers: {}, ...given });
  return {
    async open(service = 'test', options = {}) {
      const bus = memoryBus({ service, hub, retryMs: [10, 20], graceMs: 100, ...options });
      buses.push(bus);
      return bus;
    },
    inject: async (queue, given) => hub.send({ queue }, rawMessage(given)),
    askRaw: (queue, given) =>
      new Promise((resolve) => {
        hub.onReply('stranger', ({ body }) => resolve(JSON.parse(body.toString())));
        hub.send({ queue }, rawMessage({ ...given, replyTo: 'stranger', correlationId: 'c' }));
      }),
    dead: async (queue) => hub.dead.filter((letter) => letter.queue === queue),
    kill: (bus) => bus.close(), // What it has in hand it gives back after its short grace.
    close: async () => void (await Promise.all(buses.map((bus) => bus.close()))),
  };
});

/** The queue of the ticks of these tests. */
const PART = `gamemaster.part-${partOf(tick(1).subject)}`;

describe('memoryBus', () => {
  it('isolates services on one hub; dead letters are visible to all', async () => {
    const hub = memoryHub();
    const [player, master] = [memoryBus({ service: 'player', hub }), memoryBus({ service: 'gamemaster', hub, retryMs: [] })];
    const stranger = memoryBus({ service: 'player' });
    await master.consume('gamemaster', ['table.act'], { concurrency: 1 }, async ({ data }) => {
      if (data.seat === 2) throw new Error('no seat 2');
      return agreed(data.seat);
    });
    expect(await player.request(act(1))).toEqual(agreed(1));
    expect(await player.request(act(2))).toMatchObject({ performative: 'failure' });
    expect(player.dead).toBe(master.dead);
    expect(master.dead).toMatchObject([{ type: 'table.act', queue: 'gamemaster', reason: 'failed', error: 'no seat 2', attempts: 1 }]);
    expect(stranger.dead).toEqual([]);
    await Promise.all([player, master, stranger].map((bus) => bus.close()));
  });

  it('copies messages instead of passing references', async () => {
    const bus = memoryBus({ service: 'player' });
    const message = tick(1);
    const taken = Promise.withResolvers<unknown>();
    await bus.consume('gamemaster', ['table.tick'], { concurrency: 1 }, async (got) => taken.resolve(got));
    await bus.publish(message);
    expect(await taken.promise).toEqual(message);
    expect(await taken.promise).not.toBe(message);
    await bus.close();
  });

  it('rejects a publish while the queue is full', async () => {
    const hub = memoryHub();
    const bus = memoryBus({ service: 'player', hub });
    for (let n = 1; n < MAX_WAITING; n++) hub.send({ queue: PART }, { body: Buffer.from(JSON.stringify(tick(n))), headers: {} });
    await bus.publish(tick(0));
    await expect(bus.publish(tick(0))).rejects.toThrow(`queue ${PART} is full`);
    const taken = gate();
    await bus.consume('gamemaster', ['table.tick'], { concurrency: 1 }, async () => taken.open());
    await taken.opened;
    await bus.publish(tick(0));
    await bus.close();
  });

  it('retains the newest dead letters', () => {
    const hub = memoryHub();
    for (let n = 0; n <= MAX_RETAINED; n++) hub.send({ queue: 'gamemaster.dead' }, { id: `m${n}`, body: Buffer.from('{}'), headers: {} });
    expect([hub.dead.length, hub.dead[0]!.id, hub.dead.at(-1)!.id]).toEqual([MAX_RETAINED, 'm1', `m${MAX_RETAINED}`]);
  });

  it('dead-letters a message after too many deliveries', async () => {
    const hub = memoryHub();
    for (let n = 0; n <= MAX_DELIVERIES; n++) {
      const bus = memoryBus({ service: 'player', hub, graceMs: 1 });
      const taken = gate();
      await bus.consume('gamemaster', ['table.tick'], { concurrency: 1 }, () => (taken.open(), new Promise<void>(() => undefined)));
      if (n === 0) await bus.publish(tick(1));
      expect(hub.dead).toEqual([]);
      await taken.opened;
      await bus.close();
    }
    expect(hub.dead).toMatchObject([{ queue: 'gamemaster', reason: 'delivery-limit' }]);
  });

  it('shows counters of rare events at 0 before the first event', async () => {
    registry.resetMetrics();
    const bus = memoryBus({ service: 'player' });
    await bus.consume('player', ['seat.decide'], { concurrency: 1 }, async () => undefined);
    const { deadLetters, forged, refusals, unanswered, resent, reconnects } = metrics;
    const shown = async (counter: Counter) =>
      (await counter.get()).values.flatMap(({ labels: { service, ...labels }, value }) =>
        service === 'player' && value === 0 ? [Object.values(labels).join(' ')] : [],
      );
    expect(await shown(deadLetters)).toEqual(['player unreadable', 'player gave-up', 'player failed']);
    expect(await shown(forged)).toEqual(expect.arrayContaining(['seat.decide no-user', 'unreadable reply-to']));
    expect(await shown(refusals)).toEqual(expect.arrayContaining(['late', 'forbidden']));
    for (const counter of [unanswered, resent])
      expect(await shown(counter)).toEqual(expect.arrayContaining(['llm.complete', 'table.view']));
    expect(await shown(reconnects)).toEqual(['']);
    await bus.close();
  });

  it('uses the given clock for deadlines', async () => {
    const bus = memoryBus({ service: 'player', now: () => Date.now() + 3_600_000 });
    await expect(bus.request(act(1))).rejects.toThrow(/no reply until/);
    await bus.close();
  });
});
