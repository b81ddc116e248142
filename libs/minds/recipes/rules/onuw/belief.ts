import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { type Evidence, worldsOf } from './worlds.ts';

/** What one makes of the evidence. All are probabilities; by seat. */
export interface Belief {
  /** The card lies there at the end: `cards[3].seer`. */
  readonly cards: readonly { readonly [card in Card]: number }[];
  /** It is a Werewolf at the end. */
  readonly wolf: readonly number[];
  /** One gains by its death: it is of the other side than oneself, in whatever world that may be. */
  readonly gain: readonly number[];
  /** No player is a Werewolf. */
  readonly peace: number;
}

/** The belief that follows from some evidence: the sum over its worlds. */
export function beliefOf(evidence: Evidence): Belief {
  const key = JSON.stringify(evidence);
  const known = recent.get(key) ?? computed(evidence, key);
  recent.delete(key);
  recent.set(key, known);
  if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!);
  return known;
}

/** The last results: the same evidence comes again when nobody has said anything in between. */
const recent = new Map<string, Belief>();
const MOST_RECENT = 500;

function computed(evidence: Evidence, key: string): Belief {
  const { players, own } = evidence;
  const seats = Array.from({ length: players }, (_, seat) => seat);
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
