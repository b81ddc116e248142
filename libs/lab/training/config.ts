import { z } from 'zod';

/** How a policy is trained. */
export const TrainingConfig = z.strictObject({
  /** `q-learning`: double DQN with conservative Q-learning. `cloning`: the likelihood of the recorded tactics. */
  method: z.enum(['q-learning', 'cloning']).default('q-learning'),
  encoder: z.string().default('hashed-ngrams-1:256:0'),
  hidden: z.array(z.int().min(1).max(4096)).max(4).default([32, 32]),
  seed: z.string().default('1'),
  steps: z.int().min(1).max(10_000_000).default(3_000),
  batch: z.int().min(1).max(4096).default(32),
  learningRate: z.number().positive().max(1).default(1e-3),
  /** The discount of a reward by one choice. */
  gamma: z.number().min(0).max(1).default(0.99),
  /** The weight of the conservative term (equation 14); 0 is double DQN. */
  rho: z.number().min(0).default(0.3),
  critics: z.int().min(1).max(8).default(2),
  /** How many quantiles of the return a critic learns; 1: its mean. */
  quantiles: z.int().min(1).max(256).default(1),
  /** After how many steps the target critics become copies of the critics. */
  targetInterval: z.int().min(1).default(200),
  /** After how many steps each time the policy is evaluated on the held-out deals; absent: at the end only. */
  evaluateEvery: z.int().min(1).optional(),
});
export type TrainingConfig = z.infer<typeof TrainingConfig>;
export type TrainingOptions = z.input<typeof TrainingConfig>;

/** Parameters by name. `paper`: table 3 of document 004, with the quantiles of its program. */
export const PRESETS = {
  usual: {},
  paper: {
    encoder: 'hashed-ngrams-1:1536:0',
    hidden: [256, 256],
    steps: 500_000,
    batch: 32,
    learningRate: 5e-5,
    gamma: 0.99,
    rho: 4,
    critics: 2,
    quantiles: 32,
    targetInterval: 1_000,
  },
} as const satisfies { readonly [name: string]: unknown };
