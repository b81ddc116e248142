import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { CARD_NAMES } from '@maw/games/onuw/narration.ts';
import type { Seat } from '@maw/games/kernel/question.ts';

/** What somebody says of the own night, true or not. What is not said is absent. */
export interface Claim {
  /** The card one says to have been dealt. */
  readonly role?: Card;
  /** As Seer: what one says to have seen. */
  readonly looks?: readonly { readonly about: Seat; readonly card: Card }[];
  readonly centre?: readonly Card[];
  /** As Robber: whose card one says to have taken, and what it was; nobody's: no `from`. */
  readonly robbed?: { readonly from?: Seat; readonly card?: Card };
  /** As Troublemaker: whose cards; empty: nobody's. */
  readonly swapped?: readonly Seat[];
  /** As Insomniac: the card at the end of the night. */
  readonly last?: Card;
}

/** What a speech says that can be counted. */
export interface Meaning {
  readonly claim: Claim;
  /** Whom the speaker calls a Werewolf or wants to vote for. */
  readonly suspects: readonly Seat[];
}

const ROLE = `(?:an? |the )?(${CARDS.join('|')})`;
const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const cardOf = (word: string): Card => word.toLowerCase() as Card;

/** The patterns of a table's names, which are few: those of the last tables are kept. */
const known = new Map<string, ReturnType<typeof patternsOf>>();
const MOST_TABLES = 50;

function patternsOf(names: readonly string[]) {
  const all = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  const who = `(?<![\\p{L}\\p{N}_-])(${all.map(escaped).join('|') || '(?!)'})(?![\\p{L}\\p{N}_-])(?:['’]s card)?`;
  const of = (text: string): RegExp => new RegExp(text, 'giu');
  return {
    last: of(`\\bat the end(?: of the night)?,? i (?:was|had)(?: still)? ${ROLE}\\b`),
    role: of(`\\bi(?:['’]m| am| was dealt| was) ${ROLE}\\b`),
    look: of(`\\bi (?:looked at|saw|checked) ${who}(?::|,|;| and (?:saw|found)| was| is| as)* ${ROLE}\\b`),
    centre: of(`\\bin the cent(?:re|er),? i saw ${ROLE} and ${ROLE}\\b`),
    robbed: of(`\\bi (?:robbed|took the card of) (?:(nobody)|${who}(?:(?:,| and)* (?:got|took|found) ${ROLE})?)`),
    swapped: of(`\\bi swapped (?:(nobody)|${who} (?:and|with) ${who})`),
    suspect: of(`\\bi (?:suspect|accuse|(?:will )?vote for|do not trust|don['’]t trust) ${who}`),
    accused: of(`${who} (?:is|has|must be|must have|may be) (?:an? |the )werewolf\\b`),
  };
}

/** Reads what a speaker claims and whom it suspects. What it does not understand it does not count. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const key = names.join('\n');
  const p = known.get(key) ?? patternsOf(names);
  if (!known.has(key) && known.size >= MOST_TABLES) known.clear();
  known.set(key, p);
  const seat = (name: string): Seat => names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
  const last = [...speech.matchAll(p.last)].at(-1)?.[1];
  const rest = speech.replaceAll(p.last, '');
  const role = [...rest.matchAll(p.role)].at(-1)?.[1];
  const looks = [...rest.matchAll(p.look)].map(([, name, card]) => ({ about: seat(name!), card: cardOf(card!) }));
  const centre = [...rest.matchAll(p.centre)].at(-1)?.slice(1, 3).map(cardOf);
  const robbed = [...rest.matchAll(p.robbed)].at(-1);
  const swapped = [...rest.matchAll(p.swapped)].at(-1);
  const suspects = [p.suspect, p.accused].flatMap((pattern) => [...rest.matchAll(pattern)].map(([, name]) => seat(name!)));
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
  };
}

const a = (card: Card): string => `${/^[aeiou]/.test(card) ? 'an' : 'a'} ${CARD_NAMES[card]}`;

/** A claim in words that `readSpeech` reads. The first sentence says the card, the others what was done. */
export function claimed({ role, looks = [], centre, robbed, swapped, last }: Claim, names: readonly string[]): readonly string[] {
  return [
    ...(role ? [`I was dealt ${a(role)}.`] : []),
    ...looks.map(({ about, card }) => `I looked at ${names[about]!}: ${a(card)}.`),
    ...(centre?.length === 2 ? [`In the centre I saw ${a(centre[0]!)} and ${a(centre[1]!)}.`] : []),
    ...(robbed
      ? [
          robbed.from === undefined
            ? 'I robbed nobody.'
            : `I robbed ${names[robbed.from]!}${robbed.card ? ` and got ${a(robbed.card)}` : ''}.`,
        ]
      : []),
    ...(swapped ? [swapped.length === 2 ? `I swapped ${names[swapped[0]!]!} and ${names[swapped[1]!]!}.` : 'I swapped nobody.'] : []),
    ...(last ? [`At the end I had ${a(last)}.`] : []),
  ];
}

type Sentences = readonly [string, ...string[]];
const SUSPICION: Sentences = ['I suspect NAME.', 'I do not trust NAME.', 'After all this I suspect NAME.', 'NAME must be a Werewolf.'];
const VOTE: Sentences = ['I vote for NAME.', 'I will vote for NAME.', 'My mind is made up: I vote for NAME.'];
const PEACE: Sentences = [
  'Perhaps no player is a Werewolf. Then nobody must die.',
  'I suspect nobody.',
  'It all fits. I see no Werewolf among us.',
];
const TALK = { suspicion: SUSPICION, vote: VOTE, peace: PEACE } as const;

/** A sentence for an occasion. */
export const sentence = (kind: keyof typeof TALK, dice: Dice, name = ''): string => dice.pick(TALK[kind]).replaceAll('NAME', name);
