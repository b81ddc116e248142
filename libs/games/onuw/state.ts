import type { Seat } from '../kernel/question.ts';

/** The cards of document 004. */
export const SIX = ['werewolf', 'villager', 'seer', 'robber', 'troublemaker', 'insomniac'] as const;
export const CARDS = [...SIX, 'minion', 'mason', 'drunk', 'tanner', 'hunter', 'doppelganger'] as const;
export type Card = (typeof CARDS)[number];
/** A card as one eye knows it. */
export type Seen = Card | 'hidden';
export type Side = 'village' | 'werewolves' | 'tanner';

/** The calls of the night in order: of cards, and `copied`, when the Doppelgänger acts as the card that it has copied. */
export const NIGHT = [
  'doppelganger',
  'copied',
  'werewolf',
  'minion',
  'mason',
  'seer',
  'robber',
  'troublemaker',
  'drunk',
  'insomniac',
] as const;
export type Call = (typeof NIGHT)[number];

/** The player whose dealt card the Doppelgänger at `by` has copied, and the card. */
export interface Copy {
  readonly by: Seat;
  readonly of: Seat;
  readonly card: Card;
}

/** Where a card lies: in front of a player, `seat:3`, or in the centre, `centre:0`. */
export type Place = `seat:${number}` | `centre:${number}`;

export type OnuwEvent =
  | { readonly type: 'dealt'; readonly cards: readonly Seen[]; readonly centre: readonly Seen[] }
  /** A card of the deck is called, whoever has it. */
  | { readonly type: 'called'; readonly card: Call }
  /** The Doppelgänger sees the card that was dealt to another and copies it; told to `by` only. */
  | ({ readonly type: 'copied' } & Copy)
  /** Players who wake together see each other; told to them only. A single Werewolf or Mason is told that it is alone. */
  | { readonly type: 'met'; readonly card: Card; readonly seats: readonly Seat[] }
  /** A Minion sees who woke as Werewolves, perhaps nobody; told to `seat` only. */
  | { readonly type: 'saw'; readonly seat: Seat; readonly of: readonly Seat[]; readonly as: 'werewolf' }
  /** `by` sees the card that lies there now; told to `by` only. */
  | { readonly type: 'looked'; readonly by: Seat; readonly at: Place; readonly card: Card }
  /** The cards of two seats are swapped; told to `by` only. */
  | { readonly type: 'swapped'; readonly by: Seat; readonly seats: readonly [Seat, Seat] }
  /** The card of a seat and one of the centre are exchanged, unseen; told to `by` only. */
  | { readonly type: 'exchanged'; readonly by: Seat; readonly at: Place }
  | { readonly type: 'dawned' }
  | { readonly type: 'counted'; readonly votes: readonly number[] }
  /** The dead by votes. */
  | { readonly type: 'died'; readonly seats: readonly Seat[] }
  /** A Hunter who dies takes along the player it voted for. */
  | { readonly type: 'felled'; readonly by: Seat; readonly seat: Seat }
  /** All cards are revealed: as dealt, as they lie at the end, the centre, and what was copied. */
  | {
      readonly type: 'revealed';
      readonly dealt: readonly Card[];
      readonly cards: readonly Card[];
      readonly centre: readonly Card[];
      readonly copied?: Copy;
    }
  | ({ readonly type: 'ended' } & Ended);

/**
 * `peace`: no Werewolf, and nobody died. `no-werewolf` and `one-vote-each` are draws. `nobody-voted`: the village wins. Without a Werewolf:
 * `minion-died`: the village wins, by `loneMinion: target`; `minion-lives`: another died, and the Minions win. `tanner-died`: they win alone.
 */
export type Ending =
  | 'werewolf-died'
  | 'werewolves-live'
  | 'peace'
  | 'no-werewolf'
  | 'one-vote-each'
  | 'nobody-voted'
  | 'minion-died'
  | 'minion-lives'
  | 'tanner-died';

export interface Ended {
  readonly winner: Side | 'draw';
  readonly because: Ending;
  /** The Tanners who died, and so win besides or instead of others; absent when there are none. */
  readonly tanners?: readonly Seat[];
}

