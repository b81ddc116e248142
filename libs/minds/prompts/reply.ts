import { stepOf } from '@maw/games/kernel/question.ts';
import { z } from 'zod';
import { schemaOf } from './json-schema.ts';
import type { Asking, Moment } from '../mind.ts';
import { sanitize } from '../sanitize.ts';

/** One kind of reply: its word, and the question it answers; `listen` answers none. */
export interface Way {
  readonly do: string;
  readonly asking: Asking | undefined;
}

/** The form of a reply. */
export interface ReplyForm {
  /** The longest reason, in characters; absent: no reason. */
  readonly reasonChars?: number | undefined;
}

type Asked = Pick<Moment, 'questions' | 'standing' | 'mustChoose'>;

/**
 * The ways to answer now. A changeable choice is a `vote`, another is named by its step (`inspect`); talk is `speak`, a private line `whisper`.
 * A choice that must be made excludes all other ways. Questions with too few options are left out.
 */
export function waysOf({ questions, standing, mustChoose }: Asked): readonly Way[] {
  const open = questions.filter(({ verb, options, pick }) => verb === 'say' || options.length >= (verb === 'tell' ? 1 : pick));
  const owed = open.filter(({ verb, id }) => verb === 'choose' && !standing[id]);
  const asked = mustChoose && owed.length ? owed : open;
  const ways: Way[] = [];
  for (const asking of asked) {
    const word = wordOf(asking);
    const name = ways.some((way) => way.do === word) ? `${word}-${stepOf(asking.id)}` : word;
    ways.push({ do: name, asking });
  }
  if (!(mustChoose && owed.length) && asked.some(({ final }) => !final)) ways.push({ do: 'listen', asking: undefined });
  return ways;
}

const wordOf = ({ verb, final, id }: Asking): string => {
  switch (verb) {
    case 'say':
      return 'speak';
    case 'tell':
      return 'whisper';
    case 'choose':
      return final ? stepOf(id) : 'vote';
  }
};

/**
 * The words for the options of a question, in their order: players by name. A player whose name is another option's word (`pass`) gets the
 * seat added.
 */
export function wordsFor({ options }: Asking): readonly string[] {
  const words = options.map(({ named }) => sanitize(named));
  const count = (word: string): number => words.filter((other) => other.toLowerCase() === word.toLowerCase()).length;
  return words.map((word, i) => {
    const seat = /^seat:(\d+)$/.exec(options[i]!.is)?.[1];
    return seat !== undefined && count(word) > 1 ? `${word} (seat ${seat})` : word;
  });
}

function shapeOf({ do: word, asking }: Way): z.ZodObject {
  const one = z.literal(word);
  if (!asking) return z.object({ do: one });
  const { verb, options, pick, maxChars } = asking;
  const name = z.enum(wordsFor(asking) as [string, ...string[]]);
  const text = z
    .string()
    .min(1)
    .meta({ maxLength: maxChars, ...(verb === 'say' && hasLanguage(asking) ? { examples: options.map(({ is }) => is) } : {}) });
  switch (verb) {
    case 'say':
      return z.object({ do: one, text });
    case 'tell':
      return z.object({ do: one, to: name, text });
    case 'choose':
      return pick === 1
        ? z.object({ do: one, target: name })
        : z.object({
            do: one,
            targets: z.array(name).length(pick).meta({ uniqueItems: true }),
          });
  }
}

/** The JSON schema of a reply: `anyOf` the ways, told apart by `do`. The reason comes first, so that the model reasons before it acts. */
export function jsonSchemaOf(ways: readonly Way[], { reasonChars }: ReplyForm = {}): { readonly [keyword: string]: unknown } {
  const schemas = ways.map((way) => {
    const reason = reasonChars === undefined ? {} : { reason: z.string().meta({ maxLength: reasonChars }) };
    return schemaOf(z.object({ ...reason, ...shapeOf(way).shape }));
  });
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

/** Whether only sentences of a language can be said: `VOTE Agent[01]`. Single words only have a meaning of their own. */
export const hasLanguage = ({ options }: Asking): boolean => options.some(({ is }) => is.includes(' '));
