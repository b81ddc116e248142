import { expect, it } from '@jest/globals';
import { KILLS } from './kills.ts';

it('kills each service beside another and alone, and each server in two ways', () => {
  expect(KILLS).toHaveLength(14);
  expect(new Set(KILLS.map(({ says }) => says)).size).toBe(14);
  expect(KILLS.filter(({ at }) => at === 'player').map(({ replicas, how }) => [replicas, how])).toEqual([
    [2, 'killed'],
    [1, 'killed'],
  ]);
  expect(KILLS.filter(({ at }) => at === 'PostgreSQL').map(({ replicas, how }) => [replicas, how])).toEqual([
    [2, 'asked'],
    [2, 'killed'],
  ]);
});
