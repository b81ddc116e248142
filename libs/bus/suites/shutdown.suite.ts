import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { act, agreed, fixturePerTest, gate, type BusFixture, eventually, tick } from './fixture.suite.ts';

const TYPES = ['table.tick'] as const;

export function shutdownSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  it('waits for messages in flight and their replies, and takes no new ones', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster', { graceMs: 60_000 })];
    const [begun, may] = [gate(), gate()];
    const taken: number[] = [];
    await taker.consume(fixture.queue, ['table.act'], { concurrency: 1 }, async ({ data }) => {
      taken.push(data.seat);
      begun.open();
      await may.opened;
      return agreed(data.seat);
    });
    const answer = asker.request(act(1));
    await begun.opened;
    let isClosed = false;
    const closing = taker.close().then(() => (isClosed = true));
    await asker.publish(act(2));
    expect(isClosed).toBe(false);
    may.open();
    expect(await answer).toEqual(agreed(1));
    await closing;
    expect(taken).toEqual([1]);
  });

  it('lets handlers in flight send requests and events until they finish', async () => {
    const [asker, taker, other] = [
      await fixture.open('player'),
      await fixture.open('gamemaster', { graceMs: 60_000 }),
      await fixture.open('web'),
    ];
    const [begun, may] = [gate(), gate()];
    await other.consume(`${fixture.queue}-o`, ['table.list'], { concurrency: 1 }, async () => ({
      performative: 'inform',
      data: { tables: [] },
    }));
    await taker.consume(fixture.queue, ['table.act'], { concurrency: 1 }, async ({ replyby }) => {
      begun.open();
      await may.opened;
      const about = { id: fixture.queue, source: 'x', subject: '-', at: 0, replyBy: Date.parse(replyby!) };
      const { performative } = await taker.request(contracts.write('table.list', {}, about));
      await taker.publish(tick(1));
      return agreed(performative === 'inform' ? 1 : 2);
    });
    const answer = asker.request(act(1));
    await begun.opened;
    const closing = taker.close();
    may.open();
    expect(await answer).toEqual(agreed(1));
    await closing;
  });

  it('returns unfinished messages after the grace time and aborts their signal', async () => {
    const taker = await fixture.open('player', { graceMs: 50 });
    const begun = gate();
    let signal: AbortSignal | undefined;
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, (_, delivery) => {
      signal = delivery.signal;
      begun.open();
      return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
    });
    await taker.publish(tick(1));
    await begun.opened;
    expect(signal!.aborted).toBe(false);
    await taker.close();
    expect(signal!.aborted).toBe(true);
    const heir = await fixture.open('player');
    const attempts: number[] = [];
    const listening = await heir.consume(fixture.queue, TYPES, { concurrency: 1 }, async (_, { attempt }) => void attempts.push(attempt));
    await eventually(() => expect(attempts).toEqual([1]));
    await listening.stop();
    expect(await fixture.dead(fixture.queue)).toEqual([]);
  });

  it('leaves messages that have not begun to other consumers', async () => {
    const [first, second] = [await fixture.open('player', { graceMs: 60_000 }), await fixture.open('player')];
    const [begun, may] = [gate(), gate()];
    const taken: string[] = [];
    const listening = await first.consume(fixture.queue, TYPES, { concurrency: 5, inOrder: true }, async ({ data }) => {
      taken.push(`first ${data.alarm}`);
      begun.open();
      await may.opened;
    });
    for (const n of [1, 2, 3]) await first.publish(tick(n));
    await begun.opened;
    const stopping = listening.stop();
    await second.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(`second ${data.alarm}`));
    may.open();
    await stopping;
    await eventually(() => expect(taken).toEqual(['first 1', 'second 2', 'second 3']));
  });

  it('keeps other consumers running when one stops', async () => {
    const bus = await fixture.open();
    const taken: number[] = [];
    const stopped = await bus.consume(`${fixture.queue}-s`, ['table.act'], { concurrency: 1 }, async () => agreed(1));
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await Promise.all([stopped.stop(), stopped.stop()]);
    await stopped.stop();
    await bus.publish(tick(1));
    await eventually(() => expect(taken).toEqual([1]));
    expect(bus.isUp()).toBe(true);
  });

  it('is idempotent, and every later call is rejected', async () => {
    const bus = await fixture.open('done');
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async () => undefined);
    expect(bus.isUp()).toBe(true);
    await Promise.all([bus.close(), bus.close()]);
    await bus.close();
    expect(bus.isUp()).toBe(false);
    await expect(bus.publish(tick(1))).rejects.toThrow(/bus of done is closed/);
    await expect(bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async () => undefined)).rejects.toThrow(/closed/);
    await expect(bus.subscribe(TYPES, async () => undefined)).rejects.toThrow(/closed/);
  });
}
