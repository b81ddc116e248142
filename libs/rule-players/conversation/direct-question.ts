import type { Seat } from '@maw/games/kernel/question.ts';
import { escapePattern, namePattern } from '@maw/games/kernel/name-pattern.ts';
import { memoize } from '../shared/memoize.ts';

/** What a question wants to know: whom one suspects or trusts, what one thinks of a player, why one did something, what one is. */
export type Subject = 'suspect' | 'trust' | 'opinion' | 'why' | 'role' | 'other';

/** A question that a player puts to another by name. */
export interface DirectQuestion {
  readonly by: Seat;
  readonly subject: Subject;
  /** The player it is about. */
  readonly about?: Seat;
  /** The role that is asked for, as it was said. */
  readonly role?: string;
}

const WORD = '(?:who|whom|what|why|how|which|where|when|explain)\\b';
const VERB = '(?:are|is|do|did|does|will|would|can|could|have|has|should)';
const ASKING = `(?:${WORD}|${VERB}\\b)`;

/** What makes a sentence with a question mark a question, and not a repeated word: `Me, Ann?` */
const REQUEST = /\b(?:who|whom|what|why|how|which|you|your|any|anything|reason)\b/i;
const RHETORICAL = /^(?:you (?:ask|want|mean)|and you)\b/i;

const patternsFor = memoize((names: readonly string[]) => {
  const all = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  const who = `(${all.map(escapePattern).join('|') || '(?!)'})`;
  return {
    first: new RegExp(
      `^(?:(?:and|so|but|hey|well|ok|okay|now|then|tell me|sorry|out with it)[, ]+|@)*${who}(?: *[,:;–—-]+ | +(?=${WORD}|${VERB} you\\b))`,
      'iu',
    ),
    last: new RegExp(`(?:, *| you,? +|(?<= me),? +)${who} *[?.!]*$`, 'iu'),
    asking: new RegExp(`^(?:(?:and|so|but|hey|well|out with it)[, ]+)*${ASKING}`, 'iu'),
  };
}, 50);

/** Finds a name as a whole word, in any case. */
export const nameIn = memoize((name: string) => new RegExp(namePattern(name), 'iu'));

/** The questions in a speech that are put to one player by name; `you` means whoever was named last. */
export function questionsTo(me: Seat, speech: string, by: Seat, names: readonly string[]): readonly DirectQuestion[] {
  if (by === me || !names[me] || !speech.toLowerCase().includes(names[me].toLowerCase())) return [];
  const { first, last, asking } = patternsFor(names);
  const found: DirectQuestion[] = [];
  let to: string | undefined;
  for (const sentence of speech.split(/(?<=[?!;]|\.(?!\p{L}))\s+/u)) {
    const named = (first.exec(sentence) ?? last.exec(sentence))?.[1];
    const addressed = named ?? (/\byou(?:r|rs)?\b/i.test(sentence) ? to : undefined);
    to = named ?? to;
    if (addressed?.toLowerCase() !== names[me].toLowerCase()) continue;
    const rest = sentence.replace(first, '').replace(last, (end) => (end.endsWith('?') ? '?' : '.'));
    if (asking.test(rest) || (rest.trimEnd().endsWith('?') && REQUEST.test(rest) && !RHETORICAL.test(rest)))
      found.push({ by, ...subjectOf(rest, me, by, names) });
  }
  return found;
}

/** It asks for reasons, and for an account of oneself. */
const REASON = /\bwhy\b|\bhow come\b|\bwhat makes you\b|\breason\b|\bexplain\b|\bwhat have i done\b|\bchanged your mind\b/i;
const ACCOUNT = /\bwhat (?:did|have) you (?:do|done)\b|\b(?:save|defend|about) yourself\b/i;

/** What a question wants to know. */
export function subjectOf(question: string, me: Seat, by: Seat, names: readonly string[]): Omit<DirectQuestion, 'by'> {
  const named = names.findIndex((name, seat) => seat !== me && name !== '' && nameIn(name).test(question));
  const about = named >= 0 ? named : /\b(?:me|i)\b/i.test(question) ? by : undefined;
  const of = about === undefined ? {} : { about };
  if (REASON.test(question)) return { subject: 'why', ...of };
  const role = /\b(?:are|were) you (?:an? |the |our |one of the )?(?:loyal )?([\p{L}-]+)\s*\?/iu.exec(question)?.[1];
  if (role && !/^(?:sure|serious|ok|okay|there|certain|awake)$/i.test(role)) return { subject: 'role', role: role.toLowerCase() };
  if (/\b(?:what|who|which role|which card) (?:are|were) you\b|\byour (?:role|card|part)\b/i.test(question) || ACCOUNT.test(question))
    return { subject: 'role' };
  if (/\bwhom? do you (?:trust|believe)\b|\bwhom? .*\btrust\b/i.test(question)) return { subject: 'trust' };
  if (named >= 0) return { subject: 'opinion', about: named };
  const isOpen =
    /\bwhom?\b(?! (?:left|died|won|voted|said|started|killed|got|was|he|she|they)\b)|\bany(?:thing)?\b|\bsuspect|\bin mind\b|\bthink\b|\bmake of\b|\bstand\b|\bvot(?:e|ing)\b|\bopinion\b|\bsay\b|\babout(?: you)?\W*$/i;
  return isOpen.test(question) ? { subject: 'suspect' } : { subject: 'other' };
}
