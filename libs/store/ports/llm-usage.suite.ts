import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { UsageEntry } from './budget-usage.ts';
import { about } from './tapes.suite.ts';

/** In the first hour of the first of November 2026. */
const HOUR = Date.UTC(2026, 10, 1) / 3_600_000;
const DAYS = { from: HOUR - 1_000, to: HOUR + 1_000 };
/** Years ahead: an hour that is not over, whenever this runs. */
const RUNNING = 2_000_000;

const used = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  hour: HOUR,
  key: 'player',
  model: 'm',
  recipe: 'xu',
  table: '',
  seat: '',
  requests: 1,
  failures: 0,
  prompt: 100,
  completion: 10,
  ms: 1_000,
  ...more,
});
const times = (n: number, failures = 0) => ({
  requests: n,
  failures,
  prompt: 100 * n,
  completion: 10 * n,
  ms: 1_000 * n,
});

/** The contract of the usage of models. */
export function llmUsageSuite(store: () => Store): void {
  const add = (writer: string, batch: number, ...entries: readonly UsageEntry[]) => store().llmUsage.add(writer, batch, entries);
  const list = (by: ('day' | 'key' | 'model' | 'recipe')[], limit = 100) => store().llmUsage.list({ ...DAYS, by }, limit);
  const ofTable = (table: string, by: ('seat' | 'model' | 'recipe')[] = ['seat', 'model', 'recipe']) =>
    store().llmUsage.list({ table, by }, 100);
  const append = (table: string, after: number, stage: string) =>
    store().tapes.append(table, after, [{ type: 'x' }], about({ at: 5, summary: { stage }, ...(stage === 'over' ? { result: {} } : {}) }));

  describe('the usage of models', () => {
    it('adds what several writers send, also at the same time', async () => {
      const writers = ['a', 'b', 'c', 'd'];
      const entries = ['m', 'n', 'o'].map((model) => used({ model, table: 't', seat: '1' }));
      await Promise.all(
        writers.map(async (writer, i) => {
          for (let n = 1; n <= 5; n++) await add(writer, n, ...(i % 2 ? entries : entries.toReversed()));
        }),
      );
      expect(await list(['model'])).toEqual(['m', 'n', 'o'].map((model) => ({ model, ...times(20) })));
    });

    it('adds a batch once, however often it is sent, and what follows it', async () => {
      await Promise.all([1, 2, 3].map(() => add('a', 1, used({ table: 't', seat: '1' }))));
      await add('a', 2, used({ failures: 1 }), used());
      await add('a', 2, used());
      await add('a', 1, used());
      await add('a', 3);
      await add('b', 1, used());
      expect(await list(['key'])).toEqual([{ key: 'player', ...times(4, 1) }]);
      await append('t', 0, 'over');
      expect(await ofTable('t', ['seat'])).toEqual([{ seat: '1', ...times(1) }]);
    });

    it('sums by any columns, in their order, up to a limit', async () => {
      await add(
        'a',
        1,
        used(),
        used({ hour: HOUR + 23, key: 'lab/bot', recipe: '' }),
        used({ hour: HOUR + 24, model: 'n' }),
        used({ hour: DAYS.from - 1 }),
        used({ hour: DAYS.to }),
      );
      expect(await list(['key', 'day'])).toEqual([
        { key: 'lab/bot', day: '2026-11-01', ...times(1) },
        { key: 'player', day: '2026-11-01', ...times(1) },
        { key: 'player', day: '2026-11-02', ...times(1) },
      ]);
      expect(await list(['recipe'])).toEqual([
        { recipe: '', ...times(1) },
        { recipe: 'xu', ...times(2) },
      ]);
      expect(await list(['day', 'key', 'model', 'recipe'], 1)).toEqual([
        { day: '2026-11-01', key: 'lab/bot', model: 'm', recipe: '', ...times(1) },
      ]);
    });

    it('tells nothing of an hour that is not over', async () => {
      await add('a', 1, used({ hour: RUNNING }), used({ hour: Math.floor(Date.now() / 3_600_000) + 1 }));
      expect(await store().llmUsage.list({ from: 0, to: RUNNING + 1, by: ['key'] }, 100)).toEqual([]);
    });

    it('tells of seats once their table is over, those of the last hour too, and of no other table', async () => {
      const seats = ['10', '2'].map((seat) => used({ hour: RUNNING, table: 't', seat }));
      await add('a', 1, ...seats, ...seats, used({ table: 'u', seat: '2' }), used({ table: 'nowhere', seat: '2' }));
      expect(await ofTable('t')).toEqual([]);
      for (const [after, stage] of ['lobby', 'round', 'pause'].entries()) {
        await append('t', after, stage);
        expect(await ofTable('t')).toEqual([]);
      }
      await append('u', 0, 'round');
      await append('t', 3, 'over');
      expect(await ofTable('t')).toEqual(['2', '10'].map((seat) => ({ seat, model: 'm', recipe: 'xu', ...times(2) })));
      expect([await ofTable('u'), await ofTable('nowhere'), await ofTable('')]).toEqual([[], [], []]);
    });

    it('loses what seats used with their table, and keeps the sums', async () => {
      await append('t', 0, 'over');
      await append('u', 0, 'over');
      await add('a', 1, used({ table: 't', seat: '1' }), used({ table: 'u', seat: '1' }));
      await store().maintenance.removeTables(['t'], { keepResults: true, at: 9 });
      expect([await ofTable('t'), await ofTable('u', ['seat'])]).toEqual([[], [{ seat: '1', ...times(1) }]]);
      expect(await list(['key'])).toEqual([{ key: 'player', ...times(2) }]);
    });

    it('stores names without what databases refuse', async () => {
      await add('a', 1, used({ key: 'a\0b', model: 'x\uD800' }));
      expect(await list(['key', 'model'])).toEqual([{ key: 'ab', model: 'x\uFFFD', ...times(1) }]);
    });

    it('keeps large numbers exact', async () => {
      const most = Number.MAX_SAFE_INTEGER - 5;
      await add('a', 1, used({ prompt: most }));
      await add('a', 2, used({ prompt: 5 }));
      expect(await list(['key'])).toEqual([{ key: 'player', ...times(2), prompt: most + 5 }]);
    });
  });
}
