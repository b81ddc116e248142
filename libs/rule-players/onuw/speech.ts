import type { Seat } from '@maw/games/kernel/question.ts';
import { CARD_NAMES } from '@maw/games/onuw/narration.ts';
import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { escapePattern, wordPattern } from '@maw/games/kernel/name-pattern.ts';
import type { Voice } from '../conversation/voice.ts';
import { memoize } from '../shared/memoize.ts';
import type { Occasion } from './sentences.ts';

/** What somebody claims about its night, true or not. */
export interface Claim {
  /** The card dealt. */
  readonly role?: Card;
  /** As Seer: what it saw. */
  readonly looks?: readonly { readonly about: Seat; readonly card: Card }[];
  readonly centre?: readonly Card[];
  /** As Robber: whose card it took, and which; nobody's: no `from`. */
  readonly robbed?: { readonly from?: Seat; readonly card?: Card };
  /** As Troublemaker: whose cards; empty: nobody's. */
  readonly swapped?: readonly Seat[];
  /** As Insomniac: the card at the end of the night. */
  readonly last?: Card;
}

/** The facts in a speech. */
export interface Meaning {
  readonly claim: Claim;
  /** Whom the speaker suspects or wants to vote for. */
  readonly suspects: readonly Seat[];
  /** Whom the speaker defends; absent: nobody else. */
  readonly defends?: Seat;
}

const ROLE = `(?:an? |the )?(${CARDS.join('|')})`;
const cardOf = (word: string): Card => word.toLowerCase() as Card;

/** The patterns for the names of a table. */
const patternsFor = memoize((names: readonly string[]) => {
  const all = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  const who = `${wordPattern(`(${all.map(escapePattern).join('|') || '(?!)'})`)}(?:['’]s card)?`;
  const of = (text: string): RegExp => new RegExp(text, 'giu');
  return {
    last: of(`\\bat the end(?: of the night)?,? i (?:was|had)(?: still)? ${ROLE}\\b`),
    role: of(`\\bi(?:['’]m| am| was dealt| was) ${ROLE}\\b`),
    look: of(`\\bi (?:looked at|saw|checked) ${who}(?::|,|;| and (?:saw|found)| was| is| as)* ${ROLE}\\b`),
    centre: of(`\\bin the cent(?:re|er),? i saw ${ROLE} and ${ROLE}\\b`),
    robbed: of(`\\bi (?:robbed|took the card of) (?:(nobody)|${who}(?:(?:,| and)* (?:got|took|found) ${ROLE})?)`),
    swapped: of(`\\bi swapped (?:(nobody)|${who} (?:and|with) ${who})`),
    suspect: of(`\\bi (?:suspect|accuse|(?:will )?vote for|do not trust|don['’]t trust) ${who}`),
    defended: of(`${who} is (?:not a|no) werewolf\\b`),
    accused: of(`${who} (?:is|has|must be|must have|may be) (?:an? |the )werewolf\\b`),
  };
}, 50);

/** Finds claims and suspects; ignores everything else. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const p = patternsFor(names);
  const seat = (name: string): Seat => names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
  const last = [...speech.matchAll(p.last)].at(-1)?.[1];
  const rest = speech.replaceAll(p.last, '');
  const role = [...rest.matchAll(p.role)].at(-1)?.[1];
  const looks = [...rest.matchAll(p.look)].map(([, name, card]) => ({ about: seat(name!), card: cardOf(card!) }));
  const centre = [...rest.matchAll(p.centre)].at(-1)?.slice(1, 3).map(cardOf);
  const robbed = [...rest.matchAll(p.robbed)].at(-1);
  const swapped = [...rest.matchAll(p.swapped)].at(-1);
  const suspects = [p.suspect, p.accused].flatMap((pattern) => [...rest.matchAll(pattern)].map(([, name]) => seat(name!)));
  const defended = [...rest.matchAll(p.defended)].at(-1)?.[1];
  return {
    claim: {
      ...(role ? { role: cardOf(role) } : {}),
      ...(looks.length ? { looks } : {}),
      ...(centre ? { centre } : {}),
      ...(robbed ? { robbed: robbed[1] ? {} : { from: seat(robbed[2]!), ...(robbed[3] ? { card: cardOf(robbed[3]) } : {}) } } : {}),
      ...(swapped ? { swapped: swapped[1] ? [] : [seat(swapped[2]!), seat(swapped[3]!)] } : {}),
      ...(last ? { last: cardOf(last) } : {}),
    },
    suspects: [...new Set(suspects)],
    ...(defended === undefined ? {} : { defends: seat(defended) }),
  };
}

const a = (card: Card): string => `${/^[aeiou]/.test(card) ? 'an' : 'a'} ${CARD_NAMES[card]}`;

/** A claim in words that `readSpeech` understands; first the card, then what was done. */
export function claimed(
  { role, looks = [], centre, robbed, swapped, last }: Claim,
  names: readonly string[],
  voice: Voice<Occasion>,
): readonly string[] {
  const name = (seat: Seat | undefined): string => names[seat!]!;
  return [
    ...(role ? [voice('role', { card: a(role) })] : []),
    ...looks.map(({ about, card }) => voice('looked', { name: name(about), card: a(card) })),
    ...(centre?.length === 2 ? [voice('centre', { card: a(centre[0]!), other: a(centre[1]!) })] : []),
    ...(robbed ? [robbery(robbed)] : []),
    ...(swapped
      ? [swapped.length === 2 ? voice('swapped', { name: name(swapped[0]), other: name(swapped[1]) }) : voice('swappedNobody')]
      : []),
    ...(last ? [voice('last', { card: a(last) })] : []),
  ];

  function robbery({ from, card }: NonNullable<Claim['robbed']>): string {
    if (from === undefined) return voice('robbedNobody');
    return card ? voice('robbed', { name: name(from), card: a(card) }) : voice('robbedUnseen', { name: name(from) });
  }
}
