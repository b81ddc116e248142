import { describe, expect, it } from '@jest/globals';
import type { MatchEvent, Opening, SeatPlan } from '@maw/games/match/state.ts';
import { scoresOf } from './scores.ts';

const seats: readonly SeatPlan[] = [
  { kind: 'mind', recipe: 'react', model: 'm', name: 'Ann' },
  { kind: 'mind', recipe: 'react', model: 'm' },
  { kind: 'person', recipe: 'rules' },
];
const opened = (terms: Partial<Opening> = {}) => ({ type: 'opened', opening: { rules: 'maw', seats, afterwards: 'seats', ...terms } });
const began = { type: 'began', round: 1 };
const closed = { type: 'closed', winners: [] };
const handed = (to: 'mind' | 'person'): MatchEvent => ({ type: 'handed', seat: 2, to });
const scored = (...winners: number[]) => ({ type: 'scored', outcome: { winners, roles: ['wolf', 'villager', 'seer'] } });
const mind = { rules: 'maw', kind: 'mind', recipe: 'react', model: 'm' };
const person = { rules: 'maw', side: 'villagers', kind: 'person' };

describe('scoresOf', () => {
  it('counts each round by player and side, without names', () => {
    expect(scoresOf([opened(), began, scored(0), began, scored(1, 2), began, scored(), closed])).toEqual([
      { ...mind, side: 'wolves', games: 3, wins: 1 },
      { ...mind, side: 'villagers', games: 3, wins: 1 },
      { ...person, games: 3, wins: 1 },
    ]);
  });

  it('counts a seat for whoever held it through the whole game, and else for nobody', () => {
    const assigned: MatchEvent = { type: 'assigned', seat: 0, recipe: 'recon' };
    const rounds = [handed('mind'), began, scored(2), began, handed('person'), assigned, scored(0, 2), began, scored(), closed];
    expect(scoresOf([opened(), ...rounds])).toEqual([
      { ...mind, side: 'wolves', games: 1, wins: 0 },
      { ...mind, side: 'villagers', games: 3, wins: 0 },
      { rules: 'maw', side: 'villagers', kind: 'mind', recipe: 'rules', games: 1, wins: 1 },
      { rules: 'maw', side: 'wolves', kind: 'mind', recipe: 'recon', games: 1, wins: 0 },
      { ...person, games: 1, wins: 0 },
    ]);
  });

  it('counts nothing of a table that was aborted or that nobody may see afterwards', () => {
    expect(scoresOf([opened(), began, scored(0), { type: 'aborted' }, closed])).toEqual([]);
    const { afterwards: _, ...old } = opened().opening;
    for (const opening of [{ ...old, afterwards: 'nobody' }, old])
      expect(scoresOf([{ type: 'opened', opening } as { type: string }, began, scored(0), closed])).toEqual([]);
  });
});
