import { expect, it } from '@jest/globals';
import { normalized } from './belief-table.ts';

it('scales the probabilities of each player to a sum of 1, and adds those of one role', () => {
  const entry = (player: string, role: string, probability: number) => ({ player, role, probability });
  const table = normalized([entry('Bob', 'seer', 0.5), entry('Bob', 'werewolf', 1), entry('Bob', 'seer', 0.5), entry('Cid', 'robber', 0)]);
  expect(table).toEqual({ Bob: { seer: 0.5, werewolf: 0.5 } });
});
