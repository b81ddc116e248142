import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Claim } from './speech.ts';

/** How likely the honest and the liars are to have told no card although they had the floor. */
const SILENT = { honest: 0.3, liar: 0.5 };
/** How likely the honest are to tell the card they were dealt. */
const TRUE = 0.66;
/** How likely somebody is to say to be a Werewolf without being one. */
const ADMITS = 0.0001;
/** How likely something is that can only be a slip. */
export const SLIP = 0.005;
/** Which card liars claim, as weights. */
const LIES: { readonly [card in Card]: number } = { werewolf: 0.05, villager: 4, seer: 0.8, robber: 1, troublemaker: 1.2, insomniac: 1.5 };
/** What a liar says to have seen or taken: that it was a Werewolf, and any other card. */
const FOUND = { seer: { werewolf: 0.4, other: 0.12 }, robber: { werewolf: 0.02, other: 0.2 } };
/** How likely a Robber and a Troublemaker are to do nothing. */
export const PASSES = { robber: 0.1, troublemaker: 0.25 };

/** How likely what one seat has said is, given what it was dealt and did; a card is its place in `CARDS`. */
export interface Likelihood {
  /** Of the card it claims, by the card it was dealt, if it tells the truth. */
  readonly honest: readonly number[];
  /** Of all it says, if it lies. */
  readonly liar: number;
  /** About how likely all it says is, by the card it was dealt: the odds by which worlds are drawn. */
  readonly guess: readonly number[];
  /** Of what it says as Robber, if it took the card from there (-1: from nobody). */
  robbed(from: Seat, card: number): number;
  /** Of what it says as Insomniac, if that was its last card. */
  woke(card: number): number;
  /** As Seer: what it says to have seen. */
  readonly looks: readonly { readonly about: Seat; readonly card: number }[];
  readonly centre: readonly number[];
  /** As Troublemaker: the pair it says to have swapped; empty: nobody. */
  readonly swapped: readonly Seat[] | undefined;
}

/**
 * @param claim what the seat has said last, if anything
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

  /** What one says to have done who has made it up. */
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
