import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { RecordedExchange } from './recordings.ts';

const take = (id: string, at: number, more: Partial<RecordedExchange> = {}): RecordedExchange => ({
  recording: 'r',
  hash: 'h',
  id,
  table: 't',
  asker: '0',
  at,
  request: { messages: [{ role: 'user', content: 'You are 🐺.' }] },
  outcome: { answer: { content: id } },
  ...more,
});

/** The contract of recordings. */
export function recordingsSuite(store: () => Store): void {
  const keep = async (...all: readonly RecordedExchange[]) => {
    for (const each of all) await store().recordings.save(each);
  };
  const find = async (nth: number, table = 't', hash = 'h', recording = 'r') =>
    (await store().recordings.find(recording, hash, nth, table))?.id;

  describe('recordings', () => {
    it('find an exchange by recording, hash and number', async () => {
      const kept = take('a', 5, { outcome: { refusal: { reason: 'late', detail: 'x' } } });
      await keep(kept);
      expect(await store().recordings.find('r', 'h', 1, 't')).toEqual(kept);
      expect([await find(1, 't', 'other'), await find(1, 't', 'h', 'other'), await find(0), await find(2)]).toEqual(
        Array(4).fill(undefined),
      );
    });

    it('number repeated requests of one table by time, whatever the order of saving', async () => {
      await keep(take('c', 30), take('a', 10), take('b', 20), take('b2', 20));
      expect([await find(1), await find(2), await find(3), await find(4), await find(5)]).toEqual(['a', 'b', 'b2', 'c', undefined]);
    });

    it('prefer exchanges of the table, then those of the table that asked first', async () => {
      await keep(take('u1', 10, { table: 'u' }), take('t1', 20), take('u2', 30, { table: 'u' }), take('t2', 40), take('t3', 50));
      expect([await find(1, 't'), await find(2, 't'), await find(3, 't')]).toEqual(['t1', 't2', 't3']);
      expect([await find(1, 'u'), await find(2, 'u'), await find(3, 'u')]).toEqual(['u1', 'u2', 't3']);
      expect([await find(1, 'new'), await find(2, 'new'), await find(3, 'new')]).toEqual(['u1', 'u2', 't3']);
    });

    it('replace only the outcome when the same message is saved again', async () => {
      await keep(take('a', 10), take('b', 20), take('a', 90, { outcome: { answer: 'again' }, asker: '7', request: {} }));
      expect(await store().recordings.find('r', 'h', 1, 't')).toEqual(take('a', 10, { outcome: { answer: 'again' } }));
      expect([await find(2), await find(3)]).toEqual(['b', undefined]);
    });

    it('are kept apart by name', async () => {
      await keep(take('a', 10), take('b', 20, { recording: 's' }));
      expect([await find(1), await find(1, 't', 'h', 's'), await find(2)]).toEqual(['a', 'b', undefined]);
      expect((await store().recordings.list('s', { limit: 10 })).map(({ id }) => id)).toEqual(['b']);
    });

    it('list exchanges in order, up to a limit', async () => {
      const all = [take('a', 10), take('b', 20, { asker: '1', hash: 'i' }), take('c', 30, { table: 'u' }), take('d', 40, { hash: 'j' })];
      await keep(...all.toReversed());
      const ids = async (about: { limit: number }) => (await store().recordings.list('r', about)).map(({ id }) => id);
      expect(await store().recordings.list('r', { limit: 10 })).toEqual(all);
      expect([await ids({ limit: 2 }), await ids({ limit: 0 })]).toEqual([['a', 'b'], []]);
    });

    it('keep any text and exact numbers', async () => {
      const odd = { text: 'a\0b\ud800c\\u0000"\n', vector: [0.1, -1e-300, 0.30000000000000004], z: 1, a: null };
      await keep(take('a', 1, { request: odd, outcome: odd }));
      const back = await store().recordings.find('r', 'h', 1, 't');
      expect([back?.request, back?.outcome]).toEqual([odd, odd]);
      expect(JSON.stringify(back?.request)).toBe(JSON.stringify(odd));
    });
  });
}
