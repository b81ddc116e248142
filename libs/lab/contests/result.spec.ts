import { expect, it } from '@jest/globals';
import { type PairingResult, seatSharing } from './result.ts';

const MAX_SEATS = 10_000;

/** A result of one game whose only seat has so many points. */
const resultOf = (points: number): PairingResult => ({
  number: points,
  attempt: 1,
  games: [
    {
      id: `${points}/1`,
      deal: 'd',
      rules: 'onuw',
      winner: 'village',
      seats: [{ agent: 'a', seat: 1, role: 'seer', side: 'village', won: true, points }],
    },
  ],
  faults: [],
  usage: [],
});
const seatOf = ({ games }: PairingResult) => games[0]!.seats[0];

it('gives equal seats one object, of ten thousand different ones at most, and results stay what they were', () => {
  const share = seatSharing();
  const given = Array.from({ length: MAX_SEATS + 1 }, (_, points) => resultOf(points));
  const [first, again] = [given, structuredClone(given)].map((results) => results.map(share));
  expect(first).toEqual(given);
  expect(again).toEqual(given);
  const areShared = given.map((_, i) => seatOf(first![i]!) === seatOf(again![i]!));
  expect(areShared.indexOf(false)).toBe(MAX_SEATS);
});
