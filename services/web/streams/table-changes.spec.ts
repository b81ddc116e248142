import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { watchTableChanges } from './table-changes.ts';

const LONG = 3_600_000;

async function hung() {
  const taps: ((message: { readonly subject: string }) => Promise<void>)[] = [];
  const bus = {
    tap: (_: unknown, hear: (typeof taps)[number]) => Promise.resolve(void taps.push(hear)).then(() => ({ stop: async () => undefined })),
  };
  const bells = await watchTableChanges(bus as unknown as Bus);
  return { bells, taps, ring: (table: string) => taps[0]!({ subject: table }) };
}

describe('a doorbell', () => {
  it('is heard by all who watch the table, through one tap', async () => {
    const { bells, taps, ring } = await hung();
    const here = [bells.at('t1'), bells.at('t1')];
    const there = bells.at('t2');
    const { signal } = new AbortController();
    const waits = here.map((bell) => bell.wait(LONG, signal));
    await ring('t1');
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(await there.wait(0, signal)).toBe(false);
    expect(taps).toHaveLength(1);
  });

  it('is heard when it rang before anybody waited, once', async () => {
    const { bells, ring } = await hung();
    const bell = bells.at('t1');
    const { signal } = new AbortController();
    await ring('t1');
    await ring('t1');
    expect(await bell.wait(LONG, signal)).toBe(true);
    expect(await bell.wait(0, signal)).toBe(false);
  });

  it('stops waiting when its reader goes', async () => {
    const { bells } = await hung();
    const gone = new AbortController();
    const wait = bells.at('t1').wait(LONG, gone.signal);
    gone.abort();
    expect(await wait).toBe(false);
    expect(await bells.at('t1').wait(LONG, gone.signal)).toBe(false);
  });

  it('has another number after each ring, also when everybody has left in between', async () => {
    const { bells, ring } = await hung();
    const numbers: number[] = [];
    for (let i = 0; i < 3; i++) {
      const bell = bells.at('t1');
      numbers.push(bells.lastRing('t1'));
      expect(bells.lastRing('t1')).toBe(numbers.at(-1));
      await ring('t1');
      numbers.push(bells.lastRing('t1'));
      await ring('t2');
      expect(bells.lastRing('t1')).toBe(numbers.at(-1));
      bell.close();
    }
    expect(new Set(numbers).size).toBe(6);
  });
});
