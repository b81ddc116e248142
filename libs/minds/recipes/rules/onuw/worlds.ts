import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { type Card, CARDS, NIGHT } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { likelihoodOf, PASSES, SLIP } from './likelihood.ts';
import type { Claim } from './speech.ts';

/** What one seat knows for certain. */
export interface Own {
  readonly seat: Seat;
  readonly role: Card;
  /** Who was dealt the same and woke with it. */
  readonly mates: readonly Seat[];
  /** Cards as they were dealt to others, and cards of the centre, that it has seen. */
  readonly seen: readonly (readonly [Seat, Card])[];
  readonly centre: readonly Card[];
  /** As Robber: whose card it took. As Troublemaker: whose cards it swapped. As Insomniac: what it held at the end. */
  readonly from?: Seat;
  readonly pair: readonly Seat[];
  readonly last?: Card;
}

/** What bears on where the cards lie. */
export interface Evidence {
  readonly players: number;
  readonly deck: readonly Card[];
  /** By seat. */
  readonly claims: readonly (Claim | undefined)[];
  /** By seat: whether it has had the floor. */
  readonly hasSpoken: readonly boolean[];
  /** Absent: what somebody thinks who knows only what was said. */
  readonly own?: Own;
}

/** One way in which the cards may have been dealt and moved, and how likely it is. */
export interface World {
  /** By seat, at the end: the card's place in `CARDS`. */
  readonly held: readonly number[];
  readonly weight: number;
}

/** How many worlds are drawn at a time, how many times at most, and how many equally likely ones they must be worth. */
const BATCH = 250;
const MOST_BATCHES = 8;
const ENOUGH = 100;
const [WOLF, SEER, ROBBER, TROUBLEMAKER, INSOMNIAC] = NIGHT.map((card) => CARDS.indexOf(card)) as [number, number, number, number, number];

/**
 * Bayes' rule over the deals and night actions that are consistent with what is known, by importance sampling: the cards are dealt seat by
 * seat with the odds that the claims give them, and each world is weighed by how much likelier it makes what was said than those odds. There
 * are too many worlds to count them all: with seven players more than a million.
 * The same evidence, known by its text `key`, always gives the same worlds.
 */
export function worldsOf(e: Evidence, key: string = JSON.stringify(e)): readonly World[] {
  const draw = drawer(e, diceOf(key, 'worlds'));
  const worlds: World[] = [];
  let sum = 0;
  let squares = 0;
  for (let batch = 0; batch < MOST_BATCHES && (!batch || sum * sum < ENOUGH * squares); batch++) {
    for (let i = 0; i < BATCH; i++) {
      const world = draw();
      worlds.push(world);
      sum += world.weight;
      squares += world.weight ** 2;
    }
  }
  return worlds;
}

