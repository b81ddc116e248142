import { expect, it } from '@jest/globals';
import { timeLeft } from './clock.ts';

it('a clock that was read after the page last looked at the time shows what was read', () => {
  const clock = { now: 1_000, until: 61_000, readAt: 500_000 };
  expect([400_000, 500_000, 510_000].map((now) => timeLeft(clock, now)!.ms)).toEqual([60_000, 60_000, 50_000]);
});
