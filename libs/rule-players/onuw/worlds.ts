import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { type Card, NIGHT, SIX } from '@maw/games/onuw/state.ts';
import { range, subsets } from '../shared/combinations.ts';
import type { Claim } from './speech.ts';

/** The cards of which beliefs and claims know. */
export const CARDS: readonly Card[] = SIX;

/** The probability of claiming no card despite having the floor. */
const SILENT = { honest: 0.3, liar: 0.5 };
/** The probability that the honest claim their dealt card. */
const TRUE = 0.66;
/** The probability of a false claim to be a Werewolf. */
const ADMITS = 0.0001;
/** The probability of a mistake. */
export const SLIP = 0.005;
/** The weights of the cards that liars claim. */
const LIES: { readonly [card in Card]?: number } = { werewolf: 0.05, villager: 4, seer: 0.8, robber: 1, troublemaker: 1.2, insomniac: 1.5 };
/** The probability that a liar claims to have seen or taken a Werewolf, or another card. */
const FOUND = { seer: { werewolf: 0.4, other: 0.12 }, robber: { werewolf: 0.02, other: 0.2 } };
/** The probability of doing nothing. */
export const PASSES = { robber: 0.1, troublemaker: 0.25 };

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
  const lies = CARDS.reduce((sum, card) => sum + (deck.includes(card) ? (LIES[card] ?? 0) : 0), 0);
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
    role === undefined
      ? hasSpoken
        ? SILENT.liar
        : 1
      : (deck.includes(role) ? ((1 - SILENT.liar) * (LIES[role] ?? 0)) / lies : SLIP) * content;

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

/** What a seat knows for certain. */
export interface Own {
  readonly seat: Seat;
  readonly role: Card;
  /** Those who woke with the same card. */
  readonly mates: readonly Seat[];
  /** The cards it saw: as dealt to others, and in the centre. */
  readonly seen: readonly (readonly [Seat, Card])[];
  readonly centre: readonly Card[];
  /** As Robber: whose card it took. As Troublemaker: whose cards it swapped. As Insomniac: its last card. */
  readonly from?: Seat;
  readonly pair: readonly Seat[];
  readonly last?: Card;
}

/** What is known about the cards. */
export interface Evidence {
  readonly players: number;
  readonly deck: readonly Card[];
  /** By seat. */
  readonly claims: readonly (Claim | undefined)[];
  /** By seat: whether it has had the floor. */
  readonly hasSpoken: readonly boolean[];
  /** Absent: the public evidence. */
  readonly own?: Own;
}

/** One way in which the cards may have been dealt and moved, and its weight. */
interface World {
  /** By seat, at the end: the card's place in `CARDS`. */
  readonly held: readonly number[];
  readonly weight: number;
}

/** Worlds per batch, the most batches, and the effective sample size that is enough. */
const BATCH = 250;
const MAX_BATCHES = 8;
const ENOUGH = 100;
const WOLF = CARDS.indexOf('werewolf');
const SEER = CARDS.indexOf('seer');
const ROBBER = CARDS.indexOf('robber');
const TROUBLEMAKER = CARDS.indexOf('troublemaker');
const INSOMNIAC = CARDS.indexOf('insomniac');

/**
 * Bayes' rule over the deals and night actions that agree with the evidence, by importance sampling: cards are dealt seat by seat with the
 * odds that the claims give them, and each world is weighed by the likelihood of the claims relative to those odds. There are too many worlds
 * to visit all: with seven players more than a million. The same `key` always gives the same worlds.
 */
export function worldsOf(e: Evidence, key: string = JSON.stringify(e)): readonly World[] {
  const sampler = newSampler(e, diceOf(key, 'worlds'));
  const worlds: World[] = [];
  let sum = 0;
  let squares = 0;
  for (let batch = 0; batch < MAX_BATCHES && (!batch || sum * sum < ENOUGH * squares); batch++) {
    for (let i = 0; i < BATCH; i++) {
      const world = drawWorld(sampler);
      worlds.push(world);
      sum += world.weight;
      squares += world.weight ** 2;
    }
  }
  return worlds;
}

type Sampler = ReturnType<typeof newSampler>;

function newSampler({ players, deck, claims, hasSpoken, own }: Evidence, dice: Dice) {
  const seats = range(players);
  // by seat
  const likelihoods = seats.map((seat) => likelihoodOf(claims[seat], hasSpoken[seat]!, players, deck));
  const certain = new Map<Seat, Card>(
    own ? [[own.seat, own.role], ...own.mates.map((mate) => [mate, own.role] as const), ...own.seen] : [],
  );
  const isClosed = (card: Card): boolean => own?.role === card && NIGHT.some((one) => one === card); // everybody who woke with it is known
  const guess = (seat: Seat, card: Card, c: number): number => {
    if (certain.has(seat) ? certain.get(seat) !== card : isClosed(card)) return 0;
    return seat === own?.seat ? 1 : likelihoods[seat]!.guess[c]!;
  };
  // by seat and card: the odds of the deal
  const guesses = seats.map((seat) => CARDS.map((card, c) => guess(seat, card, c)));
  const open = seats.filter((seat) => !certain.has(seat));
  // in which the seats are dealt their cards
  const order = [...certain.keys(), ...open.toSorted((a, b) => Number(claims[b]?.role === 'seer') - Number(claims[a]?.role === 'seer'))];
  // what this seat has not seen in the centre, by kind
  const unseen = [...deck];
  for (const card of own?.centre ?? []) unseen.splice(unseen.indexOf(card), 1);
  const counts = CARDS.map((card) => unseen.filter((one) => one === card).length);
  // by seat
  const others = seats.map((seat) => seats.filter((other) => other !== seat));
  const pairs = others.map((each) => [...subsets(each, 2)]);
  return { players, own, dice, likelihoods, guesses, order, counts, unseen: unseen.length, others, pairs, odds: [] as number[] };
}