function drawer({ players, deck, claims, hasSpoken, own }: Evidence, dice: Dice): () => World {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const like = seats.map((seat) => likelihoodOf(claims[seat], hasSpoken[seat]!, players, deck));
  const others = seats.map((seat) => seats.filter((other) => other !== seat));
  const pairs = others.map((of) => of.flatMap((a, i) => of.slice(i + 1).map((b) => [a, b] as const)));
  const certain = new Map<Seat, Card>(
    own ? [[own.seat, own.role], ...own.mates.map((mate) => [mate, own.role] as const), ...own.seen] : [],
  );
  const isClosed = (card: Card) => own?.role === card && NIGHT.some((one) => one === card); // who woke with it is known
  const guesses = seats.map((seat) =>
    CARDS.map((card, c) => {
      if (certain.has(seat) ? certain.get(seat) !== card : isClosed(card)) return 0;
      return seat === own?.seat ? 1 : like[seat]!.guess[c]!;
    }),
  );
  const open = seats.filter((seat) => !certain.has(seat));
  const order = [...certain.keys(), ...open.toSorted((a, b) => Number(claims[b]?.role === 'seer') - Number(claims[a]?.role === 'seer'))];
  const unseen = [...deck];
  for (const card of own?.centre ?? []) unseen.splice(unseen.indexOf(card), 1);
  const counts = CARDS.map((card) => unseen.filter((one) => one === card).length);
  const odds: number[] = [];

  return () => {
    const left = [...counts];
    const held: number[] = [];
    let rest = unseen.length;
    let weight = 1;
    /** Who was dealt the Seer, the Robber and so on. */
    const who: Seat[][] = CARDS.map(() => []);
    for (const seat of order) {
      let sum = 0;
      for (let c = 0; c < CARDS.length; c++) {
        let odd = left[c]! * guesses[seat]![c]!;
        if (odd) for (const seer of who[SEER]!) odd *= agreement(seer, seat, c);
        odds[c] = odd;
        sum += odd;
      }
      if (!sum) return { held, weight: 0 };
      const c = chosen(CARDS.length, sum);
      weight *= sum / rest--;
      left[c]!--;
      held[seat] = c;
      who[c]!.push(seat);
      if (c === SEER && seat !== own?.seat)
        for (const { about, card } of like[seat]!.looks) if ((held[about] ?? card) !== card) weight *= SLIP;
    }
    for (const seat of who[SEER]!) if (seat !== own?.seat) for (const card of like[seat]!.centre) if (!left[card]) weight *= SLIP;
    for (const seat of who[ROBBER]!.toSorted((a, b) => a - b)) weight *= rob(held, seat);
    for (const seat of who[TROUBLEMAKER]!.toSorted((a, b) => a - b)) weight *= swap(held, seat);
    for (const seat of who[INSOMNIAC]!) weight *= wake(held, seat);
    return { held, weight };
  };

  /** How well a card at a seat agrees with what a Seer says to have seen there. */
  function agreement(seer: Seat, seat: Seat, card: number): number {
    if (seer === own?.seat) return 1;
    for (const look of like[seer]!.looks) if (look.about === seat && look.card !== card) return SLIP;
    return 1;
  }

  function rob(held: number[], seat: Seat): number {
    if (seat === own?.seat) return exchange(held, seat, own.from);
    const { honest, liar, guess, robbed } = like[seat]!;
    let sum = 0;
    for (let i = 0; i < players; i++) {
      const from = others[seat]![i] ?? -1; // the last is nobody
      const card = from < 0 ? ROBBER : held[from]!;
      const likely = card === WOLF ? liar : honest[ROBBER]! * robbed(from, card);
      sum += odds[i] = likely * (from < 0 ? PASSES.robber : (1 - PASSES.robber) / (players - 1));
    }
    exchange(held, seat, others[seat]![chosen(players, sum)]);
    return sum / guess[ROBBER]!;
  }

  function swap(held: number[], seat: Seat): number {
    if (seat === own?.seat) return exchange(held, own.pair[0], own.pair[1]);
    const { honest, guess, swapped } = like[seat]!;
    const all = pairs[seat]!;
    const ratio = honest[TROUBLEMAKER]! / guess[TROUBLEMAKER]!;
    const each = (1 - PASSES.troublemaker) / all.length;
    const [a, b] = swapped ?? (dice.below(1000) < 1000 * PASSES.troublemaker ? [] : all[dice.below(all.length)]!);
    exchange(held, a, b);
    return ratio * (swapped ? (swapped.length ? each : PASSES.troublemaker) : 1);
  }

  function wake(held: readonly number[], seat: Seat): number {
    const card = held[seat]!;
    if (seat === own?.seat) return own.last === undefined || own.last === CARDS[card] ? 1 : 0;
    const { honest, liar, guess, woke } = like[seat]!;
    return (card === WOLF ? liar : honest[INSOMNIAC]! * woke(card)) / guess[INSOMNIAC]!;
  }

  /** One of the first `count` of `odds`, which are `sum` together. */
  function chosen(count: number, sum: number): number {
    let roll = (dice.below(2 ** 30) / 2 ** 30) * sum;
    let last = 0;
    for (let i = 0; i < count; i++) {
      if (odds[i]! <= 0) continue;
      last = i;
      if ((roll -= odds[i]!) < 0) break;
    }
    return last;
  }
}

/** Two cards change places; nothing does when one of the seats is missing. Returns 1, the likelihood of what is certain. */
function exchange(held: number[], a: Seat | undefined, b: Seat | undefined): number {
  if (a !== undefined && b !== undefined) [held[a], held[b]] = [held[b]!, held[a]!];
  return 1;
}
