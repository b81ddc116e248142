import { evilCount } from '@maw/games/avalon/setup.ts';
import { type Avalon, isEvil } from '@maw/games/avalon/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';

/** Seats as bits: seat 3 is 8. */
export type Bits = number;

/** One possible deal: who is evil, and which of the good is Merlin. The other roles never show. */
export interface World {
  readonly evil: Bits;
  readonly merlin: Seat;
}

export const bit = (seat: Seat): Bits => 1 << seat;
export const bitsOf = (seats: readonly Seat[]): Bits => seats.reduce((bits, seat) => bits | bit(seat), 0);
export const has = (bits: Bits, seat: Seat): boolean => (bits & bit(seat)) !== 0;
const COUNTS = Uint8Array.from({ length: 1 << 10 }, (_, bits) => [...bits.toString(2)].filter((digit) => digit === '1').length);
/** The number of seats, of at most 10. */
export const count = (bits: Bits): number => COUNTS[bits]!;

export const seatsIn = (bits: Bits): Seat[] => range(10).filter((seat) => has(bits, seat));

/** All sets of `size` of `players` seats. */
export const setsOf = memoize(([players, size]: readonly [players: number, size: number]): readonly Bits[] =>
  range(1 << players).filter((bits) => count(bits) === size),
);

/** All worlds of this many players, equally likely a priori: at most C(10,4) * 6 = 1260. */
export const worldsOf = memoize((players: number): readonly World[] =>
  setsOf([players, evilCount(players)]).flatMap((evil) =>
    range(players).flatMap((merlin) => (has(evil, merlin) ? [] : [{ evil, merlin }])),
  ),
);

/** Whether a world agrees with the role and the sight of `seat`. */
export function fits({ roles, sights }: Avalon, seat: Seat): (world: World) => boolean {
  const role = roles[seat];
  const sight = sights.find((one) => one.seat === seat);
  const seen = bitsOf(sight?.of ?? []);
  if (isEvil(role)) return ({ evil, merlin }) => has(evil, seat) && (evil & seen) === seen && merlin !== seat;
  if (role === 'merlin') return ({ evil, merlin }) => merlin === seat && (evil & seen) === seen;
  if (role === 'percival') return ({ evil, merlin }) => !has(evil, seat) && has(seen, merlin) && (seen & ~bit(merlin) & ~evil) === 0;
  return fitsServant(seat);
}

/** The same for a good seat without knowledge. */
export const fitsServant =
  (seat: Seat) =>
  ({ evil, merlin }: World): boolean =>
    !has(evil, seat) && merlin !== seat;
