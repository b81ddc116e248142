import { z } from 'zod';
import { afterwards, insight, seatPlan, word } from './schemas.ts';

/** The terms of a table. */
export const tableOpening = z.object({
  rules: z.string().min(1).max(60),
  seats: z.array(seatPlan).min(1).max(100),
  rounds: z.int().min(1).max(1000).default(1),
  options: z.record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
  seed: word.optional(),
  lobbyMs: z.int().min(0).max(86_400_000).default(600_000),
  pauseMs: z.int().min(0).max(86_400_000).default(5_000),
  spectators: z.enum(['audience', 'narrator']).default('audience'),
  afterwards: afterwards.default('seats'),
  insight: insight.default('after'),
});
