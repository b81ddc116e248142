import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { type Evidence, worldsOf } from './worlds.ts';

/** Probabilities, by seat. */
export interface Belief {
  /** Its card at the end: `cards[3].seer`. */
  readonly cards: readonly { readonly [card in Card]: number }[];
  /** It is a Werewolf at the end. */
  readonly wolf: readonly number[];
  /** Its death is a gain: it is of the other side than oneself. */
  readonly gain: readonly number[];
  /** No player is a Werewolf. */
  readonly peace: number;
}

/** The belief that follows from the evidence: the sum over its worlds. */
export const beliefOf = memoize(compute, 500);

function compute(evidence: Evidence, key: string): Belief {
  const { players, own } = evidence;
  const seats = range(players);
  const cards = seats.map(() => CARDS.map(() => 0));
  const gain = seats.map(() => 0);
  let peace = 0;
  let total = 0;
  for (const { held, weight } of worldsOf(evidence, key)) {
    if (!weight) continue;
    total += weight;
    const mine = own !== undefined && held[own.seat] === WOLF;
    if (!held.includes(WOLF)) peace += weight;
    for (const seat of seats) {
      cards[seat]![held[seat]!]! += weight;
      if ((held[seat] === WOLF) !== mine) gain[seat]! += weight;
    }
  }
  const share = (weight: number): number => (total ? weight / total : 0);
  return {
    cards: cards.map((row) => Object.fromEntries(CARDS.map((card, c) => [card, share(row[c]!)])) as { [card in Card]: number }),
    wolf: cards.map((row) => share(row[WOLF]!)),
    gain: gain.map(share),
    peace: share(peace),
  };
}

const WOLF = CARDS.indexOf('werewolf');
