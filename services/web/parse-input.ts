import type { z } from 'zod';
import { fieldErrors } from '@maw/http/problem.ts';
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
