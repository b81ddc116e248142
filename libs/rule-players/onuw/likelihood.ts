import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Claim } from './speech.ts';

/** The probability of claiming no card despite having the floor. */
const SILENT = { honest: 0.3, liar: 0.5 };
/** The probability that the honest claim their dealt card. */
const TRUE = 0.66;
/** The probability of a false claim to be a Werewolf. */
const ADMITS = 0.0001;
/** The probability of a mistake. */
export const SLIP = 0.005;
/** The weights of the cards that liars claim. */
const LIES: { readonly [card in Card]: number } = { werewolf: 0.05, villager: 4, seer: 0.8, robber: 1, troublemaker: 1.2, insomniac: 1.5 };
/** The probability that a liar claims to have seen or taken a Werewolf, or another card. */
const FOUND = { seer: { werewolf: 0.4, other: 0.12 }, robber: { werewolf: 0.02, other: 0.2 } };
/** The probability of doing nothing. */
export const PASSES = { robber: 0.1, troublemaker: 0.25 };

/** The likelihood of a seat's claims, given its card and deeds; a card is its place in `CARDS`. */
export interface Likelihood {
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
  /** As Seer: what it claims to have seen. */
  readonly looks: readonly { readonly about: Seat; readonly card: number }[];
  readonly centre: readonly number[];
  /** As Troublemaker: the pair it claims to have swapped; empty: nobody. */
  readonly swapped: readonly Seat[] | undefined;
}

/**
 * @param claim the last claim of the seat, if any
 * @param hasSpoken it has had the floor
 */
export function likelihoodOf(claim: Claim = {}, hasSpoken: boolean, players: number, deck: readonly Card[]): Likelihood {
  const { role } = claim;
  const others = players - 1;
  const pairs = (others * (others - 1)) / 2;
  const lies = CARDS.reduce((sum, card) => sum + (deck.includes(card) ? LIES[card] : 0), 0);
  const robbed = role === 'robber' ? claim.robbed : undefined;
  const taken = robbed?.card === undefined ? undefined : CARDS.indexOf(robbed.card);
  const swapped = role === 'troublemaker' ? claim.swapped : undefined;
  const last = role === 'insomniac' && claim.last ? CARDS.indexOf(claim.last) : undefined;
  const looks = role === 'seer' ? (claim.looks ?? []).map(({ about, card }) => ({ about, card: CARDS.indexOf(card) })) : [];
  const centre = role === 'seer' ? (claim.centre ?? []).map((card) => CARDS.indexOf(card)) : [];

  /** Of the claimed deeds, if they are made up. */
  function invented(): number {
    let likely = centre.length ? 0.1 : 1;
    for (const { card } of looks) likely *= (card === WOLF ? FOUND.seer.werewolf : FOUND.seer.other) / others;
    if (robbed) likely *= robbed.from === undefined ? 0.3 : (taken === WOLF ? FOUND.robber.werewolf : FOUND.robber.other) / others;
    if (swapped) likely *= swapped.length ? 0.6 / pairs : 0.4;
    if (last !== undefined) likely *= CARDS[last] === 'insomniac' ? 0.9 : 0.02;
    return likely;
  }
  const content = invented();
  const honest = CARDS.map((card) => {
    if (role === undefined) return hasSpoken ? SILENT.honest : 1;
    if (role === card) return TRUE * (card === 'seer' ? others ** -looks.length : 1);
    return role === 'werewolf' ? ADMITS : ((1 - SILENT.honest - TRUE) / (CARDS.length - 1)) * content;
  });
  const liar =
    role === undefined ? (hasSpoken ? SILENT.liar : 1) : (deck.includes(role) ? ((1 - SILENT.liar) * LIES[role]) / lies : SLIP) * content;

  const share: { readonly [card in Card]?: number } = {
    robber: robbed ? 1 / players : 1,
    troublemaker: swapped?.length ? (1 - PASSES.troublemaker) / pairs : 1,
  };
  const turns: { readonly [card in Card]?: number } = { werewolf: 1, robber: 0.25, insomniac: 0.1 };
  return {
    honest,
    liar,
    guess: CARDS.map((card, c) => (1 - (turns[card] ?? 0)) * honest[c]! * (share[card] ?? 1) + (turns[card] ?? 0) * liar),
    robbed: (from, card) => (!robbed || (from === (robbed.from ?? -1) && (from < 0 || taken === undefined || taken === card)) ? 1 : SLIP),
    woke: (card) => (last === undefined || last === card ? 1 : SLIP),
    looks,
    centre,
    swapped,
  };
}

const WOLF = CARDS.indexOf('werewolf');