function drawWorld(sampler: Sampler): World {
  const { own, likelihoods } = sampler;
  const { held, left, holders, ...deal } = drawDeal(sampler);
  let { weight } = deal;
  if (!weight) return { held, weight };
  for (const seat of holders[SEER]!) if (seat !== own?.seat) for (const card of likelihoods[seat]!.centre) if (!left[card]) weight *= SLIP;
  for (const seat of holders[ROBBER]!.toSorted((a, b) => a - b)) weight *= rob(sampler, held, seat);
  for (const seat of holders[TROUBLEMAKER]!.toSorted((a, b) => a - b)) weight *= swap(sampler, held, seat);
  for (const seat of holders[INSOMNIAC]!) weight *= wake(sampler, held, seat);
  return { held, weight };
}

function drawDeal(sampler: Sampler) {
  const { own, order, guesses, likelihoods, odds } = sampler;
  // by card: how many lie in the centre, and the seats that were dealt it
  const left = [...sampler.counts];
  const held: number[] = [];
  const holders: Seat[][] = CARDS.map(() => []);
  let rest = sampler.unseen;
  let weight = 1;
  for (const seat of order) {
    let sum = 0;
    for (let c = 0; c < CARDS.length; c++) {
      let odd = left[c]! * guesses[seat]![c]!;
      if (odd) for (const seer of holders[SEER]!) odd *= agreement(sampler, seer, seat, c);
      odds[c] = odd;
      sum += odd;
    }
    if (!sum) return { held, holders, left, weight: 0 };
    const c = drawIndex(sampler, CARDS.length, sum);
    weight *= sum / rest--;
    left[c]!--;
    held[seat] = c;
    holders[c]!.push(seat);
    if (c === SEER && seat !== own?.seat)
      for (const { about, card } of likelihoods[seat]!.looks) if ((held[about] ?? card) !== card) weight *= SLIP;
  }
  return { held, holders, left, weight };
}

/** How well a card at a seat agrees with what a Seer claims to have seen there. */
function agreement({ own, likelihoods }: Sampler, seer: Seat, seat: Seat, card: number): number {
  if (seer === own?.seat) return 1;
  for (const look of likelihoods[seer]!.looks) if (look.about === seat && look.card !== card) return SLIP;
  return 1;
}

/** Moves the Robber's cards. Returns the likelihood of its claim relative to the guess, as do the next two. */
function rob(sampler: Sampler, held: number[], seat: Seat): number {
  const { players, own, likelihoods, odds } = sampler;
  if (seat === own?.seat) return exchange(held, seat, own.from);
  const { honest, liar, guess, robbed } = likelihoods[seat]!;
  const others = sampler.others[seat]!;
  let sum = 0;
  for (let i = 0; i < players; i++) {
    const from = others[i] ?? -1; // the last is nobody
    const card = from < 0 ? ROBBER : held[from]!;
    const likely = card === WOLF ? liar : honest[ROBBER]! * robbed(from, card);
    sum += odds[i] = likely * (from < 0 ? PASSES.robber : (1 - PASSES.robber) / (players - 1));
  }
  exchange(held, seat, others[drawIndex(sampler, players, sum)]);
  return sum / guess[ROBBER]!;
}

function swap({ own, likelihoods, dice, ...sampler }: Sampler, held: number[], seat: Seat): number {
  if (seat === own?.seat) return exchange(held, own.pair[0], own.pair[1]);
  const { honest, guess, swapped } = likelihoods[seat]!;
  const pairs = sampler.pairs[seat]!;
  const ratio = honest[TROUBLEMAKER]! / guess[TROUBLEMAKER]!;
  const each = (1 - PASSES.troublemaker) / pairs.length;
  const [a, b] = swapped ?? (dice.below(1000) < 1000 * PASSES.troublemaker ? [] : pairs[dice.below(pairs.length)]!);
  exchange(held, a, b);
  return ratio * (swapped ? (swapped.length ? each : PASSES.troublemaker) : 1);
}

function wake({ own, likelihoods }: Sampler, held: readonly number[], seat: Seat): number {
  const card = held[seat]!;
  if (seat === own?.seat) return own.last === undefined || own.last === CARDS[card] ? 1 : 0;
  const { honest, liar, guess, woke } = likelihoods[seat]!;
  return (card === WOLF ? liar : honest[INSOMNIAC]! * woke(card)) / guess[INSOMNIAC]!;
}

/** Draws an index below `count` with the odds, which add up to `sum`. */
function drawIndex({ dice, odds }: Sampler, count: number, sum: number): number {
  let roll = (dice.below(2 ** 30) / 2 ** 30) * sum;
  let last = 0;
  for (let i = 0; i < count; i++) {
    if (odds[i]! <= 0) continue;
    last = i;
    if ((roll -= odds[i]!) < 0) break;
  }
  return last;
}

/** Exchanges two cards unless a seat is missing. Returns 1, the likelihood of what is certain. */
function exchange(held: number[], a: Seat | undefined, b: Seat | undefined): number {
  if (a !== undefined && b !== undefined) [held[a], held[b]] = [held[b]!, held[a]!];
  return 1;
}
