import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, agreed, ascending, eachOn, gate, type BusFixture, moved, said, soon, tick } from './fixture.suite.ts';
import { metricValue } from './metric-value.suite.ts';

const TYPES = ['table.tick'] as const;

export function poolSuite(open: () => Promise<BusFixture>): void {
  const ground = eachOn(open);

  it('takes a message again, as a further attempt, until it is done', async () => {
    const bus = await ground.open('stubborn', { retryMs: [20, 40, 60] });
    const attempts: number[] = [];
    const listening = await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error('not yet');
    });
    await bus.publish(tick(1));
    await soon(() => expect(attempts).toEqual([1, 2, 3]));
    await listening.stop();
    expect(await ground.dead(ground.queue)).toEqual([]);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', outcome: 'retried' })).toBe(2);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', outcome: 'done' })).toBe(1);
    expect(await metricValue(metrics.messagesTaken, { service: 'stubborn', sender: tick(1).source })).toBe(3);
  });

  it('lets others pass while one waits for its further attempt', async () => {
    const bus = await ground.open('player', { retryMs: [900] });
    const declaring = await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async () => undefined);
    await declaring.stop();
    for (const n of [1, 2, 3]) await bus.publish(tick(n));
    const taken: string[] = [];
    await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async ({ data }, { attempt }) => {
      taken.push(`${data.alarm}.${attempt}`);
      if (data.alarm === 1 && attempt === 1) throw new Error('not yet');
    });
    await soon(() => expect(taken).toEqual(['1.1', '2.1', '3.1', '1.2']));
  });

  it('has no more in hand than its concurrency, and no less', async () => {
    const bus = await ground.open();
    const all = gate();
    let [now, most, done] = [0, 0, 0];
    await bus.consume(ground.queue, TYPES, { concurrency: 3 }, async () => {
      most = Math.max(most, ++now);
      await all.opened;
      now--;
      done++;
    });
    for (let n = 0; n < 8; n++) await bus.publish(tick(n));
    await soon(() => expect(now).toBe(3));
    all.open();
    await soon(() => expect(done).toBe(8));
    expect(most).toBe(3);
  });

  it('keeps the order of a subject, even when one must be tried again, while other subjects go on', async () => {
    const bus = await ground.open('gamemaster', { retryMs: [30, 30, 30] });
    const slow: string[] = [];
    const quick: number[] = [];
    await bus.consume(ground.queue, TYPES, { concurrency: 10, inOrder: true }, async ({ subject, data }, { attempt }) => {
      if (subject === 'quick') return void quick.push(data.alarm);
      slow.push(`${data.alarm}.${attempt}`);
      // Not before the others are all through: whoever lets them wait for this one never ends.
      if (data.alarm === 0 && (attempt < 3 || quick.length < 3)) throw new Error('not yet');
    });
    for (const n of [0, 1, 2]) await Promise.all([bus.publish(tick(n, 'slow')), bus.publish(tick(n, 'quick'))]);
    await soon(() => expect(slow.at(-1)).toBe('2.1'));
    const first = slow.filter((one) => one.startsWith('0.'));
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(slow).toEqual([...first, '1.1', '2.1']);
    expect(quick).toEqual([0, 1, 2]);
  });

  it('that keeps order has one message of a subject in hand, and one that does not has several', async () => {
    const bus = await ground.open();
    const all = gate();
    const hands = { ordered: 0, free: 0 };
    let lastOfOrdered = 0;
    await bus.consume(`${ground.queue}-o`, TYPES, { concurrency: 5, inOrder: true }, async ({ data }) => {
      hands.ordered++;
      lastOfOrdered = data.alarm;
      await all.opened;
    });
    await bus.consume(ground.queue, TYPES, { concurrency: 5 }, async () => {
      hands.free++;
      await all.opened;
    });
    for (const n of [1, 2, 3]) await bus.publish(tick(n));
    await soon(() => expect(hands.free).toBe(3));
    expect(hands.ordered).toBe(1);
    all.open();
    await soon(() => expect(hands.ordered).toBe(3));
    expect(lastOfOrdered).toBe(3);
  });

  it('shares its queue with the pools of others: each message goes to one of them, and none waits for one that is busy', async () => {
    const buses = [await ground.open('player'), await ground.open('player')];
    const first = gate();
    const taken: number[][] = [[], []];
    for (const [n, bus] of buses.entries())
      await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async ({ data }) => {
        taken[n]!.push(data.alarm);
        if (data.alarm === 1) await first.opened;
      });
    for (const n of [1, 2, 3, 4]) await buses[0]!.publish(tick(n));
    await soon(() => expect(ascending(taken.map(({ length }) => length))).toEqual([1, 3]));
    expect(taken.find(({ length }) => length === 1)).toEqual([1]);
    first.open();
    expect(ascending(taken.flat())).toEqual([1, 2, 3, 4]);
  });

  it('gets every event that any other queue gets too', async () => {
    const bus = await ground.open();
    const heard: string[] = [];
    for (const name of ['a', 'b'])
      await bus.consume(
        `${ground.queue}-${name}`,
        ['room.said'],
        { concurrency: 1 },
        async ({ data }) => void heard.push(name + data.line),
      );
    await bus.publish(said(1));
    await bus.publish(said(2));
    await soon(() => expect(heard.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']));
  });

  it('hands over what it had in hand when it dies', async () => {
    const dying = await ground.open('player');
    const taken = gate();
    await dying.consume(ground.queue, TYPES, { concurrency: 2 }, () => (taken.open(), new Promise<void>(() => undefined)));
    await dying.publish(tick(1));
    await dying.publish(tick(2));
    await taken.opened;
    const heir = await ground.open('player');
    const inherited: number[] = [];
    await heir.consume(ground.queue, TYPES, { concurrency: 2 }, async ({ data }) => void inherited.push(data.alarm));
    await ground.kill(dying);
    await soon(() => expect(ascending(inherited)).toEqual([1, 2]));
  });

  it('that is single leaves the others standing by, and one of them takes over', async () => {
    const [active, standby] = [await ground.open('gateway'), await ground.open('gateway')];
    const taken: string[] = [];
    const options = { concurrency: 1, isSingle: true };
    const listening = await active.consume(ground.queue, TYPES, options, async ({ data }) => void taken.push(`active ${data.alarm}`));
    await standby.consume(ground.queue, TYPES, options, async ({ data }) => void taken.push(`standby ${data.alarm}`));
    for (const n of [1, 2, 3]) await active.publish(tick(n));
    await soon(() => expect(taken).toEqual(['active 1', 'active 2', 'active 3']));
    await listening.stop();
    await active.publish(tick(4));
    await soon(() => expect(taken.at(-1)).toBe('standby 4'));
  });

  it('is served what was sent before its service was first started', async () => {
    const early = await ground.open('web');
    await early.publish(tick(7));
    await early.publish(said(3));
    const master = await ground.open('gamemaster');
    const room = await ground.open('chatroom');
    const heard: number[] = [];
    await master.consume('gamemaster', TYPES, { concurrency: 1 }, async ({ data }) => void heard.push(data.alarm));
    await room.consume('chatroom', ['room.said'], { concurrency: 1 }, async ({ data }) => void heard.push(data.line));
    await soon(() => expect(ascending(heard)).toEqual([3, 7]));
  });

  it('of a service must be single as its queue is', async () => {
    const bus = await ground.open('llm-gateway');
    await expect(bus.consume('llm-gateway', ['llm.cancel'], { concurrency: 1 }, async () => undefined)).rejects.toThrow(
      /isSingle must be true/,
    );
    await bus.consume('llm-gateway', ['llm.cancel'], { concurrency: 1, isSingle: true }, async () => undefined);
  });

  it('must take something', async () => {
    const bus = await ground.open();
    await expect(bus.consume(ground.queue, [], { concurrency: 1 }, async () => undefined)).rejects.toThrow(/no types/);
    await expect(bus.consume(ground.queue, TYPES, { concurrency: 0 }, async () => undefined)).rejects.toThrow(/concurrency 0/);
  });

  it('may ask and tell others before it answers', async () => {
    const bus = await ground.open();
    const told: number[] = [];
    await bus.consume(`${ground.queue}-inner`, ['table.list'], { concurrency: 1 }, async () => ({
      performative: 'inform',
      data: { tables: [] },
    }));
    await bus.consume(`${ground.queue}-ticks`, TYPES, { concurrency: 1 }, async ({ data }) => void told.push(data.alarm));
    await bus.consume(ground.queue, ['table.act'], { concurrency: 1 }, async ({ replyby }) => {
      const about = { id: ground.queue, source: 'x', subject: '-', at: 0, replyBy: Date.parse(replyby!) };
      const { data } = await bus.request(contracts.write('table.list', {}, about));
      await bus.publish(tick(9));
      return agreed('tables' in data ? data.tables.length + 1 : -1);
    });
    expect(await bus.request(act(1))).toEqual(agreed(1));
    await soon(() => expect(told).toEqual([9]));
  });

  it('leaves every message to the tap as well, and a tap leaves it to the pool', async () => {
    const [bus, watcher] = [await ground.open(), await ground.open('web')];
    const [seen, done, rung]: [number[], number[], string[]] = [[], [], []];
    await bus.publish(tick(0));
    const tap = await watcher.subscribe(['table.tick', 'table.moved'], async (message) => {
      if (message.type === 'table.moved') return void rung.push(message.subject);
      seen.push(message.data.alarm);
      if (message.data.alarm === 1) throw new Error('a tap may fail');
    });
    await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async ({ data }) => void done.push(data.alarm));
    for (const n of [1, 2]) await bus.publish(tick(n));
    await bus.publish(moved('t9'));
    await soon(() => expect([seen, done, rung]).toEqual([[1, 2], [1, 2], ['t9']])); // And not 0: it was before its time.
    await tap.stop();
    await bus.publish(tick(3));
    await soon(() => expect(done).toEqual([1, 2, 3]));
    expect(seen).toEqual([1, 2]);
  });

  it('is not bothered with doorbells: they wait for nobody', async () => {
    const bus = await ground.open('player');
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
    await soon(() => expect(taken).toEqual(['seat.invited']));
    await listening.stop();
    expect(await ground.dead('player')).toEqual([]);
  });
}
