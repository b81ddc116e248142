import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { releasingMap } from './releasing-map.ts';

it('releasingMap holds what a map holds, in the same order', () => {
  const step = fc.record({ key: fc.nat(5), value: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const [plain, releasing] = [new Map<number, number>(), releasingMap<number, number>()];
      for (const { key, value } of steps) {
        if (value === undefined) {
          expect(releasing.delete(key)).toBe(plain.get(key));
          plain.delete(key);
        } else {
          plain.set(key, value);
          releasing.set(key, value);
        }
        expect(releasing.get(key)).toBe(plain.get(key));
        expect([releasing.size, [...releasing.values()]]).toEqual([plain.size, [...plain.values()]]);
      }
    }),
  );
});
