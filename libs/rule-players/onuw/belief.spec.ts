import { describe, expect, it } from '@jest/globals';
import { deckOf } from '@maw/games/onuw/deck.ts';
import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { beliefOf } from './belief.ts';
import { type Claims, evidenceOf } from './evidence.suite.ts';
import { likelihoodOf, PASSES, SLIP } from './likelihood.ts';
import { type Evidence, type Own, worldsOf } from './worlds.ts';

const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
const evidence = (
  players: number,
  claims: Claims = {},
  own?: Partial<Own>,
  deck = deckOf(players, { setup: 'standard', deck: {} }),
): Evidence => evidenceOf(players, deck, claims, own);

/** How likely each seat is to be a Werewolf at the end, by many worlds. */
function sampled(e: Evidence): number[] {
  const wolf = Array.from({ length: e.players }, () => 0);
  let total = 0;
  for (let i = 0; i < 40; i++)
    for (const { held, weight } of worldsOf(e, `${i}`)) {
      total += weight;
      for (const [seat, card] of held.entries()) if (CARDS[card] === 'werewolf') wolf[seat]! += weight;
    }
  return wolf.map((weight) => weight / total);
}

type Likelihoods = readonly ReturnType<typeof likelihoodOf>[];
const is = (card: number, name: Card) => CARDS[card] === name;

/** The same by exact enumeration of every deal, robbery and swap. */
function counted({ players, deck, claims, hasSpoken, own }: Evidence): number[] {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const like = seats.map((seat) => likelihoodOf(claims[seat], hasSpoken[seat]!, players, deck));
  const wolf = seats.map(() => 0);
  let total = 0;
  for (const { cards, centre, ways } of deals(
    deck.map((card) => CARDS.indexOf(card)),
    players,
  )) {
    const base = ways * centreShare(centre, own?.centre ?? []) * dealLikelihood(cards, like, own);
    if (!base) continue;
    for (const robbed of robberies(cards, like, own))
      for (const swapped of swaps(cards, robbed.held, like, own)) {
        const weight = base * robbed.weight * swapped.weight * wakeLikelihood(cards, swapped.held, like, own);
        total += weight;
        for (const seat of seats) if (is(swapped.held[seat]!, 'werewolf')) wolf[seat]! += weight;
      }
  }
  return wolf.map((weight) => weight / total);
}

/** What the claims of those who do not move cards say about a deal; 0 if it contradicts what is certain. */
function dealLikelihood(cards: readonly number[], like: Likelihoods, own: Own | undefined): number {
  const holders = cards.flatMap((card, seat) => (own && is(card, own.role) ? [seat] : []));
  if (own && !is(cards[own.seat]!, own.role)) return 0;
  if (own && own.role !== 'villager' && holders.join() !== [own.seat, ...own.mates].toSorted((a, b) => a - b).join()) return 0;
  if (own?.seen.some(([seat, card]) => !is(cards[seat]!, card))) return 0;
  let likely = 1;
  for (const [seat, card] of cards.entries()) {
    if (seat === own?.seat) continue;
    const { honest, liar, looks } = like[seat]!;
    if (is(card, 'werewolf')) likely *= liar;
    if (['villager', 'seer', 'troublemaker'].includes(CARDS[card]!)) likely *= honest[card]!;
    if (is(card, 'seer')) for (const look of looks) likely *= cards[look.about] === look.card ? 1 : SLIP;
  }
  return likely;
}

interface Moved {
  readonly held: readonly number[];
  readonly weight: number;
}
const exchanged = (held: readonly number[], a: number, b: number): number[] => held.with(a, held[b]!).with(b, held[a]!);
const holderOf = (cards: readonly number[], name: Card) => cards.findIndex((card) => is(card, name));

function* robberies(cards: readonly number[], like: Likelihoods, own: Own | undefined): Generator<Moved> {
  const robber = holderOf(cards, 'robber');
  if (robber < 0) return yield { held: cards, weight: 1 };
  for (const from of [undefined, ...cards.keys()]) {
    if (from === robber || (robber === own?.seat && from !== own.from)) continue;
    const held = from === undefined ? cards : exchanged(cards, robber, from);
    if (robber === own?.seat) yield { held, weight: 1 };
    else {
      const { honest, liar, robbed } = like[robber]!;
      const got = held[robber]!;
      const chance = from === undefined ? PASSES.robber : (1 - PASSES.robber) / (cards.length - 1);
      yield { held, weight: chance * (is(got, 'werewolf') ? liar : honest[CARDS.indexOf('robber')]! * robbed(from ?? -1, got)) };
    }
  }
}

