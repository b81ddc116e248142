import type { PairingResult } from '@maw/lab/contests/result.ts';
import { z } from 'zod';

// What the HTTP API answers about contests, as far as the command line reads it.

export const contestSummary = z.object({
  contest: z.string(),
  name: z.string(),
  state: z.string(),
  why: z.string().optional(),
  play: z.string(),
  pairings: z.int(),
  finished: z.int(),
});
export type ContestSummary = z.output<typeof contestSummary>;

export const openedContest = z.object({ contest: z.string(), state: z.string() });
export const contestList = z.object({ contests: z.array(contestSummary) });
export const contestView = z.object({
  summary: contestSummary,
  contest: z.looseObject({}),
  games: z.int(),
  void: z.int(),
  ranking: z.array(
    z.object({
      agent: z.string(),
      games: z.int(),
      wins: z.int(),
      share: z.number(),
      skill: z.object({ mu: z.number(), sigma: z.number() }).optional(),
    }),
  ),
  faults: z.array(z.object({ agent: z.string(), kind: z.string(), times: z.int() })),
  cost: z.number().optional(),
  leftMs: z.number().optional(),
});
export type ContestView = z.output<typeof contestView>;

/** Results are as the contest service wrote them. */
export const contestResults = z.object({ results: z.array(z.custom<PairingResult>()), more: z.boolean() });
