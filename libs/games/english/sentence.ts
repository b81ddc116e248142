import type { Seat } from '../kernel/question.ts';

/** What somebody does by saying something. */
export type Act =
  | { readonly act: Towards; readonly about: Seat }
  /** A role in the words of the rules, or a side (`good`, `evil`, `not-werewolf`); `not-` and a role: denied. */
  | { readonly act: 'claims-role'; readonly role: string }
  | Result
  | { readonly act: 'reports'; readonly of: Seat; readonly about: Seat }
  | { readonly act: 'agrees' | 'asks-all' };

/** `wants` and `shuns`: on a team, or on none. `calls-bot`: X is a program, which accuses nobody. */
type Towards = 'accuses' | 'defends' | 'wants' | 'shuns' | 'calls-vote' | 'own-vote' | 'asks' | 'calls-bot';

/** What the speaker claims to have learnt or done by its role. */
export interface Result {
  readonly act: 'claims-result';
  readonly about: Seat | 'centre' | 'nobody' | 'self';
  /** A side (`werewolf`, `not-werewolf`, `evil`, `good`), a card, what was done (`swapped`, `saved`, `protected`, `poisoned`, `robbed`, `exchanged`) or `merlin-or-morgana`. */
  readonly result: string;
  /** The deed by which it was learnt, where the words tell. */
  readonly by?: 'look' | 'rob';
  /** Which card of the centre, from the left, where the words tell. */
  readonly at?: number;
}

/** A sentence in signs and plain words, and what is read in it. */
export interface Sentence {
  readonly text: string;
  readonly isQuestion: boolean;
  readonly acts: Act[];
}

/** A player; `&3` is one for whom a pronoun stands. */
export const PLAYER = '[@&]\\d+';
/** One player or several; in `@1 , @2` the first is spoken to. */
export const PLAYERS = `${PLAYER}(?:(?: , ${PLAYER})*(?: ,)? (?:and|or) ${PLAYER})?`;
export const ROLE = '#[a-z-]+';
export const NOT = '(?: not| no| never| nobody)';
/** Words between a subject and what it is. */
export const BE =
  "(?:(?: (?:is|are|was|were|am|be|'s|maybe|seems?|seemed|looks?|sounds?|acts?|acted|acting|appears?|being|must|may|might|could|can|would|will|has|have|had|got|to|like|kind|of|one|both|all|our|my|second|other|too|most|little|bit|as|if|only|been|playing|some|sort|that|me|us|so|came|up|back|turned|out|flipped)\\b){1,7})";

export const seatsIn = (text: string): readonly Seat[] => (text.match(/[@&]\d+/g) ?? []).map((sign) => Number(sign.slice(1)));

/** What makes a supposition of the words after it. */
const UNREAL =
  /(?:^| )(?:if|unless|whether|when|wish|pretend|suppose that|in case|imagine|would have|why|had i|as if|last game|(?:last|previous) round(?=(?: ,)?(?: i(?: [a-z]+)? ?)?$)|let us say|used to|was going to|whoever|(?:not|never) (?:say|said|saying|know|sure|claim|claimed))\b/;
const REPORTING =
  /(?:[@&]\d+|everyone|everybody|nobody|people|who|all|somebody|someone|they|he)(?: (?:not|never|does|did|has|is|also|only|all|just))* (?:says?|said|think|claim(?:s|ed)?|suspect(?:s|ed)?|accus(?:es|ed|ing)|told|tells|wants?|wanted|voted|blam(?:es|ed)|call(?:s|ed)?|saying|knows?|believes?)\b/g;
/** What stands before a colon does not govern what comes after it, unless somebody is quoted. */
const ANNOUNCED = /^.*(?<! (?:says?|said|claims?|claimed|think|if|that) ):(?!.*:)/;
/** What somebody concludes from a report is its own opinion. */
const CONCLUDED = /^.* (?:so|because|therefore|which means)(?: |$)/;
const DOUBTED = /\b(?:not (?:think|believe)|\bi (?:do |maybe )?doubt|no way|not (?:necessarily|mean))(?:(?! and | but | because ).)*$/;

/** Whether an assertion after some words of a sentence is none: it is asked, supposed, or what others are said to think. */
export function isMentioned({ text, isQuestion }: Sentence, at: number): boolean {
  const before = text.slice(0, at).replace(ANNOUNCED, '');
  return (
    isQuestion ||
    (before !== '' &&
      (UNREAL.test(before) ||
        (before
          .replace(CONCLUDED, '')
          .match(REPORTING)
          ?.some((one) => !/^(?:they|he)/.test(one)) ??
          false)))
  );
}

/** Whether the words before an assertion deny it: `I do not think that …`. */
export const isDoubted = ({ text }: Sentence, at: number): boolean => at > 0 && DOUBTED.test(text.slice(0, at).replace(ANNOUNCED, ''));

const SUBJECT =
  /(?:[@&]\d+|nobody|everyone|everybody|who|they|people|somebody|someone)(?: (?:do|does|did|will|would|is|to|not|has|have|also|maybe))*$/;
/** Whether the subject of a verb is somebody else than the speaker. */
export const isOthers = ({ text }: Sentence, at: number): boolean => at > 0 && SUBJECT.test(text.slice(0, at));

/** What others are said to have said. */
export function readReports({ text, acts }: Sentence): void {
  for (const { index, 0: all } of text.matchAll(REPORTING)) {
    if (!/^[@&]/.test(all)) continue;
    for (const about of seatsIn(text.slice(index + all.length).replace(/ (?:so|because) .*/, '')))
      acts.push({ act: 'reports', of: seatsIn(all)[0]!, about });
  }
}
