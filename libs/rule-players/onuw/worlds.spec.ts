import { describe, expect, it } from '@jest/globals';
import { deckOf } from '@maw/games/onuw/deck.ts';
import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { type Claims, evidenceOf } from './evidence.suite.ts';
import { likelihoodOf, PASSES, SLIP } from './likelihood.ts';
import { type Evidence, type Own, worldsOf } from './worlds.ts';

const evidence = (players: number, deck: readonly Card[], claims: Claims = {}, own?: Partial<Own>): Evidence =>
  evidenceOf(players, deck, claims, own && { centreAt: [], ...own });

/** By seat and card at the end, of 100,000 worlds. */
function sampled(e: Evidence): number[][] {
  const sums = newSums(e.players);
  let count = 0;
  for (let i = 0; count < 100_000; i++)
    for (const { held, weight } of worldsOf(e, `${i}`)) {
      count++;
      add(sums, held, weight);
    }
  return shares(sums);
}

const newSums = (players: number) => Array.from({ length: players }, () => CARDS.map(() => 0));
function add(sums: number[][], held: readonly number[], weight: number): void {
  for (const [seat, card] of held.entries()) sums[seat]![card]! += weight;
}
const shares = (sums: readonly (readonly number[])[]) => sums.map((row) => row.map((weight) => weight / row.reduce((a, b) => a + b, 0)));

const FOES: readonly Card[] = ['werewolf', 'minion', 'tanner'];
const WAKE_TOGETHER: readonly Card[] = ['werewolf', 'mason'];

/** One night as it goes on: the cards by place, those of the seats first; `likely` is the weight so far. */
interface Night {
  readonly dealt: readonly Card[];
  readonly at: readonly Card[];
  readonly likely: number;
  readonly copy?: { readonly by: number; readonly of: number; readonly card: Card };
}

/** What is being counted: the evidence, what the claims make of it, and the sums so far. */
let e: Evidence;
let own: Own | undefined;
let players: number;
let seats: readonly number[];
let like: readonly ReturnType<typeof likelihoodOf>[];
let sums: number[][];

/** The same by visiting every deal and every deed, card by card in the order of the night. */
function counted(given: Evidence): number[][] {
  e = given;
  players = e.players;
  own = e.own;
  seats = e.claims.map((_, seat) => seat);
  like = e.claims.map((claim, seat) => likelihoodOf(claim, e.hasSpoken[seat]!, players, e.deck));
  sums = newSums(players);
  for (const { cards: dealt, ways } of deals(e.deck)) run({ dealt, at: dealt, likely: ways * plainClaims(dealt) }, 0);
  return shares(sums);
}

const DEEDS: readonly Card[] = ['robber', 'troublemaker', 'drunk', 'insomniac'];
const CALLS = [copying, told, looking, ...DEEDS.map((card) => (night: Night) => acting(night, card))];

function ends(night: Night): void {
  const counts = (card: Card): number => CARDS.indexOf(card === 'doppelganger' ? (night.copy?.card ?? 'villager') : card);
  add(sums, night.at.slice(0, players).map(counts), night.likely);
}

function run(night: Night, call: number): void {
  if (!night.likely) return;
  if (call === CALLS.length) return ends(night);
  for (const next of CALLS[call]!(night)) run(next, call + 1);
}

/** Claims that the deal alone decides, and one's own card. */
function plainClaims(dealt: readonly Card[]): number {
  if (own && dealt[own.seat] !== own.role) return 0;
  let likely = 1;
  for (const seat of seats) {
    const card = dealt[seat]!;
    if (seat === own?.seat || ['robber', 'insomniac', 'doppelganger'].includes(card)) continue;
    likely *= FOES.includes(card) ? like[seat]!.liar : like[seat]!.honest[CARDS.indexOf(card)]!;
  }
  return likely;
}

function copying(night: Night): Night[] {
  const by = night.dealt.indexOf('doppelganger');
  if (by < 0 || by >= players) return [night];
  return seats.flatMap((of) => {
    const card = night.dealt[of]!;
    if (of === by || (by === own?.seat && (of !== own.seen[0]![0] || card !== own.copied))) return [];
    const { honest, liar, copied, looks, centre } = like[by]!;
    const sayings =
      looks.filter((look) => CARDS[look.card] !== night.dealt[look.about]).length +
      centre.filter((c) => !night.dealt.includes(CARDS[c]!, players)).length;
    const claim = FOES.includes(card)
      ? liar
      : honest[CARDS.indexOf('doppelganger')]! * copied(of, CARDS.indexOf(card)) * (card === 'seer' ? SLIP ** sayings : 1);
    const after: Night = { ...night, copy: { by, of, card } };
    if (by === own?.seat) return deeds(after, by, card, 1);
    const acts = card === 'insomniac' ? [after] : deeds(after, by, card, claim);
    const base = card === 'robber' ? 1 : claim;
    return acts.map((one) => ({
      ...one,
      likely:
        (one.likely * (card === 'insomniac' ? honest[CARDS.indexOf('doppelganger')]! * copied(of, CARDS.indexOf(card)) : base)) /
        (players - 1),
    }));
  });
}

