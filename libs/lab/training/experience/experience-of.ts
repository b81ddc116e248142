import { catalogue } from '@maw/games/catalogue.ts';
import { nameOption } from '@maw/games/kernel/narration.ts';
import { namedSeats, stepOf } from '@maw/games/kernel/question.ts';
import { labelOf, labelRawText } from '@maw/minds/experience/label-players.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { branchOf } from '@maw/minds/experience/pool-index.ts';
import { experienceScore } from '@maw/minds/experience/select.ts';

/** A finished round of a table, with what was thought in it. */
export interface FinishedGame {
  readonly rules: string;
  readonly names: readonly string[];
  /** By seat. */
  readonly roles: readonly string[];
  readonly winners: readonly number[];
  /** The day, quest or round of speeches of the end. */
  readonly days: number;
  /** In the order in which they were recorded. */
  readonly thoughts: readonly RecordedThought[];
}

export interface RecordedThought {
  readonly seat: number;
  readonly decision: string;
  readonly content: { readonly [field: string]: unknown };
}

/** An entry of a pool, without its vector. */
export interface ExperienceItem {
  readonly reflection: string;
  readonly response: string;
  readonly score: number;
  readonly branch: string;
  readonly role: string;
}

/** All decisions of a game that were made on a reflection: equation 3 of document 001. Players are letters in order of seat. */
export function experienceOf({ rules, names, roles, winners, days, thoughts }: FinishedGame): readonly ExperienceItem[] {
  const label = (text: string): string => labelRawText(text, names);
  const byThought = Map.groupBy(thoughts, ({ decision, seat, content }) => JSON.stringify([decision, seat, content['iteration']]));
  return [...byThought.values()].flatMap((steps) => {
    const reflection = steps.flatMap(({ content }) => textsOf(content['reflections'])).at(-1);
    const answers = steps.flatMap(({ content }) => answersOf(content['answers'])).slice(-1);
    const { seat } = steps[0]!;
    return answers.flatMap(({ question, says }) => {
      if (reflection === undefined) return [];
      const item = {
        reflection: label(reflection),
        response: responseText(question, says, label),
        score: experienceScore(winners.includes(seat), days),
        branch: branchOf({ rules: { name: rules, text: '' }, mustChoose: false, questions: [askedOf(question, says, rules)] }),
        role: roles[seat] ?? '',
      };
      return [item];
    });
  });
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

interface GivenAnswer {
  readonly question: string;
  readonly says: readonly string[];
}

const answersOf = (value: unknown): readonly GivenAnswer[] =>
  Array.isArray(value) ? value.filter((each: Partial<GivenAnswer>) => typeof each.question === 'string' && Array.isArray(each.says)) : [];

const isOption = (said: string): boolean => namedSeats(said).length > 0;

/** `vote Player B`, or what was said. */
const responseText = (question: string, says: readonly string[], label: (text: string) => string): string =>
  stepOf(question) === 'talk' || says.some((said) => said.includes(' '))
    ? label(says.filter((said) => !isOption(said)).join(' '))
    : `${stepOf(question)} ${says.map((said) => (isOption(said) ? nameOption(said, labelOf) : label(said))).join(', ')}`;

/** A question of that kind. A choice was secret unless it was a vote, or the rule set says what it is. */
function askedOf(id: string, says: readonly string[], rules: string): Asking {
  const step = stepOf(id);
  const isTalk = step === 'talk' || step === 'last-words' || step === 'whisper';
  const isDeclared = catalogue.find(({ name }) => name === rules)?.decisions?.[step] !== undefined;
  const secret = !isTalk && !isDeclared && !['vote', 'approve'].includes(step) ? { secret: true as const } : {};
  return { id, verb: isTalk ? 'say' : 'choose', options: [], pick: says.length, until: 0, final: true, maxChars: 0, ...secret };
}
