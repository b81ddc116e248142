import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Card, placeOf } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Known } from './record.ts';
import type { Claim } from './speech.ts';
import { CARDS } from './worlds.ts';

/** What this seat was dealt, saw and did. */
export function truth({ game }: Known, seat: Seat): Claim {
  const role = game.roles[seat] as Card;
  const looks = game.looks.map(({ at, card }) => ({ ...placeOf(at), card }));
  const own = looks.find(({ zone, index }) => zone === 'seat' && index === seat)?.card;
  const from = game.swaps[0]?.seats[1];
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other cards have nothing to add
  switch (role) {
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
    default:
      return { role };
  }
}

/** A liar's preference for a card: the less it says, the better. */
const GLAD: { readonly [card in Card]?: number } = { werewolf: 0, villager: 6, insomniac: 3, troublemaker: 2, robber: 2, seer: 1 };

/**
 * What one who plays for the Werewolves claims: a card of the deck that is not claimed too often, preferably one known to lie in the centre,
 * and a night that nobody can contradict.
 */
export function lie({ game, deck, claims }: Known, seat: Seat, dice: Dice): Claim {
  const claimedBy = (card: Card) => Object.entries(claims).filter(([by, { role }]) => Number(by) !== seat && role === card).length;
  const isKnown = (card: Card) => game.looks.some(({ at, card: found }) => found === card && placeOf(at).zone === 'centre');
  const gladness = (card: Card): number => {
    const free = deck.filter((one) => one === card).length - claimedBy(card);
    return free > 0 ? (GLAD[card] ?? 0) * (isKnown(card) ? 10 : 1) * free : 0;
  };
  const free = CARDS.flatMap((card) => Array.from({ length: Math.ceil(gladness(card)) }, () => card));
  const role: Card = free.length ? dice.pick(free as [Card, ...Card[]]) : 'villager';
  const taken = game.swaps[0]?.seats[1];
  // a Villager cannot contradict a claim about its own card
  const villagers = Object.entries(claims).flatMap(([by, claim]) =>
    claim.role === 'villager' && Number(by) !== seat && Number(by) !== taken ? [Number(by)] : [],
  );
  const [villager] = dice.shuffle(villagers);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other cards have nothing to add
  switch (role) {
    case 'robber':
      return { role, robbed: villager === undefined ? {} : { from: villager, card: 'villager' } };
    case 'troublemaker':
      return { role, swapped: [] };
    case 'insomniac':
      return { role, last: 'insomniac' };
    case 'seer':
      return { role, ...(villager === undefined ? {} : { looks: [{ about: villager, card: 'villager' }] }) };
    default:
      return { role };
  }
}