/** Who woke with whom, as one knows it and as Masons tell it. */
function told(night: Night): Night[] {
  const woke = (card: Card) =>
    seats.filter(
      (seat) => night.dealt[seat] === card || (WAKE_TOGETHER.includes(card) && night.copy?.by === seat && night.copy.card === card),
    );
  const others = (card: Card) =>
    woke(card)
      .filter((seat) => seat !== own?.seat)
      .join();
  if (own) {
    const role = own.copied ?? own.role;
    const isCalled = own.copied ? WAKE_TOGETHER.includes(role) : !['villager', 'hunter', 'tanner', 'doppelganger'].includes(role);
    if (isCalled && others(role) !== own.mates.join()) return [];
    if (own.wolves && others('werewolf') !== own.wolves.join()) return [];
  }
  let likely = night.likely;
  for (const mason of seats)
    if (night.dealt[mason] === 'mason' && mason !== own?.seat && e.claims[mason]?.role === 'mason')
      for (const other of seats)
        if (other !== mason && like[mason]!.looks.some(({ about }) => about === other) !== woke('mason').includes(other)) likely *= SLIP;
  return [{ ...night, likely }];
}

function looking(night: Night): Night[] {
  let likely = night.likely;
  if (own) {
    const early = own.role === 'doppelganger' ? night.dealt : night.at;
    if (own.seen.some(([seat, card]) => early[seat] !== card)) return [];
    if (own!.centre.some((card, i) => early[players + own!.centreAt![i]!] !== card)) return [];
  }
  for (const seer of seats) {
    if (night.dealt[seer] !== 'seer' || seer === own?.seat) continue;
    for (const look of like[seer]!.looks) if (CARDS[look.card] !== night.at[look.about]) likely *= SLIP;
    for (const card of like[seer]!.centre) if (!night.at.includes(CARDS[card]!, players)) likely *= SLIP;
  }
  return [{ ...night, likely }];
}

function acting(night: Night, card: Card): Night[] {
  let nights = [night];
  for (const seat of seats) {
    if (night.dealt[seat] === card) nights = nights.flatMap((one) => deeds(one, seat, card, like[seat]!.honest[CARDS.indexOf(card)]!));
    if (card === 'insomniac' && night.copy?.by === seat && night.copy.card === card)
      nights = nights.flatMap((one) => deeds(one, seat, card, 1, true));
  }
  return nights;
}

/** Everything that a seat may do as a card, and what its claim makes of it. */
function deeds(night: Night, seat: number, card: Card, honest: number, isCopy = false): Night[] {
  const isOwn = seat === own?.seat;
  const { liar, robbed, swapped, took, woke } = like[seat]!;
  const others = seats.filter((other) => other !== seat);
  const move = (likely: number, a?: number, b?: number): Night => ({
    ...night,
    likely: night.likely * likely,
    at: a === undefined || b === undefined ? night.at : night.at.with(a, night.at[b]!).with(b, night.at[a]!),
  });
  switch (card as string) {
    case 'robber': {
      if (isOwn) return [move(1, own!.from === undefined ? undefined : seat, own!.from)];
      const take = (from: number, got: Card) => (FOES.includes(got) ? liar : honest * robbed(from, CARDS.indexOf(got)));
      const taking = others.map((from) => move((take(from, night.at[from]!) * (1 - PASSES.robber)) / others.length, seat, from));
      return [move(take(-1, 'robber') * PASSES.robber), ...taking];
    }
    case 'troublemaker': {
      if (isOwn) return [move(1, own!.pair[0], own!.pair[1])];
      const pairs = others.flatMap((a, i) => others.slice(i + 1).map((b) => [a, b]));
      return [[], ...pairs].flatMap(([a, b]) => {
        if (swapped && !isSame([a, b], swapped)) return [];
        return [move(a === undefined ? PASSES.troublemaker : (1 - PASSES.troublemaker) / pairs.length, a, b)];
      });
    }
    case 'drunk': {
      const places = isOwn ? [own!.took!] : took === undefined ? [0, 1, 2] : [took];
      return places.map((place) => move(1 / places.length, seat, players + place));
    }
    case 'insomniac': {
      const last = night.at[seat]!;
      if (isOwn) return own!.last === undefined || own!.last === last ? [night] : [];
      const base = isCopy
        ? like[seat]!.honest[CARDS.indexOf('doppelganger')]! * like[seat]!.copied(night.copy!.of, CARDS.indexOf('insomniac'))
        : 1;
      return [
        move(
          isCopy
            ? FOES.includes(last)
              ? liar / base
              : woke(CARDS.indexOf(last))
            : FOES.includes(last)
              ? liar
              : honest * woke(CARDS.indexOf(last)),
        ),
      ];
    }
    default:
      return [night];
  }
}

