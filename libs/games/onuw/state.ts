import type { Seat } from '../kernel/question.ts';

export const CARDS = ['werewolf', 'villager', 'seer', 'robber', 'troublemaker', 'insomniac'] as const;
export type Card = (typeof CARDS)[number];
/** A card as one eye knows it. */
export type Seen = Card | 'hidden';
export type Side = 'village' | 'werewolves';

/** The cards that wake at night, in calling order. */
export const NIGHT = ['werewolf', 'seer', 'robber', 'troublemaker', 'insomniac'] as const satisfies readonly Card[];
export type NightCard = (typeof NIGHT)[number];

/** Where a card lies: in front of a player, `seat:3`, or in the centre, `centre:0`. */
export type Place = `seat:${number}` | `centre:${number}`;

export type OnuwEvent =
  | { readonly type: 'dealt'; readonly cards: readonly Seen[]; readonly centre: readonly Seen[] }
  /** A card of the deck is called, whoever has it. */
  | { readonly type: 'called'; readonly card: NightCard }
  /** Players who wake together see each other; told to them only. A single Werewolf is told that it is alone. */
  | { readonly type: 'met'; readonly card: NightCard; readonly seats: readonly Seat[] }
  /** `by` sees the card that lies there now; told to `by` only. */
  | { readonly type: 'looked'; readonly by: Seat; readonly at: Place; readonly card: Card }
  /** The cards of two seats are swapped; told to `by` only. */
  | { readonly type: 'swapped'; readonly by: Seat; readonly seats: readonly [Seat, Seat] }
  | { readonly type: 'dawned' }
  | { readonly type: 'counted'; readonly votes: readonly number[] }
  | { readonly type: 'died'; readonly seats: readonly Seat[] }
  /** All cards are revealed: as dealt, as they lie at the end, and the centre. */
  | { readonly type: 'revealed'; readonly dealt: readonly Card[]; readonly cards: readonly Card[]; readonly centre: readonly Card[] }
  | { readonly type: 'ended'; readonly winner: Side | 'draw'; readonly because: Ending };

/** `peace`: no Werewolf, and nobody died. `no-werewolf` and `one-vote-each` are draws. `nobody-voted`: the village wins. */
export type Ending = 'werewolf-died' | 'werewolves-live' | 'peace' | 'no-werewolf' | 'one-vote-each' | 'nobody-voted';

/** What is known of a game, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Onuw {
  /** By seat, as dealt: determines who wakes when. */
  readonly roles: readonly Seen[];
  /** By seat, the card that lies there now; the final one decides the side. In a seat's view: the last it knows of. */
  readonly held: readonly Seen[];
  readonly centre: readonly Seen[];
  /** The card that was called last. */
  readonly called: NightCard | undefined;
  readonly met: readonly { readonly card: NightCard; readonly seats: readonly Seat[] }[];
  readonly looks: readonly { readonly by: Seat; readonly at: Place; readonly card: Card }[];
  readonly swaps: readonly { readonly by: Seat; readonly seats: readonly [Seat, Seat] }[];
  readonly votes: readonly number[];
  readonly dead: readonly Seat[];
  readonly ended: { readonly winner: Side | 'draw'; readonly because: Ending } | undefined;
}

export const initialState: Onuw = {
  roles: [],
  held: [],
  centre: [],
  called: undefined,
  met: [],
  looks: [],
  swaps: [],
  votes: [],
  dead: [],
  ended: undefined,
};

export function evolve(s: Onuw, e: OnuwEvent): Onuw {
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.cards, held: e.cards, centre: e.centre };
    case 'met':
      return {
        ...s,
        roles: s.roles.map((role, seat) => (e.seats.includes(seat) ? e.card : role)),
        met: [...s.met, { card: e.card, seats: e.seats }],
      };
    case 'looked':
      return { ...laid(s, e.at, e.card), looks: [...s.looks, { by: e.by, at: e.at, card: e.card }] };
    case 'swapped': {
      const [a, b] = e.seats;
      const held = s.held.map((card, seat) => (seat === a ? s.held[b]! : seat === b ? s.held[a]! : card));
      return { ...s, held, swaps: [...s.swaps, { by: e.by, seats: e.seats }] };
    }
    case 'counted':
      return { ...s, votes: e.votes };
    case 'died':
      return { ...s, dead: e.seats };
    case 'revealed':
      return { ...s, roles: e.dealt, held: e.cards, centre: e.centre };
    case 'ended':
      return { ...s, ended: { winner: e.winner, because: e.because } };
    case 'called':
      return { ...s, called: e.card };
    case 'dawned':
      return s;
  }
}

/** A card where an eye has just seen it. */
function laid(s: Onuw, at: Place, card: Card): Onuw {
  const { zone, index } = placeOf(at);
  const put = (cards: readonly Seen[]) => cards.map((before, i) => (i === index ? card : before));
  return zone === 'seat' ? { ...s, held: put(s.held) } : { ...s, centre: put(s.centre) };
}

export function placeOf(at: Place): { readonly zone: 'seat' | 'centre'; readonly index: number } {
  const [zone, index] = at.split(':');
  return { zone: zone as 'seat' | 'centre', index: Number(index) };
}

export const sideOf = (card: Seen): Side => (card === 'werewolf' ? 'werewolves' : 'village');

/** The seats that were dealt a card, in order. */
export const holders = (s: Onuw, card: Card): Seat[] => s.roles.flatMap((role, seat) => (role === card ? [seat] : []));
