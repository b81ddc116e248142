import type { Seat } from '@maw/games/kernel/question.ts';
import type { Role } from '@maw/games/werewolf-7/state.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { memoize } from '../shared/memoize.ts';

/** A role that a player may claim. */
export type ClaimedRole = Exclude<Role, 'werewolf'>;

/** The facts in a speech. */
export interface Meaning {
  /** The claimed role of the speaker. */
  readonly is: ClaimedRole | undefined;
  /** Results told by one who claims to be the seer. */
  readonly results: readonly { readonly about: Seat; readonly isWolf: boolean }[];
  /** Whom one who claims to be the witch claims to have saved. */
  readonly saved: readonly Seat[];
  /** Who is called a wolf. */
  readonly accuses: readonly Seat[];
}

/** A claimed role: `I am the Seer`, `As a villager, I think`. */
const BEING = /(?:\bI(?: am|'m|’m| was) (?:a |an |the )|(?:^|[.!?:]\s+)As (?:a |an |the ))(villager|seer|guard|witch)(?![\p{L}\p{N}_-])/iu;
/** Actions that imply a role. */
const DOING: readonly (readonly [RegExp, ClaimedRole])[] = [
  [/\bI (?:have )?(?:verified|inspected)\b/iu, 'seer'],
  [/\bI (?:have )?(?:saved|poisoned)\b|\bmy (?:antidote|poison)\b/iu, 'witch'],
  [/\bI (?:have )?protected\b/iu, 'guard'],
];

/** What may be said of somebody. Compiled once for each name, because that takes longer than reading. */
const patternsFor = memoize((name: string) => {
  const of = (before: string, after: string): RegExp => new RegExp(`${before}${namePattern(name)}${after}`, 'iu');
  return {
    isNone: of('', ',? (?:is|was) (?:(?:not (?:a|the)|no) (?:were)?wolf|innocent|good)'),
    isOne: of('', ',? (?:is|was) an? (?:were)?wolf'),
    isMaybe: of('', ',? (?:is|must be|may be|might be|looks like|could be) (?:an? |the )?(?:were)?wolf'),
    isSuspected: of("(?<!(?:not|n[’']t) )(?:suspect|vote for|accuse) ", ''),
    isDistrusted: of("(?:do not|don[’']t) trust ", ''),
    isSaved: of('(?<!not )saved? ', ''),
  };
});

/** Finds claims and accusations; ignores everything else. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const is = (BEING.exec(speech)?.[1]?.toLowerCase() as ClaimedRole | undefined) ?? DOING.find(([done]) => done.test(speech))?.[1];
  const accuses: Seat[] = [];
  const saved: Seat[] = [];
  const results: { about: Seat; isWolf: boolean }[] = [];
  for (const [seat, name] of names.entries()) {
    if (!name || !speech.toLowerCase().includes(name.toLowerCase())) continue;
    const patterns = patternsFor(name);
    const says = (what: keyof typeof patterns): boolean => patterns[what].test(speech);
    const isNone = says('isNone');
    const isOne = says('isOne');
    const isMaybe = says('isMaybe') || says('isSuspected') || says('isDistrusted');
    if (is === 'seer' && (isNone || isOne)) results.push({ about: seat, isWolf: !isNone });
    if ((isOne || isMaybe) && !isNone) accuses.push(seat);
    if (is === 'witch' && says('isSaved')) saved.push(seat);
  }
  return { is, results, saved, accuses };
}
