import { asking, seen, tableSummary } from '@maw/contracts/messages/schemas.ts';
import { z } from 'zod';

// What the HTTP API of the web service answers, as far as the command line reads it.

export const problem = z.object({
  reason: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), says: z.string() })).optional(),
});
export const openedTable = z.object({ table: z.string(), seats: z.array(z.object({ seat: z.int(), kind: z.string() })) });
export const pausedTable = z.object({ until: z.int() });
export const joinedSeat = z.object({ seat: z.int(), name: z.string(), token: z.string() });
export const tableList = z.object({ tables: z.array(tableSummary) });
export const tableView = z.object({
  summary: tableSummary,
  seen: z.array(seen),
  more: z.boolean(),
  last: z.int(),
  alive: z.array(z.boolean()),
});
export const ruleSet = z.object({
  name: z.string(),
  says: z.string(),
  players: z.object({ least: z.int(), most: z.int(), usual: z.int() }),
  options: z.record(z.string(), z.looseObject({ kind: z.string(), usual: z.unknown(), says: z.string().optional() })),
  text: z.string().optional(),
});
export const modelList = z.looseObject({ default: z.string().optional(), servers: z.array(z.looseObject({ isUp: z.boolean() })) });

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
const thoughtDecision = z.object({
  n: z.int(),
  seat: z.int(),
  decision: z.string(),
  phase: z.string().optional(),
  began: z.number(),
  ended: z.number(),
  steps: z.int(),
});
export const thoughtPage = z.object({ decisions: z.array(thoughtDecision), thoughts: z.array(thoughtStep), more: z.boolean() });
export type ThoughtCall = z.output<typeof thoughtCall>;
export type ThoughtStep = z.output<typeof thoughtStep>;
export type ThoughtPage = z.output<typeof thoughtPage>;
export type ThoughtDecision = z.output<typeof thoughtDecision>;

export const madeToken = z.looseObject({ id: z.string(), name: z.string(), token: z.string(), until: z.number() });
export const tokenList = z.object({
  tokens: z.array(
    z.object({
      n: z.int(),
      id: z.string(),
      role: z.string(),
      table: z.string().optional(),
      seat: z.int().optional(),
      view: z.string().optional(),
      name: z.string(),
      by: z.string(),
      issued: z.number(),
      until: z.number(),
      isRevoked: z.boolean(),
    }),
  ),
});
export const auditLog = z.object({
  acts: z.array(
    z.object({
      n: z.int(),
      at: z.number(),
      who: z.string(),
      token: z.string(),
      from: z.string(),
      what: z.string(),
      about: z.record(z.string(), z.unknown()),
      outcome: z.string(),
    }),
  ),
});

export const openQuestions = z.object({
  asked: z.array(asking),
  brief: z.string(),
  alive: z.array(z.boolean()),
  life: z.string().optional(),
  holder: z.string().optional(),
});
export type SeenEvent = z.output<typeof seen>;
export type OpenQuestions = z.output<typeof openQuestions>;
