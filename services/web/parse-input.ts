import { z } from 'zod';
import type { ViewName } from './auth/authorize.ts';
import { type Mistake, Problem } from './problem.ts';

/**
 * Reads a body or a query.
 * @throws Problem unreadable, with every mistake in it
 */
export function parseInput<T extends z.ZodType>(schema: T, given: unknown, what: 'body' | 'query'): z.output<T> {
  if (what === 'body' && given === undefined)
    throw new Problem('unreadable', 'the body is missing: send a JSON object', { errors: [{ field: 'body', says: 'missing' }] });
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(mistakesOf);
  throw new Problem('unreadable', `${what}: ${errors.map(({ field, says }) => `${field}: ${says}`).join('; ')}`.slice(0, 2000), { errors });
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: [...issue.path, key].join('.').slice(0, 100), says: 'there is no such field' }));
  return [{ field: issue.path.join('.') || 'body', says: issue.message }];
}

/** A whole number as a query gives it. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number')
  .transform(Number);

/** Which view a query asks for. */
export const viewName = z.custom<ViewName>(
  (given) => typeof given === 'string' && /^(seat|seat:\d{1,2}|audience|narrator)$/.test(given),
  'seat, seat:3, audience or narrator',
);
