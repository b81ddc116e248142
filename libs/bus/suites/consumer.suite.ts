import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { ComeAgain } from '../retries.ts';
import { act, agreed, ascending, fixturePerTest, gate, type BusFixture, moved, said, eventually, tick } from './fixture.suite.ts';
import { metricValue } from './metric-value.suite.ts';

const TYPES = ['table.tick'] as const;

/** How many waits in a queue a service has measured. */
async function waitsOf(service: string): Promise<number> {
  const { values } = await metrics.messageWait.get();
  return values.find(({ metricName, labels }) => metricName?.endsWith('_count') && labels.service === service)?.value ?? 0;
}

export function consumerSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  it('retries a message, with rising attempts, until it succeeds', async () => {
    const bus = await fixture.open('stubborn', { retryMs: [20, 40, 40] });
    const attempts: number[] = [];
    const listening = await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 4) throw new Error('not yet');
    });
    await bus.publish(tick(1));
    await eventually(() => expect(attempts).toEqual([1, 2, 3, 4]));
    await listening.stop();
    expect(await fixture.dead(fixture.queue)).toEqual([]);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', outcome: 'retried' })).toBe(3);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', outcome: 'done' })).toBe(1);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', sender: tick(1).source })).toBe(4);
    expect(await waitsOf('stubborn')).toBe(1); // a retry has waited on purpose
  });

  it('delivers a message again that its handler gives back, however often, as the same attempt', async () => {
    const bus = await fixture.open('patient', { retryMs: [20, 40] });
    const attempts: number[] = [];
    const listening = await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempts.length < 6) throw new ComeAgain('later');
    });
    await bus.publish(tick(1));
    await eventually(() => expect(attempts).toEqual([1, 1, 1, 1, 1, 1]));
    await listening.stop();
    expect(await waitsOf('patient')).toBe(1);
    expect(await fixture.dead(fixture.queue)).toEqual([]);
  });

  it('handles other messages while one waits for its retry', async () => {
    const bus = await fixture.open('player', { retryMs: [400] });
    const declaring = await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async () => undefined);
    await declaring.stop();
    for (const n of [1, 2, 3]) await bus.publish(tick(n));
    const taken: string[] = [];
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }, { attempt }) => {
      taken.push(`${data.alarm}.${attempt}`);
      if (data.alarm === 1 && attempt === 1) throw new Error('not yet');
    });
    await eventually(() => expect(taken).toEqual(['1.1', '2.1', '3.1', '1.2']));
  });

  it('handles exactly as many messages at a time as its concurrency', async () => {
    const bus = await fixture.open();
    const all = gate();
    let [now, most, done] = [0, 0, 0];
    await bus.consume(fixture.queue, TYPES, { concurrency: 3 }, async () => {
      most = Math.max(most, ++now);
      await all.opened;
      now--;
      done++;
    });
    for (let n = 0; n < 8; n++) await bus.publish(tick(n));
    await eventually(() => expect(now).toBe(3));
    all.open();
    await eventually(() => expect(done).toBe(8));
    expect(most).toBe(3);
  });

  it('keeps the order within a subject over retries and does not block other subjects', async () => {
    const bus = await fixture.open('gamemaster', { retryMs: [30, 30, 30] });
    const slow: string[] = [];
    const quick: number[] = [];
    await bus.consume(fixture.queue, TYPES, { concurrency: 10, inOrder: true }, async ({ subject, data }, { attempt }) => {
      if (subject === 'quick') return void quick.push(data.alarm);
      slow.push(`${data.alarm}.${attempt}`);
      // Not before the others are all through: whoever lets them wait for this one never ends.
      if (data.alarm === 0 && (attempt < 3 || quick.length < 3)) throw new Error('not yet');
    });
    for (const n of [0, 1, 2]) await Promise.all([bus.publish(tick(n, 'slow')), bus.publish(tick(n, 'quick'))]);
    await eventually(() => expect(slow.at(-1)).toBe('2.1'));
    const first = slow.filter((one) => one.startsWith('0.'));
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(slow).toEqual([...first, '1.1', '2.1']);
    expect(quick).toEqual([0, 1, 2]);
  });

  it('with inOrder handles one message per subject at a time, otherwise several', async () => {
    const bus = await fixture.open();
    const all = gate();
    const hands = { ordered: 0, free: 0 };
    let lastOfOrdered = 0;
    await bus.consume(`${fixture.queue}-o`, TYPES, { concurrency: 5, inOrder: true }, async ({ data }) => {
      hands.ordered++;
      lastOfOrdered = data.alarm;
      await all.opened;
    });
    await bus.consume(fixture.queue, TYPES, { concurrency: 5 }, async () => {
      hands.free++;
      await all.opened;
    });
    for (const n of [1, 2, 3]) await bus.publish(tick(n));
    await eventually(() => expect(hands.free).toBe(3));
    expect(hands.ordered).toBe(1);
    all.open();
    await eventually(() => expect(hands.ordered).toBe(3));
    expect(lastOfOrdered).toBe(3);
  });

  it('shares a queue: each message is delivered to one idle consumer', async () => {
    const buses = [await fixture.open('player'), await fixture.open('player')];
    const first = gate();
    const taken: number[][] = [[], []];
    for (const [n, bus] of buses.entries())
      await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => {
        taken[n]!.push(data.alarm);
        if (data.alarm === 1) await first.opened;
      });
    for (const n of [1, 2, 3, 4]) await buses[0]!.publish(tick(n));
    await eventually(() => expect(ascending(taken.map(({ length }) => length))).toEqual([1, 3]));
    expect(taken.find(({ length }) => length === 1)).toEqual([1]);
    first.open();
    expect(ascending(taken.flat())).toEqual([1, 2, 3, 4]);
  });

  it('receives every event, as every other queue does', async () => {
    const bus = await fixture.open();
    const heard: string[] = [];
    for (const name of ['a', 'b'])
      await bus.consume(
        `${fixture.queue}-${name}`,
        ['room.said'],
        { concurrency: 1 },
        async ({ data }) => void heard.push(name + data.line),
      );
    await bus.publish(said(1));
    await bus.publish(said(2));
    await eventually(() => expect(heard.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']));
  });

  it('leaves its unacknowledged messages to others when it dies', async () => {
    const dying = await fixture.open('player');
    const taken = gate();
    await dying.consume(fixture.queue, TYPES, { concurrency: 2 }, () => (taken.open(), new Promise<void>(() => undefined)));
    await dying.publish(tick(1));
    await dying.publish(tick(2));
    await taken.opened;
    const heir = await fixture.open('player');
    const inherited: number[] = [];
    await heir.consume(fixture.queue, TYPES, { concurrency: 2 }, async ({ data }) => void inherited.push(data.alarm));
    await fixture.kill(dying);
    await eventually(() => expect(ascending(inherited)).toEqual([1, 2]));
  });

  it('with isSingle serves one consumer; another takes over when it stops', async () => {
    const [active, standby] = [await fixture.open('gateway'), await fixture.open('gateway')];
    const taken: string[] = [];
    const options = { concurrency: 1, isSingle: true };
    const listening = await active.consume(fixture.queue, TYPES, options, async ({ data }) => void taken.push(`active ${data.alarm}`));
    await standby.consume(fixture.queue, TYPES, options, async ({ data }) => void taken.push(`standby ${data.alarm}`));
    for (const n of [1, 2, 3]) await active.publish(tick(n));
    await eventually(() => expect(taken).toEqual(['active 1', 'active 2', 'active 3']));
    await listening.stop();
    await active.publish(tick(4));
    await eventually(() => expect(taken.at(-1)).toBe('standby 4'));
  });

  it('receives messages sent before its service first started', async () => {
    const early = await fixture.open('web');
    await early.publish(tick(7));
    await early.publish(said(3));
    const master = await fixture.open('gamemaster');
    const room = await fixture.open('chatroom');
    const heard: number[] = [];
    await master.consume('gamemaster', TYPES, { concurrency: 1 }, async ({ data }) => void heard.push(data.alarm));
    await room.consume('chatroom', ['room.said'], { concurrency: 1 }, async ({ data }) => void heard.push(data.line));
    await eventually(() => expect(ascending(heard)).toEqual([3, 7]));
  });

  it('rejects an isSingle that differs from the topology', async () => {
    const bus = await fixture.open('llm-gateway');
    await expect(bus.consume('llm-gateway', ['llm.cancel'], { concurrency: 1 }, async () => undefined)).rejects.toThrow(
      /isSingle must be true/,
    );
    await bus.consume('llm-gateway', ['llm.cancel'], { concurrency: 1, isSingle: true }, async () => undefined);
  });

  it('rejects an empty list of types and a concurrency below 1', async () => {
    const bus = await fixture.open();
    await expect(bus.consume(fixture.queue, [], { concurrency: 1 }, async () => undefined)).rejects.toThrow(/no message types/);
    await expect(bus.consume(fixture.queue, TYPES, { concurrency: 0 }, async () => undefined)).rejects.toThrow(/concurrency 0/);
  });

  it('can send requests and events before it replies', async () => {
    const bus = await fixture.open();
    const told: number[] = [];
    await bus.consume(`${fixture.queue}-inner`, ['table.list'], { concurrency: 1 }, async () => ({
      performative: 'inform',
      data: { tables: [] },
    }));
    await bus.consume(`${fixture.queue}-ticks`, TYPES, { concurrency: 1 }, async ({ data }) => void told.push(data.alarm));
    await bus.consume(fixture.queue, ['table.act'], { concurrency: 1 }, async ({ replyby }) => {
      const about = { id: fixture.queue, source: 'x', subject: '-', at: 0, replyBy: Date.parse(replyby!) };
      const { data } = await bus.request(contracts.write('table.list', {}, about));
      await bus.publish(tick(9));
      return agreed('tables' in data ? data.tables.length + 1 : -1);
    });
    expect(await bus.request(act(1))).toEqual(agreed(1));
    await eventually(() => expect(told).toEqual([9]));
  });

  it('and a subscriber both receive every message', async () => {
    const [bus, watcher] = [await fixture.open(), await fixture.open('web')];
    const [seen, done, rung]: [number[], number[], string[]] = [[], [], []];
    await bus.publish(tick(0));
    const subscription = await watcher.subscribe(['table.tick', 'table.moved'], async (message) => {
      if (message.type === 'table.moved') return void rung.push(message.subject);
      seen.push(message.data.alarm);
      if (message.data.alarm === 1) throw new Error('a subscriber may fail');
    });
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void done.push(data.alarm));
    for (const n of [1, 2]) await bus.publish(tick(n));
    await bus.publish(moved('t9'));
    await eventually(() => expect([seen, done, rung]).toEqual([[1, 2], [1, 2], ['t9']])); // And not 0: it was before its time.
    await subscription.stop();
    await bus.publish(tick(3));
    await eventually(() => expect(done).toEqual([1, 2, 3]));
    expect(seen).toEqual([1, 2]);
  });

  it('is counted by a probe message that no consumer receives', async () => {
    const [bus, other] = [await fixture.open('gamemaster'), await fixture.open('player')];
    const counts = async () => (await bus.probe([fixture.queue, 'chatroom']))[fixture.queue];
    const taken: number[] = [];
    const consume = (by: typeof bus) =>
      by.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    const first = await consume(other);
    expect(await counts()).toBe(1);
    const second = await consume(bus);
    expect(await counts()).toBe(2);
    await Promise.all([first.stop(), second.stop()]);
    await eventually(async () => expect(await counts()).toBe(0));
    expect((await bus.probe(['chatroom']))['chatroom']).toBe(0);
    expect(taken).toEqual([]);
  });

  it('does not receive broadcast events: these are never queued', async () => {
    const bus = await fixture.open('player');
    await bus.publish(moved());
    const invited = contracts.all.find(({ name }) => name === 'seat.invited')!.example as never;
    const taken: string[] = [];
    await bus.publish(contracts.write('seat.invited', invited, { id: 'i', source: 'gamemaster', subject: 't', at: 0 }));
    const listening = await bus.consume(
      'player',
      ['seat.invited', 'seat.decide'],
      { concurrency: 1 },
      async ({ type }) => void taken.push(type),
    );
    await eventually(() => expect(taken).toEqual(['seat.invited']));
    await listening.stop();
    expect(await fixture.dead('player')).toEqual([]);
  });
}
