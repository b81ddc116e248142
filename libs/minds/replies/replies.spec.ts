import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeField, fieldLines } from '@maw/tests/equipment/source/field-input.ts';
import { asking } from '../fixtures.suite.ts';
import { waysOf } from '../prompts/reply.ts';
import { readForm } from './read-form.ts';
import { readReply } from './read-reply.ts';

/** One question and one reply of a model, with what is to be played; null: nothing. */
interface Case {
  readonly case: string;
  readonly question: 'vote' | 'target-only' | 'pass-or-target' | 'yes-no' | 'team' | 'bid' | 'speak';
  readonly reply: string;
  readonly options: readonly (string | number)[];
  readonly chosen: string | number | readonly string[] | null;
  readonly pick?: number;
  readonly self?: string;
  readonly maxChars?: number;
  readonly players?: readonly string[];
  /** The word of the question, where it is not the usual one. */
  readonly step?: string;
}

const STEPS = {
  'vote': 'vote',
  'target-only': 'inspect',
  'pass-or-target': 'protect',
  'yes-no': 'approve',
  'team': 'team',
  'speak': 'talk',
};
const bid = z.object({ reasoning: z.string().max(400), bid: z.enum(['0', '1', '2', '3', '4']) });

/** What is played of a reply: the choice, the text, or null. */
function played({ question, reply, options, step, pick = 1, self = 'Lena', maxChars = 500, players = [] }: Case): unknown {
  if (question === 'bid') {
    const { value } = readForm(reply, bid, z.toJSONSchema(bid));
    return value ? Number(value.bid) : null;
  }
  const named = options.map((option) => ({ is: String(option), named: String(option) }));
  const verb = question === 'speak' ? 'say' : 'choose';
  const ways = waysOf({ questions: [asking(`night-1/${step ?? STEPS[question]}`, verb, named, { pick, maxChars, final: question !== 'vote' })], standing: {}, mustChoose: true }); // prettier-ignore
  const reading = readReply(reply, ways, { name: self, players: players.map((name, seat) => ({ name, seat, alive: true })) });
  const says = 'answers' in reading ? reading.answers[0]?.says : undefined;
  if (!says) return null;
  return question === 'team' ? says.toSorted((a, b) => options.indexOf(a) - options.indexOf(b)) : says[0]!;
}

const own = readFileSync(new URL('replies.jsonl', import.meta.url), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case); // prettier-ignore

describe('a reply of a model', () => {
  it.each(own.map((each) => [each.case, each.question, each] as const))(
    'is played as it is meant, or not at all: %s, %s',
    (_, __, each) => {
      expect(played(each)).toEqual(each.chosen);
    },
  );
});

describeField('replies.jsonl')('a reply of replies.jsonl, which is not part of this repository', () => {
  it.each((fieldLines('replies.jsonl') as readonly Case[]).map((each) => [each.case, each.question, each] as const))(
    'is played as it is meant, or not at all: %s, %s',
    (_, __, each) => {
      expect(played(each)).toEqual(each.chosen);
    },
  );
});
