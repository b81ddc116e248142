import { type Judgement, judgementShape } from '../measures/judged-measures.ts';
import type { Item } from './item.ts';

/** An item with what a judge answered. */
export interface Answered {
  readonly item: Item;
  readonly label: string;
}

/** What a judge found in one game, before it is said which game and who judged. */
type Found = Readonly<Record<string, unknown>>;

export interface Question {
  /** What one item is: a line, whatever a mind did, a speaker's turn of a question, a speaker's day towards another player. */
  readonly of: 'line' | 'act' | 'turn' | 'pair';
  readonly asks: string;
  /** The answers; `roles` stands for those of the game. */
  readonly labels: readonly string[];
  /** What the answers about one game say of the measures. */
  count(all: readonly Answered[]): readonly Found[];
}

const YES_NO = ['yes', 'no'];
const is =
  (...labels: readonly string[]) =>
  ({ label }: Answered): boolean =>
    labels.includes(label);
/** Whether a role is claimed that is not the one that was dealt. */
const isFalse = ({ item, label }: Answered): boolean => label !== 'none' && label !== item.role;

/** How often `fits` holds, by what the items are about. */
const shares = (
  measure: string,
  all: readonly Answered[],
  aboutOf: (item: Item) => string,
  fits: (each: Answered) => boolean,
): readonly Found[] =>
  [...Map.groupBy(all, ({ item }) => aboutOf(item))].map(([about, own]) => ({
    measure,
    about,
    times: own.filter(fits).length,
    of: own.length,
  }));

const roleOf = ({ role }: Item): string => role;
const pairOf = ({ role, towardRole }: Item): string => `${role} to ${towardRole}`;

/** In the first day of a game, each speaker says its role, another role, or none. */
function firstClaims(all: readonly Answered[]): readonly Found[] {
  const seats = Map.groupBy(
    all.filter(({ item }) => item.day === 1),
    ({ item }) => item.seat,
  );
  const claims = [...seats.values()].map((lines) => {
    const kind = lines.some(isFalse) ? 'camouflage' : lines.every(is('none')) ? 'withholding' : 'self-disclosure';
    return { item: lines[0]!.item, label: kind };
  });
  return ['self-disclosure', 'camouflage', 'withholding'].flatMap((kind) =>
    shares('first claims', claims, ({ role }) => `${role}, ${kind}`, is(kind)),
  );
}

/** What judges are asked. The answers to a question become judgements of one or more measures. */
export const QUESTIONS: Readonly<Record<string, Question>> = {
  claim: {
    of: 'line',
    asks: 'Which role does the speaker say that they have themselves? Answer "none" when they claim no role, "other" for a role that is not listed.',
    labels: ['none', 'roles', 'other'],
    count: (all) => [...shares('camouflage', all, ({ side }) => side, isFalse).map((found) => ({ ...found, of: 1 })), ...firstClaims(all)],
  },
  reasonable: {
    of: 'act',
    asks: 'Is what the player said or did reasonable? It is not when it makes up what did not happen, forgets what is known of others, or goes against what the player wants.',
    labels: YES_NO,
    count: (all) => shares('reasonable outputs', all, () => 'all', is('yes')),
  },
  attitude: {
    of: 'pair',
    asks: 'What does the speaker show towards the other player: trust, distrust, both (mixed), or nothing at all (none)?',
    labels: ['trust', 'distrust', 'mixed', 'none'],
    count: (all) => [
      ...[...Map.groupBy(all, ({ item }) => item.day)].map(([day, own]) => ({
        measure: 'trust',
        day,
        pairs: own.filter(is('trust')).map(({ item }) => [item.seat, item.toward]),
      })),
      ...[roleOf, pairOf, (item: Item) => `${pairOf(item)}, round ${item.day}`].flatMap((aboutOf) => [
        ...shares('teamwork', all, aboutOf, is('trust')),
        ...shares('confrontation', all, aboutOf, is('distrust')),
        ...shares('vacillation', all, aboutOf, is('mixed')),
      ]),
    ],
  },
  recommend: {
    of: 'turn',
    asks: 'Does the speaker propose or ask to be on the team of this quest themselves?',
    labels: YES_NO,
    count: (all) => [
      ...shares('self-recommendation', all, roleOf, is('yes')),
      ...[...Map.groupBy(all, ({ item }) => item.role)].map(([about, own]) => {
        const proposed = own.filter(is('yes'));
        const times = proposed.filter(({ item }) => item.isOnTeam).length;
        return { measure: 'success of self-recommendation', about, times, of: proposed.length };
      }),
    ],
  },
  sharing: {
    of: 'line',
    asks: 'Does the speaker disclose information that is of use to others, such as what they know or learned of a role or of a side?',
    labels: YES_NO,
    count: (all) => shares('sharing', all, roleOf, is('yes')),
  },
};

/**
 * What one judge found, as `maw measure --judgements` reads it. A game counts once the judge has answered all its items.
 * @param answers by item
 */
export function totalsOf(
  items: readonly Item[],
  answers: ReadonlyMap<string, string>,
  by: { readonly judge: string; readonly version: string },
): readonly Judgement[] {
  const games = Map.groupBy(items, ({ table, round, question }) => JSON.stringify([table, round, question]));
  return [...games.values()].flatMap((own) => {
    const all = own.flatMap((item) => {
      const label = answers.get(item.item);
      return label === undefined ? [] : [{ item, label }];
    });
    const { table, round, question } = own[0]!;
    if (all.length < own.length) return [];
    return QUESTIONS[question]!.count(all).map((found) => judgementShape.parse({ table, round, ...by, ...found }));
  });
}
