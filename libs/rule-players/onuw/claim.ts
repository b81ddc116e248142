import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Card, CARDS, placeOf } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { NEW, type Odds } from './likelihood.ts';
import type { Known } from './record.ts';
import type { Claim } from './speech.ts';

/** What this seat was dealt, saw and did; as Doppelgänger first what it copied, then what it did as that card. */
export function truth(known: Known, seat: Seat): Claim {
  const role = known.game.roles[seat] as Card;
  const { copied } = known.game;
  if (!copied) return deedsAs(role, known, seat);
  const { looks = [], ...deeds } = deedsAs(copied.card, known, seat);
  return { ...deeds, role, looks: [{ about: copied.of, card: copied.card }, ...(copied.card === 'mason' ? [] : looks)] };
}

function deedsAs(role: Card, { game }: Known, seat: Seat): Claim {
  const looks = game.looks.map(({ at, card }) => ({ ...placeOf(at), card }));
  const own = looks.find(({ zone, index }) => zone === 'seat' && index === seat)?.card;
  const from = game.swaps[0]?.seats[1];
  switch (role) {
    case 'mason': {
      const mates = game.met.flatMap(({ seats }) => seats.filter((other) => other !== seat));
      return { role, ...(mates.length ? { looks: mates.map((about) => ({ about, card: role })) } : {}) };
    }
    case 'drunk':
      return { role, ...(game.exchanges[0] ? { took: placeOf(game.exchanges[0].at).index } : {}) };
    case 'seer': {
      const centre = looks.flatMap(({ zone, card }) => (zone === 'centre' ? [card] : []));
      const players = looks.flatMap(({ zone, index, card }) => (zone === 'seat' ? [{ about: index, card }] : []));
      return { role, ...(players.length ? { looks: players } : {}), ...(centre.length ? { centre } : {}) };
    }
    case 'robber':
      return { role, robbed: from === undefined ? {} : { from, ...(own ? { card: own } : {}) } };
    case 'troublemaker':
      return { role, swapped: game.swaps[0]?.seats ?? [] };
    case 'insomniac':
      return { role, ...(own ? { last: own } : {}) };
    case 'werewolf':
    case 'villager':
    case 'minion':
    case 'tanner':
    case 'hunter':
    case 'doppelganger':
      return { role };
  }
}

/** A liar's preference for a card: the less it says, the better. */
const GLAD: Odds = { werewolf: 0, villager: 6, insomniac: 3, troublemaker: 2, robber: 2, seer: 1, ...NEW, minion: 0, tanner: 0 };

/**
 * What one who plays for the Werewolves claims: a card of the deck that is not claimed too often, preferably one known to lie in the centre,
 * and a night that nobody can contradict.
 * @param isTanner it wants to be found out: preferably a card that another claims
 */
export function lie({ game, deck, claims }: Known, seat: Seat, dice: Dice, isTanner = false): Claim {
  const taken = game.swaps[0]?.seats[1];
  // one without a deed, or without knowledge of it, cannot contradict a claim about its own card
  const plain = Object.entries(claims).flatMap(([by, { role: card }]) =>
    card && PLAIN.includes(card) && Number(by) !== seat && Number(by) !== taken ? [{ about: Number(by), card }] : [],
  );
  const claimedBy = (card: Card) => Object.entries(claims).filter(([by, { role }]) => Number(by) !== seat && role === card).length;
  const isKnown = (card: Card) => game.looks.some(({ at, card: found }) => found === card && placeOf(at).zone === 'centre');
  const gladness = (card: Card): number => {
    if (card === 'doppelganger' && !plain.length) return 0;
    if (isTanner && deck.includes(card) && claimedBy(card)) return 5 * GLAD[card];
    const count = deck.filter((one) => one === card).length;
    const free = (card === 'mason' ? Math.min(count, 1) : count) - claimedBy(card); // of two who woke alone one lies
    return free > 0 ? GLAD[card] * (isKnown(card) ? 10 : 1) * free : 0;
  };
  const free = CARDS.flatMap((card) => Array.from({ length: Math.ceil(gladness(card)) }, () => card));
  const role: Card = free.length ? dice.pick(free as [Card, ...Card[]]) : 'villager';
  const [looked] = dice.shuffle(plain);
  switch (role) {
    case 'robber':
      return { role, robbed: looked ? { from: looked.about, card: looked.card } : {} };
    case 'troublemaker':
      return { role, swapped: [] };
    case 'insomniac':
      return { role, last: 'insomniac' };
    case 'seer':
      return { role, ...(looked ? { looks: [looked] } : {}) };
    case 'doppelganger':
      return { role, looks: [looked!], ...(looked!.card === 'drunk' ? { took: dice.below(3) } : {}) };
    case 'drunk':
      return { role, took: dice.below(3) };
    case 'werewolf':
    case 'villager':
    case 'minion':
    case 'tanner':
    case 'hunter':
    case 'mason':
      return { role };
  }
}

/** The cards that do nothing in the night, or nothing that tells of their own card. */
const PLAIN: readonly Card[] = ['villager', 'hunter', 'drunk'];
