import { z } from 'zod';
import { fieldErrors } from '@maw/http/problem.ts';
import type { ViewName } from './auth/authorize.ts';
import { Problem } from './problem.ts';

/** Parses a body or a query. @throws Problem unreadable with every mistake */
export function parseInput<T extends z.ZodType>(schema: T, given: unknown, what: 'body' | 'query'): z.output<T> {
  if (what === 'body' && given === undefined)
    throw new Problem('unreadable', 'the body is missing: send a JSON object', { errors: [{ field: 'body', says: 'missing' }] });
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  throw new Problem('unreadable', `${what}: ${errors.map(({ field, says }) => `${field}: ${says}`).join('; ')}`.slice(0, 2000), { errors });
}

/** An integer in a query. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number')
  .transform(Number);

/** The view that a query asks for. */
export const viewName = z.custom<ViewName>(
  (given) => typeof given === 'string' && /^(seat|seat:\d{1,2}|audience|narrator)$/.test(given),
  'seat, seat:3, audience or narrator',
);
