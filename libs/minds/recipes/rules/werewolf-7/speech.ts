import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Role } from '@maw/games/werewolf-7/state.ts';

/** What a player may say to be. */
export type Said = Exclude<Role, 'werewolf'>;

/** What a speech says that can be counted. */
export interface Meaning {
  /** What its speaker says to be. */
  readonly is: Said | undefined;
  /** Results of a seer, told by one who says to be the seer. */
  readonly results: readonly { readonly about: Seat; readonly isWolf: boolean }[];
  /** Whom a speaker who says to be the witch says to have saved. */
  readonly saved: readonly Seat[];
  /** Who is called a wolf. */
  readonly accuses: readonly Seat[];
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const BEFORE = '(?<![\\p{L}\\p{N}_-])';
const AFTER = '(?![\\p{L}\\p{N}_-])';
/** What somebody says to be: `I am the Seer`, `As a villager, I think`. */
const BEING = /(?:\bI(?: am|'m|’m| was) (?:a |an |the )|(?:^|[.!?:]\s+)As (?:a |an |the ))(villager|seer|guard|witch)(?![\p{L}\p{N}_-])/iu;
/** What somebody must be who has done it. */
const DOING: readonly (readonly [RegExp, Said])[] = [
  [/\bI (?:have )?(?:verified|inspected)\b/iu, 'seer'],
  [/\bI (?:have )?(?:saved|poisoned)\b|\bmy (?:antidote|poison)\b/iu, 'witch'],
  [/\bI (?:have )?protected\b/iu, 'guard'],
];

/** Reads what a speaker says to be and to know, and who is called a wolf. What it does not understand it does not count. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const is = (BEING.exec(speech)?.[1]?.toLowerCase() as Said | undefined) ?? DOING.find(([done]) => done.test(speech))?.[1];
  const accuses: Seat[] = [];
  const saved: Seat[] = [];
  const results: { about: Seat; isWolf: boolean }[] = [];
  for (const [seat, name] of names.entries()) {
    if (!name || !speech.toLowerCase().includes(name.toLowerCase())) continue;
    const says = (before: string, after: string) => new RegExp(`${before}${BEFORE}${escaped(name)}${AFTER}${after}`, 'iu').test(speech);
    const isNone = says('', ',? (?:is|was) (?:(?:not (?:a|the)|no) (?:were)?wolf|innocent|good)');
    const isOne = says('', ',? (?:is|was) an? (?:were)?wolf');
    const isMaybe =
      says('', ',? (?:is|must be|may be|might be|looks like|could be) (?:an? |the )?(?:were)?wolf') ||
      says("(?<!(?:not|n[’']t) )(?:suspect|vote for|accuse) ", '') ||
      says("(?:do not|don[’']t) trust ", '');
    if (is === 'seer' && (isNone || isOne)) results.push({ about: seat, isWolf: !isNone });
    if ((isOne || isMaybe) && !isNone) accuses.push(seat);
    if (is === 'witch' && says('(?<!not )saved? ', '')) saved.push(seat);
  }
  return { is, results, saved, accuses };
}

type Sentences = readonly [string, ...string[]];

const IDLE: Sentences = [
  'I have nothing to tell yet.',
  'Let us look at who votes for whom.',
  'I am a Villager, and I know no more than you.',
  'Nobody should die without a reason today.',
  'Whoever knows something should say it in time.',
];
const SUSPICION: Sentences = [
  'I suspect NAME.',
  'I suspect NAME more than anybody else.',
  'NAME may be a Werewolf.',
  'I do not trust NAME.',
];
const DEFENCE: Sentences = ['I am a Villager. I suspect NAME.', 'I am a Villager, and NAME may be a Werewolf.'];
const FAREWELL: Sentences = ['I am a Villager. You are making a mistake.', 'I am a Villager. Look at who wanted this.'];
const TALK = { idle: IDLE, suspicion: SUSPICION, defence: DEFENCE, farewell: FAREWELL } as const;

/** A sentence for an occasion. */
export const sentence = (kind: keyof typeof TALK, dice: Dice, name = ''): string => dice.pick(TALK[kind]).replaceAll('NAME', name);

/** What a seer reveals, or one who says to be the seer. */
export const revelation = (results: readonly { readonly name: string; readonly isWolf: boolean }[]): string =>
  ['I am the Seer.', ...results.map(({ name, isWolf }) => `${name} is ${isWolf ? '' : 'not '}a Werewolf.`)].join(' ');

/** What a witch reveals. */
export const witness = (saved: string | undefined, poisoned: string | undefined): string =>
  [
    'I am the Witch.',
    ...(saved === undefined ? [] : [`I saved ${saved}.`]),
    ...(poisoned === undefined ? [] : [`I poisoned ${poisoned}.`]),
  ].join(' ');
