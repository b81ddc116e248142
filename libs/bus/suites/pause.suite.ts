import { expect, it } from '@jest/globals';
import { act, agreed, type BusFixture, eventually, fixturePerTest, gate, tick } from './fixture.suite.ts';

const TYPES = ['table.tick'] as const;

export function pauseSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  it('finishes messages in flight, leaves others to other consumers, and resumes', async () => {
    const [asker, first, second] = [await fixture.open('player'), await fixture.open('gamemaster'), await fixture.open('gamemaster')];
    const [begun, may] = [gate(), gate()];
    const taken: string[] = [];
    await first.consume(fixture.queue, ['table.act'], { concurrency: 1 }, async ({ data }) => {
      taken.push(`first ${data.seat}`);
      begun.open();
      await may.opened;
      return agreed(data.seat);
    });
    const slow = asker.request(act(1));
    await begun.opened;
    await first.pause();
    await first.pause();
    expect(first.isPaused()).toBe(true);
    const heir = await second.consume(fixture.queue, ['table.act'], { concurrency: 1 }, async ({ data }) => {
      taken.push(`second ${data.seat}`);
      return agreed(data.seat);
    });
    for (const seat of [2, 3]) expect(await asker.request(act(seat))).toEqual(agreed(seat));
    may.open();
    expect(await slow).toEqual(agreed(1));
    await heir.stop();
    const late = asker.request(act(4));
    await first.resume();
    expect(await late).toEqual(agreed(4));
    expect(taken).toEqual(['first 1', 'second 2', 'second 3', 'first 4']);
  });

  it('returns what it has not begun at once, while other work is still in flight', async () => {
    const [first, second] = [await fixture.open('gamemaster'), await fixture.open('gamemaster')];
    const [inFlight, mayEndShort, mayEndLong] = [gate(), gate(), gate()];
    const taken: string[] = [];
    const options = { concurrency: 3, inOrder: true };
    await first.consume(fixture.queue, TYPES, options, async ({ data, subject }) => {
      taken.push(`first ${subject} ${data.alarm}`);
      if (taken.length === 2) inFlight.open();
      await (subject === 'long' ? mayEndLong : mayEndShort).opened;
    });
    // The third message waits behind the first one, in the consumer.
    for (const message of [tick(1, 'short'), tick(2, 'long'), tick(3, 'short')]) await first.publish(message);
    await inFlight.opened;
    await first.pause();
    await second.consume(fixture.queue, TYPES, options, async ({ data, subject }) => void taken.push(`second ${subject} ${data.alarm}`));
    mayEndShort.open();
    await eventually(() => expect(taken).toEqual(['first short 1', 'first long 2', 'second short 3']));
    mayEndLong.open();
  });

  it('holds for consumers that are opened later; requests and events go on', async () => {
    const [paused, other] = [await fixture.open('gamemaster'), await fixture.open('player')];
    await paused.pause();
    const [taken, left, heard]: number[][] = [[], [], []];
    await paused.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void taken!.push(data.alarm));
    await paused.subscribe(TYPES, async ({ data }) => void heard!.push(data.alarm));
    const listening = await other.consume(fixture.queue, ['table.act', ...TYPES], { concurrency: 1 }, async (message) => {
      if (message.type === 'table.act') return agreed(1);
      left!.push(message.data.alarm);
      return undefined;
    });
    expect(await paused.request(act(1))).toEqual(agreed(1));
    await paused.publish(tick(1));
    await eventually(() => expect([heard, left]).toEqual([[1], [1]]));
    await listening.stop();
    expect(taken).toEqual([]);
    await paused.resume();
    await paused.publish(tick(2));
    await eventually(() => expect(taken).toEqual([2]));
  });

  it('ends on close; unfinished messages return to the queue after the grace time', async () => {
    const [taker, heir] = [await fixture.open('player', { graceMs: 50 }), await fixture.open('player')];
    const begun = gate();
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, (_, { signal }) => {
      begun.open();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    await taker.publish(tick(1));
    await begun.opened;
    await taker.pause();
    await taker.close();
    const taken: number[] = [];
    await heir.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void taken.push(data.alarm));
    await eventually(() => expect(taken).toEqual([1]));
  });
}
