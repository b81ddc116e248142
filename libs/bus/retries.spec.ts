import { expect, it } from '@jest/globals';
import { RETRY_MS } from './retries.ts';

it('retries within five seconds after a fault, and outlasts one of 90 seconds', () => {
  expect(Math.max(...RETRY_MS)).toBeLessThanOrEqual(5_000);
  expect(RETRY_MS.reduce((sum, ms) => sum + ms)).toBeGreaterThan(90_000);
});
