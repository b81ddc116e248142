import { z } from 'zod';
import { Observation } from './observation.ts';

/**
 * A choice of a discussion tactic, in the field `choice` of the thought of a step of kind `plan` (its `content`). A seat that thinks several times
 * before it speaks chooses several times with the same `observation.turn`: only the last choice before its speech was carried out.
 */
export const TacticThought = z.strictObject({
  tactic: z.string().min(1),
  /** Who chose: a policy, a model or the dice. */
  by: z.enum(['rl', 'llm', 'random']),
  /** The probability with which this behaviour chose it; absent where nobody knows it, as of a model. */
  probability: z.number().positive().max(1).optional(),
  /** `NAME@VERSION` of the policy that chose. */
  policy: z.string().optional(),
  observation: Observation,
});
export type TacticThought = z.infer<typeof TacticThought>;

/** The choice in the content of a thought; undefined: it holds none. @throws Error naming the field that is wrong */
export function tacticThoughtOf(content: { readonly [field: string]: unknown }): TacticThought | undefined {
  if (content['choice'] === undefined) return undefined;
  const read = TacticThought.safeParse(content['choice']);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`choice${issue!.path.map((part) => `.${String(part)}`).join('')}: ${issue!.message}`);
}
