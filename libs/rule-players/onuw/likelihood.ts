import type { Seat } from '@maw/games/kernel/question.ts';
import { type Card, CARDS, SIX } from '@maw/games/onuw/state.ts';
import type { Claim } from './speech.ts';

/** A number by card. */
export type Odds = { readonly [card in Card]: number };

/** The probability of claiming no card despite having the floor. */
const SILENT = { honest: 0.3, liar: 0.5 };
/** The probability that the honest claim their dealt card. */
const TRUE = 0.66;
/** The probability of a false claim to be a Werewolf. */
const ADMITS = 0.0001;
/** The probability of a mistake. */
export const SLIP = 0.005;
/** How willingly liars claim the cards that document 004 does not have. */
export const NEW = { minion: 0.05, mason: 0.3, drunk: 3, tanner: 0.05, hunter: 4, doppelganger: 1 } as const;
/** The weights of the cards that liars claim. */
const LIES: Odds = { werewolf: 0.05, villager: 4, seer: 0.8, robber: 1, troublemaker: 1.2, insomniac: 1.5, ...NEW };
/** The probability that a liar claims to have seen or taken a Werewolf, or another card. */
const FOUND = { seer: { werewolf: 0.4, other: 0.12 }, robber: { werewolf: 0.02, other: 0.2 } };
/** The probability of doing nothing. */
export const PASSES = { robber: 0.1, troublemaker: 0.25 };

/** The places of the cards in `CARDS`. */
export const PLACES = Object.fromEntries(CARDS.map((card, c) => [card, c])) as Odds;
const { werewolf: WOLF, minion: MINION, tanner: TANNER } = PLACES;
/** Whether whoever knows that it is this hides it. */
export const isFoe = (card: number): boolean => card === WOLF || card === MINION || card === TANNER;

/** The likelihood of a seat's claims, given its card and deeds; a card is its place in `CARDS`. */
interface Likelihood {
  /** Of its claimed card, by the dealt card, if honest. */
  readonly honest: readonly number[];
  /** Of all its claims, if lying. */
  readonly liar: number;
  /** Roughly of all its claims, by the dealt card: the odds with which worlds are drawn. */
  readonly guess: readonly number[];
  /** Of its claim as Robber, if it took that card from there (-1: from nobody). */
  robbed(from: Seat, card: number): number;
  /** Of its claim as Insomniac, if that was its last card. */
  woke(card: number): number;
  /** As Seer: what it claims to have seen; as Mason: the other one; as Doppelgänger: what it claims to have seen as Seer. */
  readonly looks: readonly { readonly about: Seat; readonly card: number }[];
  readonly centre: readonly number[];
  /** As Troublemaker: the pair it claims to have swapped; empty: nobody. */
  readonly swapped: readonly Seat[] | undefined;
  /** As Drunk: which centre card it claims to have taken. */
  readonly took: number | undefined;
  /** Whether it claims to be a Mason, and so to know the other one. */
  readonly isMason: boolean;
  /** Of its claim as Doppelgänger, if it copied that card there. */
  copied(from: Seat, card: number): number;
}

/**
 * @param claim the last claim of the seat, if any
 * @param hasSpoken it has had the floor
 */
export function likelihoodOf(claim: Claim = {}, hasSpoken: boolean, players: number, deck: readonly Card[]): Likelihood {
  const { role } = claim;
  const [first, ...further] = claim.looks ?? [];
  // the Doppelgänger looks first at the card that it copies, and then does as that card
  const copied = role === 'doppelganger' ? first : undefined;
  const as = copied?.card ?? role;
  const others = players - 1;
  const pairs = (others * (others - 1)) / 2;
  const lies = CARDS.reduce((sum, card) => sum + (deck.includes(card) ? LIES[card] : 0), 0);
  const robbed = as === 'robber' ? claim.robbed : undefined;
  const taken = robbed?.card === undefined ? undefined : PLACES[robbed.card];
  const swapped = as === 'troublemaker' ? claim.swapped : undefined;
  const last = as === 'insomniac' && claim.last ? PLACES[claim.last] : undefined;
  const seen = copied ? further : (claim.looks ?? []);
  const looks = as === 'seer' || role === 'mason' ? seen.map(({ about, card }) => ({ about, card: PLACES[card] })) : [];
  const centre = as === 'seer' ? (claim.centre ?? []).map((card) => PLACES[card]) : [];

  /** Of the claimed deeds, if they are made up. */
  function invented(): number {
    let likely = centre.length ? 0.1 : 1;
    for (const { card } of looks) likely *= (card === WOLF ? FOUND.seer.werewolf : FOUND.seer.other) / others;
    if (robbed) likely *= robbed.from === undefined ? 0.3 : (taken === WOLF ? FOUND.robber.werewolf : FOUND.robber.other) / others;
    if (swapped) likely *= swapped.length ? 0.6 / pairs : 0.4;
    if (last !== undefined) likely *= CARDS[last] === 'insomniac' ? 0.9 : 0.02;
    if (copied) likely *= (copied.card === 'villager' ? 0.5 : 0.1) / others;
    return likely;
  }
  const content = invented();
  const honest = CARDS.map((card) => {
    if (role === undefined) return hasSpoken ? SILENT.honest : 1;
    if (as !== undefined && isFoe(PLACES[as])) return ADMITS;
    if (role === card) return TRUE * (as === 'seer' ? others ** -looks.length : 1);
    return ((1 - SILENT.honest - TRUE) / (SIX.length - 1)) * content;
  });
  const liar =
    role === undefined ? (hasSpoken ? SILENT.liar : 1) : (deck.includes(role) ? ((1 - SILENT.liar) * LIES[role]) / lies : SLIP) * content;

  const robbing = robbed ? 1 / players : 1;
  const swapping = swapped?.length ? (1 - PASSES.troublemaker) / pairs : 1;
  const share: Partial<Odds> = { robber: robbing, troublemaker: swapping, doppelganger: copied ? (robbing * swapping) / others : 1 };
  const turns: Partial<Odds> = { werewolf: 1, minion: 1, tanner: 1, robber: 0.25, insomniac: 0.1, doppelganger: 0.3 };
  return {
    honest,
    liar,
    guess: CARDS.map((card, c) => (1 - (turns[card] ?? 0)) * honest[c]! * (share[card] ?? 1) + (turns[card] ?? 0) * liar),
    robbed: (from, card) => (!robbed || (from === (robbed.from ?? -1) && (from < 0 || taken === undefined || taken === card)) ? 1 : SLIP),
    woke: (card) => (last === undefined || last === card ? 1 : SLIP),
    looks,
    centre,
    swapped,
    took: as === 'drunk' ? claim.took : undefined,
    isMason: role === 'mason',
    copied: (from, card) => (!copied || (copied.about === from && PLACES[copied.card] === card) ? 1 : SLIP),
  };
}
