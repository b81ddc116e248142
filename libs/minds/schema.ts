import { stepOf } from '@maw/games/question.ts';
import { z } from 'zod';
import type { Asking, Moment, Said } from './mind.ts';
import { plain, printable } from './quote.ts';

/** One thing a reply may do: the word for it, and the question it answers; `listen` answers none. */
export interface Way {
  readonly do: string;
  readonly asking: Asking | undefined;
}

type Asked = Pick<Moment, 'questions' | 'standing' | 'isPressed'>;

/**
 * The ways to answer now. A changeable choice is a `vote`, any other goes by its step (`inspect`); talk is `speak`, a private line `whisper`.
 * A choice that is pressed for leaves no other way.
 */
export function waysOf({ questions, standing, isPressed }: Asked): readonly Way[] {
  const open = questions.filter(({ verb, options }) => verb === 'say' || options.length > 0);
  const owed = open.filter(({ verb, id }) => verb === 'choose' && !standing[id]);
  const asked = isPressed && owed.length ? owed : open;
  const ways: Way[] = [];
  for (const asking of asked) {
    const word = wordOf(asking);
    const name = ways.some((way) => way.do === word) ? `${word}-${stepOf(asking.id)}` : word;
    ways.push({ do: name, asking });
  }
  if (!(isPressed && owed.length) && asked.some(({ final }) => !final)) ways.push({ do: 'listen', asking: undefined });
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

function shapeOf({ do: word, asking }: Way): z.ZodObject {
  const one = z.literal(word);
  if (!asking) return z.object({ do: one });
  const { verb, options, pick, maxChars } = asking;
  const name = z.enum(options.map(({ named }) => plain(named)) as [string, ...string[]]);
  const text = z
    .string()
    .min(1)
    .refine((said) => [...said].length <= maxChars, `a speech has at most ${maxChars} characters`)
    .meta({ maxLength: maxChars });
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
            targets: z
              .array(name)
              .length(pick)
              .refine((all) => new Set(all).size === all.length, 'each name once')
              .meta({ uniqueItems: true }),
          });
  }
}

/** The JSON schema of a reply: `anyOf` the ways, told apart by `do`. */
export function jsonSchemaOf(ways: readonly Way[]): { readonly [keyword: string]: unknown } {
  const schemas = ways.map((way) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shapeOf(way));
    return schema;
  });
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

/** What a reply says, or in words for its writer what is wrong with it. */
export type Reading = { readonly answers: readonly Said[] } | { readonly wrong: string };

/** Reads a model's reply. Nothing in it is trusted: whatever comes back is one of the options, or a printable text that is short enough. */
export function readReply(content: string, ways: readonly Way[]): Reading {
  const raw = parsed(content);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { wrong: 'It was not one JSON object.' };
  const words = ways.map((way) => way.do);
  const way = ways.find((one) => one.do === (raw as { do?: unknown }).do);
  if (!way) return { wrong: `"do" must be one of ${words.join(', ')}.` };
  const { asking } = way;
  const result = shapeOf(way).safeParse(asking ? tidied(raw, asking) : raw);
  if (!result.success)
    return { wrong: result.error.issues.map(({ path, message }) => `${path.length ? `"${path.join('.')}": ` : ''}${message}.`).join(' ') };
  if (!asking) return { answers: [] };
  const { text, to, target, targets } = result.data as { text?: string; to?: string; target?: string; targets?: readonly string[] };
  const option = (name: string): string => asking.options.find(({ named }) => plain(named) === name)!.is;
  const names = targets ?? (target === undefined ? [] : [target]);
  switch (asking.verb) {
    case 'say':
      return { answers: [{ question: asking.id, says: [text!] }] };
    case 'tell':
      return { answers: [{ question: asking.id, says: [option(to!), text!] }] };
    case 'choose':
      return { answers: [{ question: asking.id, says: names.map(option) }] };
  }
}

/** The object in a reply; models like to wrap it in a fence or a sentence. */
function parsed(content: string): unknown {
  for (const text of [content, content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(text);
    } catch {
      // the next way to read it
    }
  }
  return undefined;
}

/** Names as they are written, whatever the case; speech without line breaks. */
function tidied(raw: object, { options }: Asking): object {
  const name = (value: unknown): unknown =>
    typeof value === 'string'
      ? (options.map(({ named }) => plain(named)).find((named) => named.toLowerCase() === value.trim().toLowerCase()) ?? value)
      : value;
  const { text, to, target, targets } = raw as { [field: string]: unknown };
  return {
    ...raw,
    ...(typeof text === 'string' ? { text: printable(text) } : {}),
    ...(to === undefined ? {} : { to: name(to) }),
    ...(target === undefined ? {} : { target: name(target) }),
    ...(Array.isArray(targets) ? { targets: targets.map(name) } : {}),
  };
}
