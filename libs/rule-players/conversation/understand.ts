import { type Line, read } from '@maw/games/english/reader.ts';
import { roleTitle } from '@maw/games/english/understood.ts';
import type { Act } from '@maw/games/english/sentence.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { memoize } from '../shared/memoize.ts';
import { banter, smallTalk } from './small-talk.ts';
import { type Book, sentencesOf } from './voice.ts';

/** A speech, who makes it to whom, and the two lines before it. */
export interface Heard {
  readonly speech: string;
  readonly by: Seat;
  readonly names: readonly string[];
  readonly before?: readonly Line[];
  /** The roles of the table. Absent: those of the game. */
  readonly roles?: readonly string[];
}

/** A speech as it is heard without its speaker and what was said before. */
export const alone = (speech: string, names: readonly string[]): Heard => ({ speech, by: -1, names });

/** What of a speech is for or against whom. */
export const seatsOf = (acts: readonly Act[], kinds: readonly Act['act'][]): readonly Seat[] =>
  [...new Set(acts.flatMap((one) => ('about' in one && typeof one.about === 'number' && kinds.includes(one.act) ? [one.about] : [])))].sort(
    (a, b) => a - b,
  );

/** Claimed results on who is a werewolf and who is not, by seat; the last one counts. */
export const sidesOf = (acts: readonly Act[]): readonly { readonly about: Seat; readonly isWolf: boolean }[] =>
  seatsOf(acts, ['claims-result']).flatMap((about) => {
    const said = acts.flatMap((one) =>
      one.act === 'claims-result' && one.about === about && /werewolf$/.test(one.result) ? [one.result] : [],
    );
    return said.length ? [{ about, isWolf: said.at(-1) === 'werewolf' }] : [];
  });

/** Who is spoken against, also by a result. */
export const accusedBy = (acts: readonly Act[]): readonly Seat[] => {
  const found = sidesOf(acts).flatMap(({ about, isWolf }) => (isWolf ? [about] : []));
  return [...new Set([...seatsOf(acts, ['accuses', 'calls-vote', 'own-vote']), ...found])].sort((a, b) => a - b);
};

/**
 * Understands speeches at tables of one game: once for all who hear them. What a seat says by the book for conversation's sake is no evidence.
 * @param idle occasions of the book that mean nothing, besides small talk
 */
export function listener(book: Book, roles: readonly string[], idle: readonly string[] = []): (heard: Heard) => readonly Act[] {
  const templates = templatesOf(book, roles, idle);
  const patternFor = memoize((words: readonly string[]) => new RegExp(words.filter(Boolean).map(namePattern).join('|'), 'giu'));
  /** A speech by itself is read once, and once more after each two lines before it that matter to it. */
  const reading = memoize(({ speech, by, names, before = [], roles: words = roles }: Heard) => {
    let isAlone = true;
    const earlier = (): readonly Line[] => {
      isAlone = false;
      return before;
    };
    const blanked = (text: string): string => text.replace(patternFor([...names, ...words.map(roleTitle)]), '_').toLowerCase();
    const sentences = speech.split(/(?<=[.!?]) /);
    const kept: string[] = [];
    for (let at = 0; at < sentences.length;) {
      const long = [3, 2, 1].find((count) => templates.has(blanked(sentences.slice(at, at + count).join(' '))));
      if (!long) kept.push(sentences[at]!);
      at += long ?? 1;
    }
    return { acts: read(kept.join(' '), by, { names, roles: words }, earlier), isAlone };
  });
  return ({ before, ...heard }) => {
    const { acts, isAlone } = reading(heard);
    return isAlone || !before ? acts : reading({ ...heard, before }).acts;
  };
}

/** Sentences in small letters with `_` for players and roles; replies also with each reason. */
function templatesOf(book: Book, roles: readonly string[], idle: readonly string[]): ReadonlySet<string> {
  const isRole = new RegExp(roles.map(namePattern).join('|'), 'giu');
  const blanked = (sentence: string): string =>
    sentence
      .replaceAll(/\{\w+\}/g, '_')
      .replace(isRole, '_')
      .toLowerCase();
  const clauses = Object.entries(book).flatMap(([occasion, sentences]) => (occasion.startsWith('clause') ? sentencesOf(sentences) : []));
  const reasons = clauses.flatMap((clause) => [clause, clause.replace('{who}', 'you')]);
  const occasions = Object.entries(book).filter(([occasion]) => Object.hasOwn(smallTalk, occasion) || idle.includes(occasion));
  const all = [...occasions, ...Object.entries(banter)].flatMap(([, sentences]) => sentencesOf(sentences));
  return new Set(
    all.flatMap((one) => (one.includes('{reason}') ? reasons.map((reason) => one.replace('{reason}', reason)) : [one])).map(blanked),
  );
}
