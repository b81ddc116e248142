import { z } from 'zod';
import { fieldErrors } from '@maw/http/problem.ts';
import type { ViewName } from './auth/watching.ts';
import { Problem } from './problem.ts';

/** Parses a body or a query. @throws Problem unreadable with every mistake */
export function parseInput<T extends z.ZodType>(schema: T, given: unknown, what: 'body' | 'query'): z.output<T> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  if (given === undefined)
    throw new Problem('unreadable', `the ${what} is missing: send a JSON object`, { errors: [{ field: what, says: 'missing' }] });
  const errors = fieldErrors(result.error);
  throw new Problem('unreadable', `${what}: ${errors.map(({ field, says }) => `${field}: ${says}`).join('; ')}`.slice(0, 2000), { errors });
}

/** A number in a query, from `min` to `max`. */
export const wholeNumber = (min = 0, max = 999_999_999_999_999) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** The view that a query asks for. */
export const viewName = z
  .string()
  .regex(/^(seat|seat:\d{1,2}|audience|narrator)$/, 'seat, seat:3, audience or narrator')
  .transform((given) => given as ViewName);

/** How many entries of a list: 1 to 1000. */
export const listLimit = wholeNumber(1, 1000);
