import { diceOf } from '@maw/games/kernel/dice.ts';
import { wolfCount, wolves } from '@maw/games/maw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Evidence } from './belief.ts';
import type { Day, Known } from './record.ts';

/** How much an accusation counts against a vote. */
const ACCUSATION = 0.3;
/** What a vote tells of its voter, as logarithms of how much likelier it is for a wolf. */
const WAYS = { withTheOthers: Math.log(0.85), apart: Math.log(1.4), silent: Math.log(1.15), change: Math.log(1.08) };

/** The days that are over: only then does a vote say something. */
export const pastDays = ({ days, game }: Known): readonly Day[] =>
  Object.entries(days).flatMap(([number, day]) => (Number(number) < game.day || game.night ? [day] : []));

/** What everybody knows. Whoever has heard the same comes to the same; so those who play alike can act together without a word. */
export function publicEvidence(known: Known, { players }: Moment): Evidence {
  const seats = players.map(({ seat }) => seat);
  const past = pastDays(known);
  return {
    players: seats.length,
    wolves: wolfCount(seats.length),
    hasSeer: known.hasSeer,
    alive: players.flatMap(({ seat, alive }) => (alive ? [seat] : [])),
    cleared: known.murdered,
    guilty: [],
    seer: undefined,
    against: sumOf(
      past.map((day) => againstOf(day, seats.length)),
      seats.length,
    ),
    ways: seats.map((seat) => past.reduce((sum, day) => sum + wayOf(day, seat), 0)),
    claims: known.hasSeer ? known.claims : [],
  };
}

/**
 * What this seat knows besides: itself, what it has inspected, its pack.
 * @param seen what everybody knows
 */
export function ownEvidence(known: Known, moment: Moment, seen: Evidence = publicEvidence(known, moment)): Evidence {
  const { roles, inspected } = known.game;
  const role = roles[moment.seat];
  if (role === 'wolf') return { ...seen, guilty: wolves(known.game), cleared: roles.flatMap((r, seat) => (r === 'wolf' ? [] : [seat])) };
  const found = (isWolf: boolean) => inspected.flatMap(([seat, r]) => ((r === 'wolf') === isWolf ? [seat] : []));
  return {
    ...seen,
    guilty: found(true),
    cleared: [...new Set([...seen.cleared, moment.seat, ...found(false)])],
    ...(role === 'seer' ? { seer: moment.seat, claims: [] } : {}),
  };
}

/** How strongly each seat was against each other on a day: `[voter][target]`. A day that is over does not change. */
function againstOf(day: Day, players: number): readonly (readonly number[])[] {
  const known = matrices.get(day);
  if (known?.length === players) return known;
  const matrix = Array.from({ length: players }, () => Array.from({ length: players }, () => 0));
  for (const [voter, { target }] of Object.entries(day.votes)) matrix[Number(voter)]![target]! += 1;
  for (const accusation of day.accusations) {
    const [by, about] = accusation.split('/').map(Number) as [number, number];
    matrix[by]![about]! += ACCUSATION;
  }
  matrices.set(day, matrix);
  return matrix;
}
const matrices = new WeakMap<Day, readonly (readonly number[])[]>();

function sumOf(of: readonly (readonly (readonly number[])[])[], players: number): readonly (readonly number[])[] {
  const sum = Array.from({ length: players }, () => Array.from({ length: players }, () => 0));
  for (const matrix of of) for (let a = 0; a < players; a++) for (let b = 0; b < players; b++) sum[a]![b]! += matrix[a]![b]!;
  return sum;
}

/** Villagers gather on one name; who votes apart, not at all, or to and fro, had other reasons. */
function wayOf({ votes, executed }: Day, seat: Seat): number {
  const cast = votes[seat];
  const fickle = Math.min(4, cast?.changes ?? 0) * WAYS.change;
  if (executed === undefined || executed === seat || !Object.keys(votes).length) return fickle;
  if (!cast) return WAYS.silent;
  return fickle + (cast.target === executed ? WAYS.withTheOthers : WAYS.apart);
}

/** An order of seats that is anew each day and the same for everybody: it decides between those who are suspected alike. */
export function commonOrder({ players }: Moment, { round, game }: Known): readonly Seat[] {
  return diceOf(players.map(({ name }) => name).join('|'), `${round}/${game.day}`).shuffle(players.map(({ seat }) => seat));
}

/** The first of some seats by weight, the common order deciding between those that weigh about the same. */
export function foremost(of: readonly Seat[], weight: (seat: Seat) => number, order: readonly Seat[]): Seat | undefined {
  const step = (seat: Seat) => Math.round(weight(seat) * 25);
  return of.toSorted((a, b) => step(b) - step(a) || order.indexOf(a) - order.indexOf(b))[0];
}

/** How many votes each seat has, without those of `but`. */
export function tally(votes: Day['votes'] = {}, but?: Seat): ReadonlyMap<Seat, number> {
  const counts = new Map<Seat, number>();
  for (const [voter, { target }] of Object.entries(votes)) if (Number(voter) !== but) counts.set(target, (counts.get(target) ?? 0) + 1);
  return counts;
}
