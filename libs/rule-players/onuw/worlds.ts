import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { type Card, CARDS, NIGHT, SIX } from '@maw/games/onuw/state.ts';
import { range, subsets } from '../shared/combinations.ts';
import { isFoe, likelihoodOf, PASSES, PLACES, SLIP } from './likelihood.ts';
import type { Claim } from './speech.ts';

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
  /** As Doppelgänger: the card it copied, which is the first that it saw; the deeds are those of that card. */
  readonly copied?: Card;
  /** As Minion: who woke as Werewolves. */
  readonly wolves?: readonly Seat[];
  /** As Drunk: which centre card it took. Of the cards in the centre that it saw: which they were. Only where the deck moves cards of the centre. */
  readonly took?: number;
  readonly centreAt?: readonly number[];
}

/** What is known about the cards. */
export interface Evidence {
  readonly players: number;
  readonly deck: readonly Card[];
  /** By seat. */
  readonly claims: readonly (Claim | undefined)[];
  /** By seat: whether it has had the floor. */
  readonly hasSpoken: readonly boolean[];
  /** Whether the village wins by the death of a Minion where there is no Werewolf. */
  readonly isMinionTarget?: true;
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
/** There are more worlds where cards of the centre move. */
const MAX_MOVING = 16;
/** How much the odds of the deal heed the claims, but for decks of document 004, whose draws are recorded: claims that contradict each other are found out only later. 1: as much as is right. */
const EASE = 0.7;
/** With a Doppelgänger, a card that was seen may have lain elsewhere at the deal: the odds of that with which worlds are drawn. */
const HINT = 0.1;
const { werewolf: WOLF, seer: SEER, robber: ROBBER, troublemaker: TROUBLEMAKER, insomniac: INSOMNIAC } = PLACES;
const { mason: MASON, drunk: DRUNK, doppelganger: DOPPELGANGER, villager: VILLAGER } = PLACES;

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
  const most = sampler.isMoving ? MAX_MOVING : MAX_BATCHES;
  const isEnough = (): boolean => (squares > 0 || !sampler.isMoving) && sum * sum >= ENOUGH * squares;
  for (let batch = 0; batch < most && (!batch || !isEnough()); batch++) {
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
  // cards of the centre move; then they have places after those of the seats
  const isMoving = deck.includes('drunk') || deck.includes('doppelganger');
  // another may be the Doppelgänger, so what was seen in the night may not have lain there at the deal
  const isCopied = deck.includes('doppelganger') && own?.role !== 'doppelganger';
  const met = own?.copied ?? own?.role;
  const pack = own?.wolves ? ([WOLF, own.wolves] as const) : met && PACKS.includes(met) ? ([PLACES[met], own!.mates] as const) : undefined;
  const woke = own
    ? [
        [own.seat, own.role] as const,
        ...own.mates.map((mate) => [mate, met!] as const),
        ...(own.wolves ?? []).map((wolf) => [wolf, 'werewolf'] as const),
      ]
    : [];
  const centre = isMoving ? (own?.centre ?? []).map((card, i) => [players + own!.centreAt![i]!, card] as const) : [];
  const seen = [...(own?.seen ?? []), ...centre];
  const certain = new Map<number, Card>([...woke, ...(isCopied ? [] : seen)]);
  const hinted = new Map<number, Card>(isCopied ? seen : []);
  // everybody who woke with it is known
  const isClosed = (card: Card, c: number): boolean => c === pack?.[0] || (own?.role === card && NIGHT.some((one) => one === card));
  const isPack = (at: number): boolean => isCopied && pack?.[1].includes(at) === true;
  const guess = (at: number, card: Card, c: number): number => {
    const is = certain.get(at);
    if (is !== undefined ? is !== card && !(c === DOPPELGANGER && isPack(at)) : at < players && isClosed(card, c)) return 0;
    const odd = at === own?.seat || at >= players ? 1 : likelihoods[at]!.guess[c]!;
    return (hinted.get(at) ?? card) === card ? odd : odd * HINT;
  };
  // by place and card: the odds of the deal
  const guesses = range(isMoving ? deck.length : players).map((at) => CARDS.map((card, c) => guess(at, card, c)));
  const first = [...new Set([...certain.keys(), ...hinted.keys()])];
  const open = seats.filter((seat) => !first.includes(seat));
  // in which the places are dealt their cards
  const order = [...first, ...open.toSorted((a, b) => Number(claims[b]?.role === 'seer') - Number(claims[a]?.role === 'seer'))];
  // what this seat has not seen in the centre, by kind
  const unseen = [...deck];
  if (!isMoving) for (const card of own?.centre ?? []) unseen.splice(unseen.indexOf(card), 1);
  const counts = CARDS.map((card) => unseen.filter((one) => one === card).length);
  // by seat
  const others = seats.map((seat) => seats.filter((other) => other !== seat));
  const pairs = others.map((each) => [...subsets(each, 2)]);
  const isSix = deck.every((card) => SIX.some((one) => one === card));
  const knowing = { isSix, isMoving, isCopied, pack, hinted };
  return {
    players,
    own,
    dice,
    likelihoods,
    guesses,
    order,
    counts,
    unseen: unseen.length,
    others,
    pairs,
    odds: [] as number[],
    ...knowing,
  };
}

/** Those who wake as one of these know of a Doppelgänger that has copied it. */
const PACKS: readonly Card[] = ['werewolf', 'mason'];

function drawWorld(sampler: Sampler): World {
  const { own, likelihoods, isMoving, players } = sampler;
  const { held, left, holders, ...deal } = drawDeal(sampler);
  let { weight } = deal;
  if (!weight) return { held, weight };
  const [copier] = holders[DOPPELGANGER]!;
  const dealt = sampler.isCopied ? [...held] : held;
  const copy = copier === undefined ? undefined : copyCard(sampler, held, copier, holders);
  if (copy) weight *= copy.weight;
  if (sampler.isCopied) weight *= seenAgain(sampler, dealt, held, holders[SEER]!);
  const isThere = (card: number): boolean => (isMoving ? held.includes(card, players) : left[card]! > 0);
  for (const seat of holders[SEER]!)
    if (seat !== own?.seat) for (const card of likelihoods[seat]!.centre) if (!isThere(card)) weight *= SLIP;
  for (const seat of holders[ROBBER]!.toSorted((a, b) => a - b)) weight *= rob(sampler, held, seat);
  for (const seat of holders[TROUBLEMAKER]!.toSorted((a, b) => a - b)) weight *= swap(sampler, held, seat);
  for (const seat of holders[DRUNK]!.toSorted((a, b) => a - b)) weight *= drink(sampler, held, seat);
  for (const seat of holders[INSOMNIAC]!) weight *= wake(sampler, held, seat);
  if (copy?.card === INSOMNIAC) weight *= wake(sampler, held, copier!, copy.honest, copy.honest);
  if (!isMoving) return { held, weight };
  const counted = copy?.card ?? VILLAGER;
  return { held: held.slice(0, players).map((card) => (card === DOPPELGANGER ? counted : card)), weight };
}

function drawDeal(sampler: Sampler) {
  const { own, order, guesses, likelihoods, odds } = sampler;
  // by card: how likely the claims make it
  const likely: number[] = [];
  // by card: how many lie in the centre, and the seats that were dealt it
  const left = [...sampler.counts];
  const held: number[] = [];
  const holders: Seat[][] = CARDS.map(() => []);
  let rest = sampler.unseen;
  let weight = 1;
  for (const at of order) {
    let sum = 0;
    for (let c = 0; c < CARDS.length; c++) {
      let odd = left[c]! * guesses[at]![c]!;
      if (odd) for (const seer of holders[SEER]!) odd *= agreement(sampler, seer, at, c);
      if (odd) for (const mason of holders[MASON]!) odd *= fellowship(sampler, mason, at, c);
      if (odd && !sampler.isSix) odd *= sayings(sampler, at, c, held);
      likely[c] = odd && !sampler.isSix ? odd / left[c]! : 1;
      sum += odds[c] = odd / likely[c]! ** (1 - EASE);
    }
    if (!sum) return { held, holders, left, weight: 0 };
    const c = drawIndex(sampler, CARDS.length, sum);
    weight *= (sum / rest--) * likely[c]! ** (1 - EASE);
    left[c]!--;
    held[at] = c;
    if (at >= sampler.players) continue;
    holders[c]!.push(at);
    if (sampler.isSix && c === SEER && at !== own?.seat)
      for (const { about, card } of likelihoods[at]!.looks) if ((held[about] ?? card) !== card) weight *= SLIP;
  }
  if (sampler.isMoving) {
    const others = sampler.dice.shuffle(left.flatMap((count, c) => Array.from({ length: count }, () => c)));
    for (let at = sampler.players; at < sampler.guesses.length; at++) held[at] ??= others.pop()!;
  }
  return { held, holders, left, weight };
}

/** How well a card at a seat agrees with what a Seer claims to have seen there. */
function agreement({ own, likelihoods, isCopied }: Sampler, seer: Seat, seat: Seat, card: number): number {
  if (seer === own?.seat) return 1;
  for (const look of likelihoods[seer]!.looks) if (look.about === seat && look.card !== card) return isCopied ? HINT : SLIP;
  return 1;
}

/** The same of a Mason, who knows all others; a Doppelgänger may be one of them or not. */
function fellowship({ own, likelihoods, players }: Sampler, mason: Seat, at: number, card: number): number {
  const { isMason, looks } = likelihoods[mason]!;
  if (mason === own?.seat || !isMason || at >= players || card === DOPPELGANGER) return 1;
  return looks.some(({ about }) => about === at) === (card === MASON) ? 1 : SLIP;
}

/** How well what a seat claims to have seen as a Seer or Mason agrees with the cards that are dealt already. */
function sayings(sampler: Sampler, at: number, card: number, held: readonly number[]): number {
  if ((card !== SEER && card !== MASON) || at >= sampler.players) return 1;
  const agrees = card === SEER ? agreement : fellowship;
  return sampler.order.reduce((likely, other) => {
    const is = other === at ? undefined : held[other];
    return is === undefined ? likely : likely * agrees(sampler, at, other, is);
  }, 1);
}

/** How well the cards after the Doppelgänger's deed agree with what was seen then, relative to the odds that this gave the deal. */
function seenAgain(
  { own, likelihoods, hinted }: Sampler,
  dealt: readonly number[],
  held: readonly number[],
  seers: readonly Seat[],
): number {
  let weight = 1;
  for (const [at, card] of hinted) {
    if (CARDS[held[at]!] !== card) return 0;
    if (CARDS[dealt[at]!] !== card) weight /= HINT;
  }
  for (const seer of seers)
    if (seer !== own?.seat)
      for (const { about, card } of likelihoods[seer]!.looks)
        weight *= (held[about] === card ? 1 : SLIP) / (dealt[about] === card ? 1 : HINT);
  return weight;
}

/**
 * Chooses whose card the Doppelgänger copies, and does what that card does at once.
 * @returns the card, the likelihood of its claims relative to the guess, and `honest`: that of its claim of this card
 */
function copyCard(sampler: Sampler, held: number[], seat: Seat, holders: readonly (readonly Seat[])[]) {
  const { own, likelihoods, odds, players, pack } = sampler;
  if (seat === own?.seat) {
    const card = PLACES[own.copied!];
    return { card, honest: 1, weight: act(sampler, held, seat, card) };
  }
  const { honest, liar, guess, copied, looks, centre } = likelihoods[seat]!;
  const others = sampler.others[seat]!;
  const claim = (from: Seat): number => {
    const card = held[from]!;
    return isFoe(card) ? liar : honest[DOPPELGANGER]! * copied(from, card);
  };
  let sum = 0;
  for (const [i, from] of others.entries()) {
    const isKnown = !pack || (held[from] === pack[0]) === pack[1].includes(seat);
    sum += odds[i] = isKnown ? claim(from) / others.length : 0;
  }
  if (!sum) return { card: WOLF, honest: 1, weight: 0 };
  const from = others[drawIndex(sampler, others.length, sum)]!;
  const card = held[from]!;
  let weight = sum / guess[DOPPELGANGER]!;
  if (card === SEER) for (const look of looks) if (held[look.about] !== look.card) weight *= SLIP;
  if (card === SEER) for (const look of centre) if (!held.includes(look, players)) weight *= SLIP;
  for (const mason of holders[MASON]!) {
    const { isMason, looks: fellows } = likelihoods[mason]!;
    if (mason !== own?.seat && isMason && fellows.some(({ about }) => about === seat) !== (card === MASON)) weight *= SLIP;
  }
  return { card, honest: claim(from), weight: weight * act(sampler, held, seat, card, claim(from)) };
}

/** What a Doppelgänger does as the card that it has copied. */
function act(sampler: Sampler, held: number[], seat: Seat, card: number, honest = 1): number {
  if (card === ROBBER) return rob(sampler, held, seat, honest, honest);
  if (card === TROUBLEMAKER) return swap(sampler, held, seat, honest, honest);
  return card === DRUNK ? drink(sampler, held, seat) : 1;
}

/**
 * Moves the Robber's cards. Returns the likelihood of its claim relative to the guess, as do the next three.
 * @param honest the likelihood of its card's claim, and `guessed` the guess; another's where a Doppelgänger does the deed
 */
function rob(sampler: Sampler, held: number[], seat: Seat, honest?: number, guessed?: number): number {
  const { players, own, likelihoods, odds } = sampler;
  if (seat === own?.seat) return exchange(held, seat, own.from);
  const { honest: claims, liar, guess, robbed } = likelihoods[seat]!;
  const others = sampler.others[seat]!;
  let sum = 0;
  for (let i = 0; i < players; i++) {
    const from = others[i] ?? -1; // the last is nobody
    const card = from < 0 ? ROBBER : held[from]!;
    const likely = isFoe(card) ? liar : (honest ?? claims[ROBBER]!) * robbed(from, card);
    sum += odds[i] = likely * (from < 0 ? PASSES.robber : (1 - PASSES.robber) / (players - 1));
  }
  exchange(held, seat, others[drawIndex(sampler, players, sum)]);
  return sum / (guessed ?? guess[ROBBER]!);
}

function swap({ own, likelihoods, dice, ...sampler }: Sampler, held: number[], seat: Seat, honest?: number, guessed?: number): number {
  if (seat === own?.seat) return exchange(held, own.pair[0], own.pair[1]);
  const { honest: claims, guess, swapped } = likelihoods[seat]!;
  const pairs = sampler.pairs[seat]!;
  const ratio = (honest ?? claims[TROUBLEMAKER]!) / (guessed ?? guess[TROUBLEMAKER]!);
  const each = (1 - PASSES.troublemaker) / pairs.length;
  const [a, b] = swapped ?? (dice.below(1000) < 1000 * PASSES.troublemaker ? [] : pairs[dice.below(pairs.length)]!);
  exchange(held, a, b);
  return ratio * (swapped ? (swapped.length ? each : PASSES.troublemaker) : 1);
}

/** Where it is said to be honest the claimed card is as likely as each other one, and so it is where it is made up. */
function drink({ own, likelihoods, dice, players, guesses }: Sampler, held: number[], seat: Seat): number {
  const took = seat === own?.seat ? own.took : likelihoods[seat]!.took;
  return exchange(held, seat, players + (took ?? dice.below(guesses.length - players)));
}

function wake({ own, likelihoods }: Sampler, held: readonly number[], seat: Seat, honest?: number, guessed?: number): number {
  const card = held[seat]!;
  if (seat === own?.seat) return own.last === undefined || own.last === CARDS[card] ? 1 : 0;
  const { honest: claims, liar, guess, woke } = likelihoods[seat]!;
  return (isFoe(card) ? liar : (honest ?? claims[INSOMNIAC]!) * woke(card)) / (guessed ?? guess[INSOMNIAC]!);
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
