import type { z } from 'zod';
import { HttpProblem } from './http-problem.ts';

/** Characters of a text: as in `llm.complete`. */
export const MAX_TEXT = 400_000;
const MAX_MISTAKES = 8;

/** @throws HttpProblem unreadable that names the first mistakes with their places */
export function validateBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.slice(0, MAX_MISTAKES).map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new HttpProblem('unreadable', mistakes.join('; '));
}

/** Why a field is not supported; a function may support some of its values. */
type Reason = string | ((value: unknown) => string | undefined);

/** @throws HttpProblem unreadable when a body asks for what is not supported; empty, false and null values ask for nothing */
export function rejectUnsupported(fields: { readonly [field: string]: Reason }, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [field, reason] of Object.entries(fields)) {
    const value = (body as { readonly [field: string]: unknown })[field];
    if (value == null || value === false || (Array.isArray(value) && value.length === 0)) continue;
    const why = typeof reason === 'string' ? reason : reason(value);
    if (why !== undefined) throw new HttpProblem('unreadable', `${field}: ${why}`);
  }
}
