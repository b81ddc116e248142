import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fifo } from './queue.ts';
import { type Place, slotBook } from './slots.ts';

interface Spec {
  readonly slots: number;
  readonly models: readonly string[];
  readonly resident: readonly string[];
  readonly isUp?: boolean;
  readonly single?: readonly string[];
}

const place = (name: string, { slots, models, resident, isUp = true, single = [] }: Spec): Place => ({
  name,
  isUp,
  slots,
  atOnce: (model) => (models.includes(model) ? (single.includes(model) ? 1 : slots) : 0),
  isResident: (model) => resident.includes(model),
});

const MODELS = ['a', 'b', 'c'];
const spec = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  models: fc.subarray(MODELS),
  resident: fc.subarray(MODELS),
  isUp: fc.boolean(),
  single: fc.subarray(MODELS),
});
const step = fc.oneof(
  fc.record({ do: fc.constant('arrive' as const), model: fc.constantFrom(...MODELS) }),
  fc.record({ do: fc.constant('finish' as const), which: fc.nat(30) }),
  fc.record({ do: fc.constant('toggle' as const), which: fc.nat(3) }),
);

describe('slots and the line in front of them', () => {
  it('never give a server more than its slots, never idle while somebody could be served, and keep the order of arrival', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 120 }), (specs, steps) => {
        const ups = specs.map(({ isUp }) => isUp);
        const places = specs.map((one, n) => ({
          ...place(`s${n}`, one),
          get isUp() {
            return ups[n]!;
          },
        }));
        const book = slotBook();
        const line = fifo<{ id: string; model: string; at: number }>();
        const waiting = new Map<string, { model: string; at: number }>();
        const running: { place: Place; model: string; give: () => void }[] = [];
        let arrivals = 0;

        const using = (name: string, model?: string): number =>
          running.filter((one) => one.place.name === name && (model === undefined || one.model === model)).length;
        const couldRun = (model: string): boolean =>
          places.some((one) => one.isUp && using(one.name) < one.slots && using(one.name, model) < one.atOnce(model));

        const fill = (): void => {
          for (;;) {
            let found: Place | undefined;
            const job = line.next(({ model }) => (found = book.choose(places, model)) !== undefined);
            if (!job || !found) break;
            for (const other of waiting.values()) if (other.model === job.model) expect(other.at).toBeGreaterThanOrEqual(job.at);
            waiting.delete(job.id);
            running.push({ place: found, model: job.model, give: book.take(found, job.model) });
          }
          for (const { name, slots, atOnce } of places) {
            expect(using(name)).toBeLessThanOrEqual(slots);
            for (const model of MODELS) if (using(name, model) > 0) expect(using(name, model)).toBeLessThanOrEqual(atOnce(model));
            expect(book.busy(name)).toBe(using(name));
          }
          for (const { model } of waiting.values()) expect(couldRun(model)).toBe(false);
        };

        for (const one of steps) {
          switch (one.do) {
            case 'arrive': {
              const job = { id: String(arrivals), model: one.model, at: arrivals++ };
              line.add(job);
              waiting.set(job.id, job);
              break;
            }
            case 'finish': {
              const [done] = running.splice(one.which % Math.max(1, running.length), 1);
              done?.give();
              done?.give();
              break;
            }
            case 'toggle':
              ups[one.which % ups.length] = !ups[one.which % ups.length];
              break;
          }
          fill();
          expect(line.size).toBe(waiting.size);
        }
      }),
    );
  });

  it('prefer the server that has the model in its memory, then the one with most free slots, then the first', () => {
    const book = slotBook();
    const places = [
      place('cold', { slots: 8, models: ['a', 'b'], resident: [] }),
      place('warm', { slots: 2, models: ['a'], resident: ['a'] }),
      place('wide', { slots: 9, models: ['b'], resident: [] }),
      place('last', { slots: 9, models: ['b'], resident: [] }),
    ];
    expect(book.choose(places, 'a')?.name).toBe('warm');
    expect(book.choose(places, 'b')?.name).toBe('wide');
    book.take(places[2]!, 'b');
    expect(book.choose(places, 'b')?.name).toBe('last');
  });

  it('do not wait for the warm server while a cold one is free', () => {
    const book = slotBook();
    const warm = place('warm', { slots: 1, models: ['a'], resident: ['a'] });
    const cold = place('cold', { slots: 1, models: ['a'], resident: [] });
    book.take(warm, 'a');
    expect(book.choose([warm, cold], 'a')?.name).toBe('cold');
    book.take(cold, 'a');
    expect(book.choose([warm, cold], 'a')).toBeUndefined();
    expect(() => book.take(cold, 'a')).toThrow('no free slot');
  });
});

describe('the line', () => {
  it('serves in the order of arrival those who can be served, and takes out who is no longer there', () => {
    const line = fifo<{ id: string; model: string }>();
    for (const [id, model] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
      ['4', 'b'],
    ] as const)
      line.add({ id, model });
    expect(line.next(({ model }) => model === 'b')?.id).toBe('2');
    expect(line.remove('1')?.id).toBe('1');
    expect(line.remove('1')).toBeUndefined();
    expect(line.next(() => true)?.id).toBe('3');
    expect(line.next(({ model }) => model === 'a')).toBeUndefined();
    expect(line.size).toBe(1);
    expect(() => line.add({ id: '4', model: 'a' })).toThrow('already');
  });
});
