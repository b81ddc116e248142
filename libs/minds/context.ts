import { z } from 'zod';

/** The log of one player's model: whole lines, oldest first. Not shared between players. */
export interface Context {
  readonly lines: readonly string[];
  /** The number of older lines that were dropped. */
  readonly dropped: number;
}

export const newContext: Context = { lines: [], dropped: 0 };

/**
 * Estimates the tokens of a text: 3.5 characters each for English prose, one each beyond Latin script. Deterministic, so that what is dropped
 * does not depend on the model.
 */
export function tokensOf(text: string): number {
  let wide = 0;
  for (const sign of text) if (sign.codePointAt(0)! > 0x2ff) wide++;
  return Math.ceil((text.length - wide) / 3.5) + wide;
}

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

/** Serializes a context: a header line, then one line each. */
export const save = ({ lines, dropped }: Context): string =>
  [JSON.stringify({ context: 1, dropped }), ...lines.map((line) => JSON.stringify(line))].map((line) => `${line}\n`).join('');

const heading = z.object({ context: z.literal(1), dropped: z.int().nonnegative() });

/** Parses what `save` wrote. @throws Error naming the invalid line */
export function load(text: string): Context {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.length);
  const read = <T>(line: string, shape: z.ZodType<T>, at: number): T => {
    try {
      return shape.parse(JSON.parse(line));
    } catch (cause) {
      throw new Error(`line ${at} is not part of a saved context: ${line.slice(0, 60)}`, { cause });
    }
  };
  const { dropped } = read(first, heading, 1);
  return { lines: rest.map((line, i) => read(line, z.string(), i + 2)), dropped };
}
