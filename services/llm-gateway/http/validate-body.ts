import type { z } from 'zod';
import { HttpProblem } from './http-problem.ts';

/** The longest text, in characters: that of `llm.complete`. */
export const MOST_TEXT = 400_000;
const MOST_MISTAKES = 8;

/** Reads a body. @throws HttpProblem unreadable that names the first mistakes and their places */
export function readAs<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  const wrong = read.error.issues.slice(0, MOST_MISTAKES).map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new HttpProblem('unreadable', wrong.join('; '));
}

type Why = string | ((value: unknown) => string | undefined);

/** @throws HttpProblem unreadable when a body asks for what cannot be had here; what is empty, false or null asks for nothing */
export function notTaken(fields: { readonly [field: string]: Why }, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [field, why] of Object.entries(fields)) {
    const value = (body as { readonly [field: string]: unknown })[field];
    if (value == null || value === false || (Array.isArray(value) && value.length === 0)) continue;
    const said = typeof why === 'string' ? why : why(value);
    if (said !== undefined) throw new HttpProblem('unreadable', `${field}: ${said}`);
  }
}
