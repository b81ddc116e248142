import { ApiProblem } from '@maw/api-client/problem.ts';

/** Anything that was thrown, as a problem: a refusal of the rules keeps its reason, and anything else is a mistake of the page, which stays one. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof Error && 'reason' in error) return new ApiProblem(400, String(error.reason), error.message);
  return new ApiProblem(400, 'page-failed', String(error));
}
