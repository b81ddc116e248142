import { afterEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { type TableChanges, watchTableChanges } from './table-changes.ts';

const LONG = 3_600_000;
let open: TableChanges | undefined;
afterEach(() => open?.close());

async function hung(pollMs = LONG) {
  const subscriptions: ((message: { readonly subject: string }) => Promise<void>)[] = [];
  const bus = {
    subscribe: (_: unknown, hear: (typeof subscriptions)[number]) =>
      Promise.resolve(void subscriptions.push(hear)).then(() => ({ stop: async () => undefined })),
  };
  const changes = (open = await watchTableChanges(bus as unknown as Bus, pollMs));
  return { changes, subscriptions, ring: (table: string) => subscriptions[0]!({ subject: table }) };
}

/** A watch of these tables, each of which was read once. */
async function caughtUp(changes: TableChanges, ...tables: string[]) {
  const watch = changes.watch(tables);
  for (const table of tables) {
    expect(await watch.take()).toBe(table);
    watch.putBack(table, false);
  }
  return watch;
}

describe('watchTableChanges', () => {
  it('notifies all watches of a table through one subscription', async () => {
    const { changes, subscriptions, ring } = await hung();
    const watches = [await caughtUp(changes, 't1'), await caughtUp(changes, 't1', 't2')];
    const there = await caughtUp(changes, 't2');
    const other = there.take();
    const taking = watches.map((watch) => watch.take());
    await ring('t1');
    expect(await Promise.all(taking)).toEqual(['t1', 't1']);
    await ring('t2');
    expect(await other).toBe('t2');
    expect(subscriptions).toHaveLength(1);
  });

  it('remembers a change before it is asked for, once', async () => {
    const { changes, ring } = await hung();
    const watch = await caughtUp(changes, 't1', 't2');
    await ring('t1');
    await ring('t1');
    expect(await watch.take()).toBe('t1');
    watch.putBack('t1', false);
    const next = watch.take();
    await ring('t2');
    expect(await next).toBe('t2');
  });

  it('serves a table that changes all the time after every other that waits', async () => {
    const { changes, ring } = await hung();
    const watch = await caughtUp(changes, 't1', 't2', 't3');
    const order: (string | undefined)[] = [];
    for (const table of ['t1', 't1', 't2', 't3']) await ring(table);
    for (let i = 0; i < 4; i++) {
      const table = await watch.take();
      order.push(table);
      await ring('t1');
      watch.putBack(table!, table === 't2');
    }
    expect(order).toEqual(['t1', 't2', 't3', 't1']);
  });

  it('gives a table to one reader at a time, and again when it changes meanwhile', async () => {
    const { changes, ring } = await hung();
    const watch = await caughtUp(changes, 't1', 't2');
    await ring('t1');
    expect(await watch.take()).toBe('t1');
    await ring('t1');
    await ring('t2');
    expect(await watch.take()).toBe('t2');
    const third = watch.take();
    watch.putBack('t1', false);
    expect(await third).toBe('t1');
  });

  it('forgets a table that is left, and ends with the watch', async () => {
    const { changes, ring } = await hung();
    const watch = await caughtUp(changes, 't1', 't2');
    await ring('t1');
    watch.leave('t1');
    const next = watch.take();
    await ring('t1');
    await ring('t2');
    expect(await next).toBe('t2');
    const last = watch.take();
    watch.close();
    expect([await last, await watch.take()]).toEqual([undefined, undefined]);
  });

  it('counts a table without notification as changed after a while', async () => {
    const { changes } = await hung(5);
    const watch = await caughtUp(changes, 't1');
    const before = changes.version('t1');
    expect(await watch.take()).toBe('t1');
    await pollUntil('another version', () => changes.version('t1') > before);
  });

  it('gives every change a new version, even unwatched in between', async () => {
    const { changes, ring } = await hung();
    const numbers: number[] = [];
    for (let i = 0; i < 3; i++) {
      const watch = changes.watch(['t1']);
      numbers.push(changes.version('t1'));
      expect(changes.version('t1')).toBe(numbers.at(-1));
      await ring('t1');
      numbers.push(changes.version('t1'));
      await ring('t2');
      expect(changes.version('t1')).toBe(numbers.at(-1));
      watch.close();
    }
    expect(new Set(numbers).size).toBe(6);
  });
});
