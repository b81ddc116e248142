import { createHash } from 'node:crypto';
import { z } from 'zod';

const seat = z.int().min(0);
/** One thing to judge: what a judge is shown, and what only the key tells. */
export const itemShape = z.strictObject({
  item: z.string(),
  question: z.string(),
  /** What a judge is shown. Players are numbered anew in each game. */
  shown: z.strictObject({
    asks: z.string(),
    before: z.array(z.string()),
    speaker: z.string(),
    words: z.string(),
    toward: z.string().optional(),
    labels: z.array(z.string()),
  }),
  table: z.string(),
  round: z.int().min(1),
  /** The day or quest. */
  day: z.int().min(1),
  seat,
  role: z.string(),
  side: z.string(),
  toward: seat.optional(),
  towardRole: z.string().optional(),
  /** Whether the seat was on the team that was named next. */
  isOnTeam: z.boolean().optional(),
});
export type Item = z.output<typeof itemShape>;

/** A fingerprint of what was shown: judgements of something else are not taken for judgements of it. */
export const digestOf = ({ shown }: Item): string => createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
