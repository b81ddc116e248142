import type { Seat } from '@maw/games/kernel/question.ts';
import { CARD_NAMES } from '@maw/games/onuw/narration.ts';
import { type Card, CARDS, SIX } from '@maw/games/onuw/state.ts';
import { type Heard, listener, seatsOf } from '../conversation/understand.ts';
import type { Voice } from '../conversation/voice.ts';
import { type Occasion, sentences } from './sentences.ts';

/** What somebody claims about its night, true or not. */
export interface Claim {
  /** The card dealt. */
  readonly role?: Card;
  /** As Seer: what it saw. As Mason: the other one. As Doppelgänger: what it copied, then what it saw as Seer. */
  readonly looks?: readonly { readonly about: Seat; readonly card: Card }[];
  readonly centre?: readonly Card[];
  /** As Robber: whose card it took, and which; nobody's: no `from`. */
  readonly robbed?: { readonly from?: Seat; readonly card?: Card };
  /** As Troublemaker: whose cards; empty: nobody's. */
  readonly swapped?: readonly Seat[];
  /** As Insomniac: the card at the end of the night. */
  readonly last?: Card;
  /** As Drunk: which card of the centre. */
  readonly took?: number;
}

/** The facts in a speech. */
export interface Meaning {
  readonly claim: Claim;
  /** Whom the speaker suspects or wants to vote for. */
  readonly suspects: readonly Seat[];
  /** Whom the speaker defends; absent: nobody else. */
  readonly defends?: Seat;
}

export const understand = listener(sentences, SIX, ['peace', 'selfDefence', 'threat', 'alone']);
/** The cards that words of a speech may mean: those of document 004, and the others of the deck. */
export const wordsOf = (deck: readonly Card[]): readonly Card[] => CARDS.filter((card, c) => c < SIX.length || deck.includes(card));
const isCard = (word: string): word is Card => CARDS.some((card) => card === word);

/** Finds claims and suspects; ignores everything else. The last of repeated claims counts. */
export function readSpeech(heard: Heard): Meaning {
  const acts = understand(heard);
  const role = acts.flatMap((one) => (one.act === 'claims-role' && isCard(one.role) ? [one.role] : [])).at(-1);
  const results = acts.filter((one) => one.act === 'claims-result');
  const seen = results.flatMap(({ about, result, by }) => (isCard(result) ? [{ about, card: result, by }] : []));
  const looks = seen.flatMap(({ about, card, by }) => (typeof about === 'number' && by !== 'rob' ? [{ about, card }] : []));
  const centre = seen.flatMap(({ about, card }) => (about === 'centre' ? [card] : []));
  const robbed = results.filter(({ result, by }) => by === 'rob' || result === 'robbed').at(-1);
  const swapped = results.filter(({ result }) => result === 'swapped').map(({ about }) => about);
  const last = seen.findLast(({ about }) => about === 'self')?.card;
  const took = results.findLast(({ result }) => result === 'exchanged')?.at;
  const from = robbed?.about;
  const defends = seatsOf(acts, ['defends']).at(-1);
  return {
    claim: {
      ...(role ? { role } : {}),
      ...(looks.length ? { looks } : {}),
      ...(centre.length ? { centre: centre.slice(0, 2) } : {}),
      ...(robbed ? { robbed: typeof from === 'number' ? { from, ...(isCard(robbed.result) ? { card: robbed.result } : {}) } : {} } : {}),
      ...(swapped.length ? { swapped: swapped.filter((one) => typeof one === 'number').slice(-2) } : {}),
      ...(last ? { last } : {}),
      ...(took === undefined ? {} : { took }),
    },
    suspects: seatsOf(acts, ['accuses', 'calls-vote', 'own-vote']),
    ...(defends === undefined ? {} : { defends }),
  };
}

const WHICH = ['left', 'middle', 'right'] as const;
export const a = (card: Card): string => `${/^[aeiou]/.test(card) ? 'an' : 'a'} ${CARD_NAMES[card]}`;

/** A claim in words that `readSpeech` understands; first the card, then what was done. */
export function claimed(
  { role, looks = [], centre, robbed, swapped, last, took }: Claim,
  names: readonly string[],
  voice: Voice<Occasion>,
): readonly string[] {
  const name = (seat: Seat | undefined): string => names[seat!]!;
  return [
    ...(role ? [voice('role', { card: a(role) })] : []),
    ...looks.map(({ about, card }, i) => voice(lookOf(i), { name: name(about), card: a(card) })),
    ...(role === 'mason' && !looks.length ? [voice('alone')] : []),
    ...(role === 'hunter' || (role === 'doppelganger' && looks[0]?.card === 'hunter') ? [voice('threat')] : []),
    ...(took === undefined ? [] : [voice('took', { which: WHICH[took]! })]),
    ...(centre?.length === 2 ? [voice('centre', { card: a(centre[0]!), other: a(centre[1]!) })] : []),
    ...(robbed ? [robbery(robbed)] : []),
    ...(swapped
      ? [swapped.length === 2 ? voice('swapped', { name: name(swapped[0]), other: name(swapped[1]) }) : voice('swappedNobody')]
      : []),
    ...(last ? [voice('last', { card: a(last) })] : []),
  ];

  function lookOf(i: number): Occasion {
    return role === 'mason' ? 'fellow' : role === 'doppelganger' && !i ? 'copied' : 'looked';
  }

  function robbery({ from, card }: NonNullable<Claim['robbed']>): string {
    if (from === undefined) return voice('robbedNobody');
    return card ? voice('robbed', { name: name(from), card: a(card) }) : voice('robbedUnseen', { name: name(from) });
  }
}
