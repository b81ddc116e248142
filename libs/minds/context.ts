import { firstOf, openYaml } from '@maw/recipes/yaml-file.ts';
import { stringify } from 'yaml';
import { z } from 'zod';

/** The log of one player's model: whole lines, oldest first. Not shared between players. */
export interface Context {
  readonly lines: readonly string[];
  /** The number of older lines that were dropped. */
  readonly dropped: number;
}

export const newContext: Context = { lines: [], dropped: 0 };

/**
 * Estimates the tokens of a text: 3.5 characters each for English prose, one each beyond Latin script. The player scales limits by what a model
 * really counts.
 */
export function tokensOf(text: string): number {
  let wide = 0;
  for (const sign of text) if (sign.codePointAt(0)! > 0x2ff) wide++;
  return Math.ceil((text.length - wide) / 3.5) + wide;
}

/** The room for a reply: a small context leaves it a quarter, where the longest reply would take most of it. */
export const replyRoom = (contextTokens: number, longest: number): number => Math.min(longest, contextTokens / 4);

/** Tokens that are kept free besides rules and log; in a small context not more than its half. */
export const roomBesides = (contextTokens: number, usual: number): number => Math.min(usual, contextTokens * 0.45);

export const add = (context: Context, lines: readonly string[]): Context =>
  lines.length ? { ...context, lines: [...context.lines, ...lines] } : context;

/**
 * Drops the oldest lines of a context above `tokens`, down to three quarters, so that the beginning of the prompt, which model servers cache,
 * does not change with every line.
 */
export function truncate(context: Context, tokens: number): Context {
  const sizes = context.lines.map((line) => tokensOf(line) + 1);
  let size = sizes.reduce((a, b) => a + b, 0);
  if (size <= tokens) return context;
  const wanted = Math.max(0, tokens * 0.75);
  let drop = 0;
  while (size > wanted && drop < sizes.length) size -= sizes[drop++]!;
  return { lines: context.lines.slice(drop), dropped: context.dropped + drop };
}

const savedShape = z.looseObject({
  context: z.literal(1),
  table: z.string(),
  seat: z.int().nonnegative(),
  mind: z.looseObject({ context: z.object({ lines: z.array(z.string()), dropped: z.int().nonnegative() }) }),
});

/** What a seat has in mind, with its table and seat. JSON. */
export type SavedContext = z.output<typeof savedShape>;

/** Writes what a seat has in mind as YAML, for people. @param about a line for its top */
export const save = (context: object, about: string): string => `# ${about}\n${stringify(context, { lineWidth: 120 })}`;

/** Parses what `save` wrote. @param file its path, for messages @throws Error naming the line, or what is missing */
export function load(text: string, file: string): SavedContext {
  const { value } = openYaml(file, text);
  if (!z.looseObject({ context: z.literal(1) }).safeParse(value).success)
    throw new Error(`${file}: it is not a file that \`maw context save\` wrote`);
  const { success, data, error } = savedShape.safeParse(value);
  if (success) return data;
  const mistakes = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`${file}: it is not a saved context: ${firstOf(mistakes).join('; ')}`);
}
