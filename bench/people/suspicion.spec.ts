import { describe, expect, it } from '@jest/globals';
import { importMafia, showRecord } from '@maw/games/records/imported.ts';
import { aucOf, precisionOf, suspicionsOf } from './suspicion.ts';

const seat = (belief: number, isWolf = false) => ({ belief, isWolf, received: 0 });

/** A game in which Bob accuses Cy, and all but Cy vote for him; `mafia` says who is what, which nobody at the table is told. */
const game = (mafia: string) => {
  const players = ['Ann', 'Bob', 'Cy', 'Dan', 'Eve'];
  const vote = (by: string, whom: string) => ({ t: 130, type: 'vote', phase: 'day-vote', by, for: whom });
  const events = [
    { t: 0, type: 'phase', phase: 'day', day: 1 },
    { t: 9, type: 'message', phase: 'day', by: 'Bob', text: 'cy is a werewolf' },
    { t: 120, type: 'phase', phase: 'day-vote', day: 1 },
    ...['Ann', 'Bob', 'Dan', 'Eve'].map((by) => vote(by, 'Cy')),
    vote('Cy', 'Bob'),
    { t: 140, type: 'execution', player: 'Cy' },
  ];
  return showRecord(importMafia({ game: 'g', players, mafia: [mafia], daySeconds: 120, nightSeconds: 60, winner: 'mafia', events })).tape;
};

describe('a ranking by suspicion', () => {
  it('is right as often as it puts a mafioso above a bystander', () => {
    expect(aucOf({ seats: [seat(0.9, true), seat(0.5), seat(0.1)] }, 'belief')).toBe(1);
    expect(aucOf({ seats: [seat(0.4, true), seat(0.5), seat(0.1)] }, 'belief')).toBe(0.5);
    expect(aucOf({ seats: [seat(0.5, true), seat(0.5)] }, 'belief')).toBe(0.5);
    expect(precisionOf({ seats: [seat(0.9, true), seat(0.5), seat(0.4, true), seat(0.1)] }, 'belief')).toBeCloseTo((1 + 2 / 3) / 2);
  });

  it('does not know roles, and has all who live before the execution', () => {
    const [one, other] = ['Cy', 'Ann'].map((mafia) => suspicionsOf(game(mafia))[0]!);
    expect(one!.seats.map(({ belief }) => belief)).toEqual(other!.seats.map(({ belief }) => belief));
    expect(one!.seats.map(({ received }) => received)).toEqual([0, 1, 4, 0, 0]);
    expect(one!.seats.map(({ isWolf }) => isWolf)).toEqual([false, false, true, false, false]);
    expect(one!.seats[2]!.belief).toBeGreaterThan(one!.seats[3]!.belief);
  });
});
