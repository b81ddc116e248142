import { expect, it } from '@jest/globals';
import { recordOf } from './record.ts';

const players = (...names: string[]) => names.map((name, seat) => ({ seat, name, points: 0 }));

it('counts games and wins of one name by rule set, and none that were aborted or played by others', () => {
  const tables = [
    { rules: 'maw', players: players('Ann', 'Bo'), winners: [0] },
    { rules: 'onuw', players: players('Bo', 'Ann'), winners: [1] },
    { rules: 'maw', players: players('Bo', 'Ann'), winners: [0] },
    { rules: 'maw', players: players('Ann', 'Bo'), winners: [0, 1], isAborted: true as const },
    { rules: 'maw', players: players('Anna', 'ann', 'Ann '), winners: [0, 1, 2] },
    { rules: 'avalon', players: players('Ann') },
  ];
  expect(recordOf('Ann', tables)).toEqual([
    { rules: 'maw', games: 2, wins: 1 },
    { rules: 'onuw', games: 1, wins: 1 },
    { rules: 'avalon', games: 1, wins: 0 },
  ]);
  expect(recordOf('Zoe', tables)).toEqual([]);
});
