import { z } from 'zod';

/**
 * What a speaker knows when it chooses a tactic; the same when games are recorded, when a policy is trained and when it is asked. Nothing that its
 * seat may not know is ever in it. Players have labels instead of names, so that a policy does not depend on who sits where: `me`, and `p1`, `p2` ...
 * in the order of seats after one's own.
 */
export const Observation = z.strictObject({
  /** The role it was dealt, in the word of the rule set. */
  role: z.string().min(1),
  /** How often the seat has spoken before in this game, from 0. */
  turn: z.int().min(0),
  /** The lines it has seen and heard, in order, with labels for names: `p2: I was dealt the Seer.` */
  log: z.array(z.string()).readonly(),
  /** Its beliefs: likelihoods by name, such as `p2=werewolf`; in the order of labels from `me`, then of roles. Absent: it has none in numbers. */
  belief: z.record(z.string(), z.number().min(0).max(1)).readonly().optional(),
  /** Its beliefs in prose. */
  thought: z.string().optional(),
});
export type Observation = z.infer<typeof Observation>;

/** The labels of all seats, by seat, for one of them. */
export const labelsFor = (own: number, players: number): readonly string[] =>
  Array.from({ length: players }, (_, seat) => (seat === own ? 'me' : `p${(seat - own + players) % players}`));
