import { describe, expect, it } from '@jest/globals';
import { unitWorkers } from './workers.ts';

const GIB = 2 ** 30;

describe('unitWorkers', () => {
  it.each([
    [2, 16, false, 3],
    [2, 16, true, 2],
    [1, 16, false, 3],
    [32, 16, false, 8],
    [4, 1, false, 2],
    [4, 0.1, true, 1],
  ])('for %i cores and %d GiB, shared with servers: %s, are %i', (cores, gib, isShared, workers) => {
    expect(unitWorkers({ cores, freeBytes: gib * GIB, isShared })).toBe(workers);
  });
});
