import type { Counts } from '../kernel/options.ts';
import type { Answer } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { OnuwOptions } from './options.ts';
import { type Card, CARDS, type NightCard } from './state.ts';

const CENTRE = 3;

/** A fixed deal and the night that was played with it. */
interface Fixed {
  readonly cards: readonly Card[];
  readonly centre: readonly Card[];
  /** The holders' actions, as if they had been asked. Undefined: they are asked. */
  readonly acts: { readonly [card in NightCard]?: readonly Answer[] } | undefined;
}

/**
 * The deals of document 004: `analysis` is the game of its section 4, `easy` and `hard` are tables 4 and 5 with the night of appendix E.3.
 * Cards not in those tables lie in the centre: the other three of the eight, in the order of `CARDS`.
 */
const FIXED: { readonly [setup in Exclude<OnuwOptions['setup'], 'standard'>]: Fixed } = {
  analysis: { cards: ['werewolf', 'werewolf', 'robber'], centre: [], acts: undefined },
  easy: {
    cards: ['troublemaker', 'werewolf', 'seer', 'robber', 'villager'],
    centre: ['werewolf', 'villager', 'insomniac'],
    acts: {
      seer: [{ by: 2, says: ['seat:3'] }],
      robber: [{ by: 3, says: ['seat:0'] }],
      troublemaker: [{ by: 0, says: ['seat:2', 'seat:4'] }],
    },
  },
  hard: {
    cards: ['robber', 'insomniac', 'seer', 'werewolf', 'troublemaker'],
    centre: ['werewolf', 'villager', 'villager'],
    acts: {
      seer: [{ by: 2, says: ['seat:3'] }],
      robber: [{ by: 0, says: ['seat:3'] }],
      troublemaker: [{ by: 4, says: ['seat:1', 'seat:2'] }],
    },
  },
};

export const fixedDeal = (setup: OnuwOptions['setup']): Fixed | undefined => (setup === 'standard' ? undefined : FIXED[setup]);

/**
 * The cards of a game, in the order of `CARDS`. The standard deck is the document's for five players (two Werewolves, two Villagers, one of
 * each other card), plus or minus a Villager for each player more or fewer.
 * @throws Refusal bad-option when the number of players or of cards does not fit
 */
export function deckOf(players: number, { setup, deck }: Pick<OnuwOptions, 'setup' | 'deck'>): readonly Card[] {
  const fixed = fixedDeal(setup);
  const isGiven = Object.keys(deck).length > 0;
  if (fixed) {
    if (fixed.cards.length !== players) throw bad(`setup: ${setup} is for ${fixed.cards.length} players, not ${players}`);
    if (isGiven) throw bad(`deck: ${setup} has a deck of its own; a deck can be given with setup=standard`);
    return sorted([...fixed.cards, ...fixed.centre]);
  }
  if (!isGiven) return fromCounts({ werewolf: 2, villager: players - 3, seer: 1, robber: 1, troublemaker: 1, insomniac: 1 });
  const cards = fromCounts(deck);
  if (cards.length !== players + CENTRE)
    throw bad(`deck: ${players} players need ${players + CENTRE} cards, three more than they are; these are ${cards.length}`);
  if ((deck['werewolf'] ?? 0) >= players) throw bad(`deck: at most ${players - 1} Werewolves, so that somebody is of the village`);
  return cards;
}

/** The number of cards of each kind in a deck, without zeroes. */
export function countsOf(deck: readonly Card[]): { readonly [card in Card]?: number } {
  const counts: { [card in Card]?: number } = {};
  for (const card of deck) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

const fromCounts = (counts: Counts): Card[] => CARDS.flatMap((card) => Array.from({ length: counts[card] ?? 0 }, () => card));
const sorted = (cards: readonly Card[]): Card[] => CARDS.flatMap((card) => cards.filter((one) => one === card));
const bad = (detail: string): Refusal => new Refusal('bad-option', detail);