/** Whether two pairs, or none, are the same. */
const isSame = ([a, b]: readonly (number | undefined)[], [c, d]: readonly number[]): boolean =>
  (a === c && b === d) || (a === d && b === c);

/** Every way to lay the cards, equal cards taken together, and how many orders of the deck come to it. */
function* deals(deck: readonly Card[]): Generator<{ cards: readonly Card[]; ways: number }> {
  const counts = new Map<Card, number>();
  for (const card of deck) counts.set(card, (counts.get(card) ?? 0) + 1);
  function* from(cards: readonly Card[], ways: number): Generator<{ cards: readonly Card[]; ways: number }> {
    if (cards.length === deck.length) {
      yield { cards, ways };
      return;
    }
    for (const [card, count] of counts) {
      if (!count) continue;
      counts.set(card, count - 1);
      yield* from([...cards, card], ways * count);
      counts.set(card, count);
    }
  }
  yield* from([], 1);
}

const all = (of: number) => deckOf(of, { setup: 'standard', deck: {}, cards: 'all' });
const cards = (words: string) => words.split(' ') as Card[];
const DG3 = cards('werewolf werewolf seer robber drunk doppelganger');
const DG4 = cards('werewolf minion seer robber troublemaker insomniac doppelganger');
const MASONS = cards('werewolf werewolf mason mason robber hunter tanner doppelganger');
const FIVE = cards('werewolf werewolf seer robber drunk tanner hunter doppelganger');

