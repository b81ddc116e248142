import type { Counts } from '../kernel/options.ts';
import type { Answer } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { OnuwOptions } from './options.ts';
import { type Call, type Card, CARDS, SIX } from './state.ts';

const CENTRE = 3;

/** A fixed deal and the night that was played with it. */
interface Fixed {
  readonly cards: readonly Card[];
  readonly centre: readonly Card[];
  /** The holders' actions, as if they had been asked. Undefined: they are asked. */
  readonly acts: { readonly [call in Call]?: readonly Answer[] } | undefined;
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

/** With `cards: all`, by the number of players: what changes in the deck from that of one player fewer; first the deck of three. */
const ALL: { readonly [players: number]: Counts } = {
  3: { werewolf: 2, seer: 1, robber: 1, troublemaker: 1, drunk: 1 },
  4: { minion: 1 },
  5: { insomniac: 1 },
  6: { hunter: 1 },
  7: { tanner: 1 },
  8: { insomniac: -1, mason: 2 },
  9: { insomniac: 1 },
  10: { doppelganger: 1 },
};

/**
 * The cards of a game, in the order of `CARDS`. The standard deck is the document's for five players (two Werewolves, two Villagers, one of
 * each other card), plus or minus a Villager for each player more or fewer; with `cards: all` it is one that has the other cards as well.
 * @throws Refusal bad-option when the number of players or of cards does not fit, or the document has no such cards
 */
export function deckOf(
  players: number,
  { setup, deck, cards = 'six', verdict = 'official' }: Pick<OnuwOptions, 'setup' | 'deck'> & Partial<OnuwOptions>,
): readonly Card[] {
  const fixed = fixedDeal(setup);
  const isGiven = Object.keys(deck).length > 0;
  if (fixed) {
    if (fixed.cards.length !== players) throw bad(`setup: ${setup} is for ${fixed.cards.length} players, not ${players}`);
    if (isGiven) throw bad(`deck: ${setup} has a deck of its own; a deck can be given with setup=standard`);
    if (cards === 'all') throw bad(`cards: ${setup} has a deck of its own; all cards can be had with setup=standard`);
    return sorted([...fixed.cards, ...fixed.centre]);
  }
  const counts = isGiven ? deck : usualCounts(players, cards);
  const all = fromCounts(counts);
  const [werewolf = 0, mason = 0, doppelganger = 0] = ['werewolf', 'mason', 'doppelganger'].map((card) => counts[card]);
  const foes = werewolf + (counts['minion'] ?? 0) + (counts['tanner'] ?? 0);
  const names = foes > werewolf ? 'Werewolves, Minions and Tanners together' : 'Werewolves';
  if (all.length !== players + CENTRE)
    throw bad(`deck: ${players} players need ${players + CENTRE} cards, three more than they are; these are ${all.length}`);
  if (foes >= players) throw bad(`deck: at most ${players - 1} ${names}, so that somebody is of the village`);
  if (mason !== 0 && mason !== 2) throw bad(`deck: there are two Masons or none, not ${mason}`);
  if (doppelganger > 1) throw bad(`deck: there is at most one Doppelgänger, not ${doppelganger}`);
  const strange = all.find((card) => !SIX.some((one) => one === card));
  if (verdict === 'program' && strange) throw bad(`verdict: the program has six cards, and no ${strange}; use verdict=official`);
  return all;
}

function usualCounts(players: number, cards: OnuwOptions['cards']): Counts {
  if (cards === 'six') return { werewolf: 2, villager: players - 3, seer: 1, robber: 1, troublemaker: 1, insomniac: 1 };
  const counts: { [card: string]: number } = {};
  for (let n = 3; n <= players; n++) for (const [card, more] of Object.entries(ALL[n]!)) counts[card] = (counts[card] ?? 0) + more;
  return counts;
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
