import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { watchTableChanges } from './table-changes.ts';

const LONG = 3_600_000;

async function hung() {
  const subscriptions: ((message: { readonly subject: string }) => Promise<void>)[] = [];
  const bus = {
    subscribe: (_: unknown, hear: (typeof subscriptions)[number]) =>
      Promise.resolve(void subscriptions.push(hear)).then(() => ({ stop: async () => undefined })),
  };
  const changes = await watchTableChanges(bus as unknown as Bus);
  return { changes, subscriptions, ring: (table: string) => subscriptions[0]!({ subject: table }) };
}

describe('watchTableChanges', () => {
  it('notifies all watches of a table through one subscription', async () => {
    const { changes, subscriptions, ring } = await hung();
    const here = [changes.watch('t1'), changes.watch('t1')];
    const there = changes.watch('t2');
    const { signal } = new AbortController();
    const waits = here.map((bell) => bell.wait(LONG, signal));
    await ring('t1');
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(await there.wait(0, signal)).toBe(false);
    expect(subscriptions).toHaveLength(1);
  });

  it('remembers a change before the wait, once', async () => {
    const { changes, ring } = await hung();
    const bell = changes.watch('t1');
    const { signal } = new AbortController();
    await ring('t1');
    await ring('t1');
    expect(await bell.wait(LONG, signal)).toBe(true);
    expect(await bell.wait(0, signal)).toBe(false);
  });

  it('stops waiting when the signal is aborted', async () => {
    const { changes } = await hung();
    const gone = new AbortController();
    const wait = changes.watch('t1').wait(LONG, gone.signal);
    gone.abort();
    expect(await wait).toBe(false);
    expect(await changes.watch('t1').wait(LONG, gone.signal)).toBe(false);
  });

  it('gives every change a new version, even unwatched in between', async () => {
    const { changes, ring } = await hung();
    const numbers: number[] = [];
    for (let i = 0; i < 3; i++) {
      const bell = changes.watch('t1');
      numbers.push(changes.version('t1'));
      expect(changes.version('t1')).toBe(numbers.at(-1));
      await ring('t1');
      numbers.push(changes.version('t1'));
      await ring('t2');
      expect(changes.version('t1')).toBe(numbers.at(-1));
      bell.close();
    }
    expect(new Set(numbers).size).toBe(6);
  });
});