/** What is known of a game, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Onuw {
  /** By seat, as dealt: determines who wakes when. In a seat's view: those who woke as a card count as dealt it, though one may have copied it. */
  readonly roles: readonly Seen[];
  /** By seat, the card that lies there now; the final one decides the side. In a seat's view: the last it knows of. */
  readonly held: readonly Seen[];
  readonly centre: readonly Seen[];
  /** The card that was called last. */
  readonly called: Call | undefined;
  readonly copied: Copy | undefined;
  readonly met: readonly { readonly card: Card; readonly seats: readonly Seat[] }[];
  /** By Minion, the seats that woke as Werewolves. */
  readonly saw: readonly { readonly seat: Seat; readonly of: readonly Seat[] }[];
  readonly looks: readonly { readonly by: Seat; readonly at: Place; readonly card: Card }[];
  readonly swaps: readonly { readonly by: Seat; readonly seats: readonly [Seat, Seat] }[];
  readonly exchanges: readonly { readonly by: Seat; readonly at: Place }[];
  readonly votes: readonly number[];
  readonly dead: readonly Seat[];
  readonly ended: Ended | undefined;
}

export const initialState: Onuw = {
  roles: [],
  held: [],
  centre: [],
  called: undefined,
  copied: undefined,
  met: [],
  saw: [],
  looks: [],
  swaps: [],
  exchanges: [],
  votes: [],
  dead: [],
  ended: undefined,
};

export function evolve(s: Onuw, e: OnuwEvent): Onuw {
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.cards, held: e.cards, centre: e.centre };
    case 'copied': {
      const { type: _, ...copied } = e;
      return { ...laid(known(s, [e.of], e.card), `seat:${e.of}`, e.card), copied };
    }
    case 'met':
      return { ...known(s, e.seats, e.card), met: [...s.met, { card: e.card, seats: e.seats }] };
    case 'saw':
      return { ...known(s, e.of, e.as), saw: [...s.saw, { seat: e.seat, of: e.of }] };
    case 'looked':
      return { ...laid(s, e.at, e.card), looks: [...s.looks, { by: e.by, at: e.at, card: e.card }] };
    case 'swapped': {
      const [a, b] = e.seats;
      const held = s.held.map((card, seat) => (seat === a ? s.held[b]! : seat === b ? s.held[a]! : card));
      return { ...s, held, swaps: [...s.swaps, { by: e.by, seats: e.seats }] };
    }
    case 'exchanged': {
      const { index } = placeOf(e.at);
      const moved = laid(laid(s, e.at, s.held[e.by]!), `seat:${e.by}`, s.centre[index]!);
      return { ...moved, exchanges: [...s.exchanges, { by: e.by, at: e.at }] };
    }
    case 'counted':
      return { ...s, votes: e.votes };
    case 'died':
      return { ...s, dead: e.seats };
    case 'felled':
      return { ...s, dead: [...s.dead, e.seat] };
    case 'revealed':
      return { ...s, roles: e.dealt, held: e.cards, centre: e.centre, copied: e.copied };
    case 'ended': {
      const { type: _, ...ended } = e;
      return { ...s, ended };
    }
    case 'called':
      return { ...s, called: e.card };
    case 'dawned':
      return s;
  }
}

/** The dealt card of seats, where an eye did not know it. */
const known = (s: Onuw, seats: readonly Seat[], card: Card): Onuw => ({
  ...s,
  roles: s.roles.map((role, seat) => (role === 'hidden' && seats.includes(seat) ? card : role)),
});

/** A card where an eye knows that it lies now. */
function laid(s: Onuw, at: Place, card: Seen): Onuw {
  const { zone, index } = placeOf(at);
  const put = (cards: readonly Seen[]) => cards.map((before, i) => (i === index ? card : before));
  return zone === 'seat' ? { ...s, held: put(s.held) } : { ...s, centre: put(s.centre) };
}

export function placeOf(at: Place): { readonly zone: 'seat' | 'centre'; readonly index: number } {
  const [zone, index] = at.split(':');
  return { zone: zone as 'seat' | 'centre', index: Number(index) };
}

export const sideOf = (card: Seen): Side =>
  card === 'tanner' ? 'tanner' : card === 'werewolf' || card === 'minion' ? 'werewolves' : 'village';

/** What each seat counts as at the end: a Doppelgänger card is what it copied, and a Villager where it has copied nothing. */
export const countedAs = ({ held, copied }: Pick<Onuw, 'held' | 'copied'>): readonly Seen[] =>
  held.map((card) => (card === 'doppelganger' ? (copied?.card ?? 'villager') : card));

/** The seats that were dealt a card, in order. */
export const holders = (s: Onuw, card: Card): Seat[] => s.roles.flatMap((role, seat) => (role === card ? [seat] : []));

const WAKE_AS_COPY: readonly Card[] = ['werewolf', 'minion', 'mason', 'insomniac'];

/** The seats that wake when a card is called, in order: those who were dealt it, and one who has copied it and does not act at once. */
export const wakers = (s: Onuw, card: Card): Seat[] =>
  s.roles.flatMap((role, seat) =>
    role === card || (WAKE_AS_COPY.includes(card) && s.copied?.by === seat && s.copied.card === card) ? [seat] : [],
  );