function* swaps(cards: readonly number[], held: readonly number[], like: Likelihoods, own: Own | undefined): Generator<Moved> {
  const maker = holderOf(cards, 'troublemaker');
  if (maker < 0) return yield { held, weight: 1 };
  const others = [...cards.keys()].filter((seat) => seat !== maker);
  const pairs = others.flatMap((a, i) => others.slice(i + 1).map((b) => [a, b] as const));
  const sorted = (pair: readonly number[]) => pair.toSorted((a, b) => a - b).join();
  for (const pair of [[], ...pairs] as const) {
    if (maker === own?.seat && pair.join() !== sorted(own.pair)) continue;
    const [a, b] = pair;
    const last = a === undefined || b === undefined ? held : exchanged(held, a, b);
    const { swapped } = like[maker]!;
    const chance = pair.length ? (1 - PASSES.troublemaker) / pairs.length : PASSES.troublemaker;
    const isClaimed = !swapped || sorted(swapped) === pair.join();
    yield { held: last, weight: maker === own?.seat ? 1 : isClaimed ? chance : 0 };
  }
}

function wakeLikelihood(cards: readonly number[], last: readonly number[], like: Likelihoods, own: Own | undefined): number {
  const sleepless = holderOf(cards, 'insomniac');
  if (sleepless < 0) return 1;
  const card = last[sleepless]!;
  if (sleepless === own?.seat) return own.last !== undefined && !is(card, own.last) ? 0 : 1;
  const { honest, liar, woke } = like[sleepless]!;
  return is(card, 'werewolf') ? liar : honest[CARDS.indexOf('insomniac')]! * woke(card);
}

/** The share of deals with this centre in which the two cards that were looked at are these. */
function centreShare(centre: readonly number[], seen: readonly Card[]): number {
  const rest = [...centre];
  for (const card of seen) {
    const at = rest.indexOf(CARDS.indexOf(card));
    if (at < 0) return 0;
    rest.splice(at, 1);
  }
  const orders = permutations(centre);
  return orders.filter((order) => seen.every((card, i) => CARDS[order[i]!] === card)).length / orders.length;
}
const permutations = (of: readonly number[]): number[][] =>
  of.length ? of.flatMap((one, i) => permutations(of.toSpliced(i, 1)).map((rest) => [one, ...rest])) : [[]];

/** Every way to deal some cards, and how many orders of the deck come to it. */
function* deals(
  deck: readonly number[],
  players: number,
): Generator<{ cards: readonly number[]; centre: readonly number[]; ways: number }> {
  const counts = CARDS.map((_, c) => deck.filter((card) => card === c).length);
  function* from(cards: readonly number[], ways: number): Generator<{ cards: readonly number[]; centre: readonly number[]; ways: number }> {
    if (cards.length === players) {
      yield { cards, centre: counts.flatMap((count, c) => Array.from({ length: count }, () => c)), ways };
      return;
    }
    for (const [c, count] of counts.entries()) {
      if (!count) continue;
      counts[c]!--;
      yield* from([...cards, c], ways * count);
      counts[c]!++;
    }
  }
  yield* from([], 1);
}

