import { expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { courseOf } from './course.ts';

const timesOf = (rules: string, ms: number) =>
  Object.fromEntries(Object.keys(catalogue.find(({ name }) => name === rules)!.options).flatMap((name) => (name.endsWith('Ms') ? [[name, ms]] : []))); // prettier-ignore

it.each(catalogue.map(({ name }) => name))('a game of %s has phases that begin one after the other, and takes as long as they', (rules) => {
  const [short, long] = [1_000, 20_000].map((ms) => courseOf({ rules, options: timesOf(rules, ms) }));
  expect(Math.min(...short!.shares.values())).toBe(0);
  expect(Math.max(...short!.shares.values())).toBeLessThan(1);
  expect(long!.ms / short!.ms).toBeGreaterThan(5);
  expect(courseOf({ rules, options: timesOf(rules, 1_000) })).toEqual(short);
});

it('of five AIWolf players the second day comes after the first, and night between them', () => {
  const { shares, ms } = courseOf({ rules: 'aiwolf', players: 5, options: {} });
  const of = (phase: string): number => shares.get(phase)!;
  expect([of('night-0'), of('day-1/turn-0') < of('day-1/turn-1'), of('day-1/turn-1') < of('day-1')]).toEqual([0, true, true]);
  expect(of('day-1')).toBeLessThan(of('night-1'));
  expect(ms).toBeGreaterThan(60_000);
});