describe('the sampled worlds', () => {
  it.each<readonly [string, Evidence]>([
    ['nothing is known at three', evidence(3, all(3))],
    ['three know their card', evidence(3, all(3), {}, { role: 'drunk', took: 1 })],
    [
      'a Seer has looked into the centre',
      evidence(3, all(3), { 1: { role: 'drunk', took: 0 } }, { role: 'seer', centre: ['werewolf', 'robber'], centreAt: [0, 2] }),
    ],
    [
      'a Drunk claims a card of the centre',
      evidence(3, all(3), { 1: { role: 'drunk', took: 2 }, 2: { role: 'seer', centre: ['werewolf', 'drunk'] } }, { role: 'robber' }),
    ],
    ['nothing is known at four', evidence(4, all(4))],
    [
      'a Minion saw a Werewolf',
      evidence(4, all(4), { 1: { role: 'seer', looks: [{ about: 2, card: 'drunk' }] } }, { role: 'minion', wolves: [2] }),
    ],
    ['a Minion saw no Werewolf', evidence(4, all(4), { 2: { role: 'troublemaker', swapped: [1, 3] } }, { role: 'minion', wolves: [] })],
    ['a Robber took a Minion', evidence(4, all(4), { 2: { role: 'drunk' } }, { role: 'robber', from: 1, seen: [[1, 'minion']] })],
    ['nothing is known with a Doppelgänger', evidence(3, DG3)],
    [
      'a Doppelgänger copied a Drunk',
      evidence(3, DG3, { 1: { role: 'drunk', took: 1 } }, { role: 'doppelganger', copied: 'drunk', seen: [[1, 'drunk']], took: 1 }),
    ],
    [
      'a Doppelgänger copied a Robber and took a Werewolf',
      evidence(
        3,
        DG3,
        {},
        {
          role: 'doppelganger',
          copied: 'robber',
          seen: [
            [1, 'robber'],
            [2, 'werewolf'],
          ],
          from: 2,
        },
      ),
    ],
    [
      'a Doppelgänger copied a Werewolf alone',
      evidence(4, DG4, {}, { role: 'doppelganger', copied: 'werewolf', seen: [[2, 'werewolf']], mates: [2] }),
    ],
    ['a Werewolf met another, who may have copied it', evidence(3, DG3, {}, { role: 'werewolf', mates: [2] })],
    [
      'a lone Werewolf peeked',
      evidence(4, DG4, { 1: { role: 'insomniac', last: 'insomniac' } }, { role: 'werewolf', centre: ['doppelganger'], centreAt: [1] }),
    ],
    ['a Seer saw a Doppelgänger', evidence(3, DG3, {}, { role: 'seer', seen: [[2, 'doppelganger']] })],
    ['a Robber took a card that another may have put there', evidence(4, DG4, {}, { role: 'robber', from: 3, seen: [[3, 'insomniac']] })],
    ['an Insomniac woke as a Doppelgänger', evidence(4, DG4, {}, { role: 'insomniac', last: 'doppelganger' })],
    ['a Minion saw one who may have copied a Werewolf', evidence(4, DG4, {}, { role: 'minion', wolves: [3] })],
    [
      'one says to be the Doppelgänger',
      evidence(
        4,
        DG4,
        {
          1: { role: 'doppelganger', looks: [{ about: 2, card: 'insomniac' }], last: 'doppelganger' },
          2: { role: 'insomniac', last: 'insomniac' },
        },
        { role: 'seer', seen: [[3, 'robber']] },
      ),
    ],
    [
      'a Doppelgänger says that it robbed',
      evidence(4, DG4, {
        1: { role: 'doppelganger', looks: [{ about: 2, card: 'robber' }], robbed: { from: 3, card: 'seer' } },
        2: { role: 'robber', robbed: {} },
      }),
    ],
    [
      'two say to be Masons',
      evidence(
        5,
        MASONS,
        { 1: { role: 'mason', looks: [{ about: 2, card: 'mason' }] }, 2: { role: 'mason', looks: [{ about: 1, card: 'mason' }] } },
        { role: 'hunter' },
      ),
    ],
    ['a Mason met another, who may have copied it', evidence(5, MASONS, { 3: { role: 'tanner' } }, { role: 'mason', mates: [2] })],
    [
      'five have a Tanner, a Hunter and a Doppelgänger',
      evidence(
        5,
        FIVE,
        { 1: { role: 'hunter' }, 2: { role: 'seer', looks: [{ about: 3, card: 'werewolf' }] }, 3: { role: 'hunter' } },
        { role: 'drunk', took: 2 },
      ),
    ],
    [
      'five with the deck of all cards',
      evidence(
        5,
        all(5),
        {
          1: { role: 'drunk', took: 0 },
          2: { role: 'seer', looks: [{ about: 3, card: 'werewolf' }] },
          3: { role: 'insomniac', last: 'insomniac' },
        },
        { role: 'robber', from: 4, seen: [[4, 'minion']] },
      ),
    ],
  ])('agree within .01 with every deal and deed when %s', (_, given) => {
    const exact = counted(given);
    const worst = Math.max(...sampled(given).flatMap((row, seat) => row.map((p, card) => Math.abs(p - exact[seat]![card]!))));
    expect(worst).toBeLessThan(0.01);
  });

  it('have an effective size of 100 at tables that talk like most', () => {
    const claims: Claims = {
      0: { role: 'mason', looks: [{ about: 3, card: 'mason' }] },
      1: { role: 'seer', looks: [{ about: 5, card: 'werewolf' }] },
      2: { role: 'robber', robbed: { from: 7, card: 'hunter' } },
      3: { role: 'mason', looks: [{ about: 0, card: 'mason' }] },
      4: { role: 'insomniac', last: 'insomniac' },
      5: { role: 'drunk', took: 0 },
      6: { role: 'doppelganger', looks: [{ about: 4, card: 'insomniac' }], last: 'doppelganger' },
      7: { role: 'hunter' },
      8: { role: 'troublemaker', swapped: [2, 9] },
    };
    for (const known of [
      undefined,
      { seat: 9, role: 'seer', seen: [[5, 'drunk']] },
      { seat: 9, role: 'robber', from: 5, seen: [[5, 'drunk']] },
    ] as const) {
      const weights = worldsOf(evidence(10, all(10), claims, known)).map(({ weight }) => weight);
      const sum = weights.reduce((a, b) => a + b, 0);
      expect(sum ** 2 / weights.reduce((a, b) => a + b ** 2, 0)).toBeGreaterThanOrEqual(100);
      expect(weights.length).toBeLessThanOrEqual(4_000);
    }
  });

  it('do not end with worlds that cannot be', () => {
    const worlds = worldsOf(evidence(10, all(10), {}, { seat: 9, role: 'insomniac', last: 'doppelganger' }), 'rare');
    expect(worlds.some(({ weight }) => weight > 0)).toBe(true);
  });
});