describe('the sampled worlds', () => {
  it.each<readonly [string, Evidence]>([
    ['nothing is known', evidence(4)],
    ['one knows the own card', evidence(4, {}, {})],
    ['one is a Werewolf with another', evidence(4, {}, { role: 'werewolf', mates: [2] })],
    ['one is a Werewolf alone', evidence(4, {}, { role: 'werewolf' })],
    ['one has seen a Werewolf', evidence(4, {}, { role: 'seer', seen: [[2, 'werewolf']] })],
    ['one has seen two of the centre', evidence(4, {}, { role: 'seer', centre: ['werewolf', 'robber'] })],
    ['one has taken a Werewolf', evidence(4, {}, { role: 'robber', from: 1, seen: [[1, 'werewolf']] })],
    ['one has swapped two', evidence(4, { 1: { role: 'villager' } }, { role: 'troublemaker', pair: [1, 3] })],
    ['one woke with another card', evidence(4, {}, { role: 'insomniac', last: 'robber' })],
    [
      'a Seer has seen a Werewolf',
      evidence(4, { 1: { role: 'seer', looks: [{ about: 2, card: 'werewolf' }] }, 2: { role: 'villager' } }, {}),
    ],
    ['two say to be the Seer', evidence(4, { 1: { role: 'seer', looks: [{ about: 2, card: 'werewolf' }] }, 2: { role: 'seer' } })],
    [
      'a Robber has taken a Villager',
      evidence(4, { 1: { role: 'robber', robbed: { from: 2, card: 'villager' } }, 2: { role: 'villager' } }),
    ],
    ['a Robber has taken nothing', evidence(4, { 1: { role: 'robber', robbed: {} }, 3: { role: 'werewolf' } })],
    [
      'a Troublemaker has swapped two',
      evidence(4, { 1: { role: 'troublemaker', swapped: [2, 3] }, 2: { role: 'villager' } }, { role: 'seer', seen: [[2, 'werewolf']] }),
    ],
    ['an Insomniac still is one', evidence(4, { 1: { role: 'insomniac', last: 'insomniac' }, 2: { role: 'villager' } }, {})],
    [
      'the deck is small',
      evidence(3, { 1: { role: 'villager' } }, {}, ['werewolf', 'villager', 'villager', 'villager', 'werewolf', 'robber']),
    ],
    ['there is no centre', evidence(3, {}, { role: 'werewolf', mates: [1] }, ['werewolf', 'werewolf', 'robber'])],
  ])('agree with exact enumeration when %s', (_, e) => {
    const exact = counted(e);
    for (const [seat, p] of sampled(e).entries()) expect(Math.abs(p - exact[seat]!)).toBeLessThan(0.02);
  });

  it('are deterministic', () => {
    expect(beliefOf(evidence(5, { 1: { role: 'villager' } }))).toEqual(beliefOf(evidence(5, { 1: { role: 'villager' } })));
    expect(worldsOf(evidence(5))).toEqual(worldsOf(evidence(5)));
  });

  it('have a useful effective size with ten players', () => {
    const claims = {
      0: { role: 'villager' },
      1: { role: 'seer', looks: [{ about: 5, card: 'werewolf' }] },
      2: { role: 'robber', robbed: { from: 7, card: 'villager' } },
      3: { role: 'troublemaker', swapped: [0, 8] },
      4: { role: 'insomniac', last: 'insomniac' },
      5: { role: 'villager' },
      6: { role: 'villager' },
    } as const;
    const worlds = worldsOf(evidence(10, claims));
    const total = sum(worlds.map(({ weight }) => weight));
    expect(total ** 2 / sum(worlds.map(({ weight }) => weight ** 2))).toBeGreaterThan(50);
    expect(beliefOf(evidence(10, claims)).wolf[5]).toBeGreaterThan(0.6);
  });
});

describe('beliefs', () => {
  it('sums to one card per seat, within the deck', () => {
    const e = evidence(
      6,
      { 1: { role: 'seer', looks: [{ about: 2, card: 'werewolf' }] }, 4: { role: 'troublemaker', swapped: [0, 2] } },
      {},
    );
    const { cards, wolf } = beliefOf(e);
    for (const [seat, row] of cards.entries()) {
      expect(sum(Object.values(row))).toBeCloseTo(1);
      expect(row.werewolf).toBe(wolf[seat]);
    }
    for (const card of CARDS)
      expect(sum(cards.map((row) => row[card] ?? 0))).toBeLessThanOrEqual(e.deck.filter((one) => one === card).length + 1e-9);
  });

  it('uses its own night', () => {
    const robber = beliefOf(
      evidence(3, {}, { role: 'robber', from: 1, seen: [[1, 'werewolf']] }, [
        'werewolf',
        'villager',
        'villager',
        'villager',
        'villager',
        'robber',
      ]),
    );
    expect(robber.wolf).toEqual([1, 0, 0]);
    expect(robber.gain).toEqual([0, 1, 1]);
    expect(robber.peace).toBe(0);
  });

  it('counts the death of the other side as a gain', () => {
    const wolf = beliefOf(evidence(3, {}, { role: 'werewolf', mates: [1] }, ['werewolf', 'werewolf', 'robber']));
    // The Robber takes one of the two in nine of ten nights: then either is of the other side than the other.
    expect(wolf.gain[1]).toBeGreaterThan(0.85);
    expect(wolf.gain[2]).toBeCloseTo(0.55, 1);
  });

  it('expects peace when nobody can be a Werewolf', () => {
    expect(beliefOf(evidence(3, {}, { role: 'seer', centre: ['werewolf', 'werewolf'] })).peace).toBe(1);
    expect(beliefOf(evidence(3, {}, { role: 'werewolf' })).peace).toBe(0);
  });

  it('suspects silence more than a claim', () => {
    const { wolf } = beliefOf({
      ...evidence(5, { 1: { role: 'villager' }, 2: { role: 'seer' }, 3: {} }, {}),
      hasSpoken: [false, true, true, true, false],
    });
    expect(wolf[3]).toBeGreaterThan(wolf[1]! + 0.05);
    expect(wolf[3]).toBeGreaterThan(wolf[4]!);
  });

  it('believes a confession', () => {
    expect(beliefOf(evidence(5, { 1: { role: 'werewolf' } }, {})).cards[1]!.werewolf).toBeGreaterThan(0.6);
  });
});
