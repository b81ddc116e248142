import { contracts } from '@maw/contracts/contracts.ts';
import { z } from 'zod';

const thoughtCall = z.looseObject({
  messages: z.array(z.object({ role: z.string(), content: z.string() })).default([]),
  /** How many texts were embedded, in a call that has no messages. */
  embed: z.int().optional(),
  /** When it was made; older thoughts do not say. */
  at: z.number().optional(),
  ms: z.number().optional(),
  model: z.string().optional(),
  seed: z.number().optional(),
  temperature: z.number().optional(),
  maxTokens: z.number().optional(),
  format: z.unknown().optional(),
  reply: z
    .looseObject({
      content: z.string(),
      model: z.string(),
      server: z.string().optional(),
      tokens: z.object({ prompt: z.number(), completion: z.number() }),
      times: z.looseObject({ total: z.number() }).optional(),
      repaired: z.boolean().optional(),
      /** Why it ended. */
      reason: z.string().optional(),
      thinking: z.string().optional(),
    })
    .optional(),
  failed: z.string().optional(),
});
const thoughtStep = z.object({
  step: z.int(),
  kind: z.string(),
  name: z.string(),
  at: z.number(),
  content: z.looseObject({
    calls: z.array(thoughtCall).optional(),
    error: z.string().optional(),
    iteration: z.int().optional(),
    ms: z.number().optional(),
    phase: z.string().optional(),
    recipe: z.string().optional(),
  }),
});
const { shape: page } = contracts.replyOf('mind.thoughts');

/** A page of thoughts, their content as minds record it. */
export const thoughtPage = z.object({ ...page, thoughts: z.array(thoughtStep) });
export type ThoughtCall = z.output<typeof thoughtCall>;
export type ThoughtStep = z.output<typeof thoughtStep>;
export type ThoughtPage = z.output<typeof thoughtPage>;
export type ThoughtDecision = ThoughtPage['decisions'][number];
