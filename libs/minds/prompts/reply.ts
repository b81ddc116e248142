import { catalogue } from '@maw/games/catalogue.ts';
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

type Speaker = Pick<Moment, 'rules' | 'players' | 'seat'>;
type Asked = Pick<Moment, 'questions' | 'standing' | 'mustChoose' | 'mustSpeak'>;

/**
 * The ways to answer now, talk first. A changeable choice is a `vote`, another is named by its step (`inspect`); talk is `speak`, a private line
 * `whisper`.
 * A choice that must be made excludes all other ways. Questions with too few options are left out.
 */
export function waysOf({ questions, standing, mustChoose, mustSpeak }: Asked): readonly Way[] {
  const open = questions
    .filter(({ verb, options, pick }) => verb === 'say' || options.length >= (verb === 'tell' ? 1 : pick))
    .toSorted((a, b) => Number(b.verb === 'say') - Number(a.verb === 'say')); // models like to take what is offered first
  const owed = open.filter(({ verb, id }) => verb === 'choose' && !standing[id]);
  const asked = mustChoose && owed.length ? owed : open;
  const ways: Way[] = [];
  for (const asking of asked) {
    const word = wordOf(asking);
    const name = ways.some((way) => way.do === word) ? `${word}-${stepOf(asking.id)}` : word;
    ways.push({ do: name, asking });
  }
  if (ways.length && !mustSpeak && !(mustChoose && owed.length) && asked.some(({ final }) => !final))
    ways.push({ do: 'listen', asking: undefined });
  return ways;
}

const wordOf = ({ verb, final, id }: Asking): string => {
  switch (verb) {
    case 'say':
      return 'speak';
    case 'tell':
      return 'whisper';
    case 'choose':
      return final || stepOf(id) === 'hunt' ? stepOf(id) : 'vote';
  }
};

/**
 * The field of a choice in a reply. A vote on a team and the card of a quest are named as people would: `{"vote":"approve"}`, `{"card":"fail"}`,
 * without a `do`.
 */
export const choiceField = ({ id, pick }: Asking): 'vote' | 'card' | 'target' | 'targets' =>
  FIELDS[stepOf(id)] ?? (pick === 1 ? 'target' : 'targets');

const FIELDS: { readonly [step: string]: 'vote' | 'card' | undefined } = { approve: 'vote', quest: 'card' };

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

function shapeOf({ do: word, asking }: Way, speaker: Speaker): z.ZodObject {
  const one = z.literal(word);
  if (!asking) return z.object({ do: one });
  const { verb, pick, maxChars } = asking;
  const name = z.enum(wordsFor(asking) as [string, ...string[]]);
  const text = z.string().min(1).meta({ maxLength: maxChars });
  switch (verb) {
    case 'say':
      return z.object({ do: one, text: sayable(asking, speaker) ?? text });
    case 'tell':
      return z.object({ do: one, to: name, text });
    case 'choose': {
      const field = choiceField(asking);
      if (field === 'target') return z.object({ do: one, target: name });
      if (field !== 'targets') return z.object({ [field]: name });
      const targets = z.array(name).length(pick).meta({ uniqueItems: true });
      return z.object({ do: one, targets });
    }
  }
}

/** The sentences of a game's own language: an engine that obeys a schema then cannot say what the game refuses. */
function sayable(asking: Asking, { rules, players, seat }: Speaker): z.ZodEnum | undefined {
  const language = hasLanguage(asking) ? catalogue.find(({ name }) => name === rules.name)?.language : undefined;
  const always = asking.options.map(({ is }) => is);
  return language && z.enum(language.sentences(always, players.length, seat) as string[]);
}

/** The JSON schema of a reply: `anyOf` the ways, told apart by `do`. The reason comes first, so that the model reasons before it acts. */
export function jsonSchemaOf(
  ways: readonly Way[],
  speaker: Speaker,
  { reasonChars }: ReplyForm = {},
): { readonly [keyword: string]: unknown } {
  const schemas = ways.map((way) => {
    const reason = reasonChars === undefined ? {} : { reason: z.string().meta({ maxLength: reasonChars }) };
    return schemaOf(z.object({ ...reason, ...shapeOf(way, speaker).shape }));
  });
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

/** Whether only sentences of a language can be said: `VOTE Agent[01]`. Single words only have a meaning of their own. */
export const hasLanguage = ({ options }: Asking): boolean => options.some(({ is }) => is.includes(' '));
