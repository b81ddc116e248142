import { z } from 'zod';
import { command } from './contract.ts';
import { text } from './shapes.ts';

/** The largest prompt, in characters of JSON, before it is refused. */
const MOST_TEXT = 400_000;
const ms = z.number().nonnegative().meta({ description: 'Milliseconds.' });
const tokens = z.int().nonnegative();

/** What is asked of the models. */
export const llmContracts = [
  command('llm.complete', {
    says: 'Asks a model to go on from messages; its answer has the shape of `format`. Whoever asks is `agent`, and the envelope’s replyby is the deadline.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({
      agent: z.string().min(1).max(100).meta({ description: 'Who is limited: the seat `table:seat`, or another caller.' }),
      model: z.string().max(200).optional().meta({ description: 'Absent: the gateway’s default.' }),
      messages: z
        .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().max(MOST_TEXT) }))
        .min(1)
        .max(500),
      format: z
        .union([z.literal('json'), z.record(z.string(), z.unknown())])
        .optional()
        .meta({ description: 'A JSON schema.' }),
      temperature: z.number().min(0).max(5).optional(),
      seed: z.int().optional(),
      maxTokens: z.int().min(1).max(32_768).default(512),
      think: z.boolean().default(false),
    }),
    example: { agent: 't1:2', messages: [{ role: 'user', content: 'Say hello.' }], temperature: 0.7, seed: 7, maxTokens: 64, think: false },
    reply: z.object({
      content: z.string(),
      thinking: z.string().optional(),
      model: z.string(),
      server: z.string(),
      tokens: z.object({ prompt: tokens, completion: tokens }),
      times: z.object({ queued: ms, load: ms, prefill: ms, decode: ms, total: ms }),
      reason: z.string().meta({ description: 'Why it ended: stop or length.' }),
    }),
    replyExample: {
      content: 'Hello.',
      model: 'llama3.1',
      server: '127.0.0.1:11434',
      tokens: { prompt: 12, completion: 3 },
      times: { queued: 1, load: 0, prefill: 20, decode: 40, total: 61 },
      reason: 'stop',
    },
  }),
  command('llm.cancel', {
    says: 'The asker of a completion no longer wants it. Nothing is answered; the completion itself is answered with a refusal.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({ request: z.string().min(1).max(200).meta({ description: 'The id of the completion.' }), why: text.optional() }),
    example: { request: 'm1', why: 'the phase is over' },
  }),
  command('llm.models', {
    performative: 'query-ref',
    says: 'Asks which servers there are and which models they have.',
    from: ['web', 'player'],
    to: ['llm-gateway'],
    data: z.object({}),
    example: {},
    reply: z.object({
      default: z.string().optional(),
      servers: z.array(
        z.object({
          server: z.string(),
          isUp: z.boolean(),
          version: z.string().optional(),
          slots: z.int().nonnegative(),
          busy: z.int().nonnegative(),
          models: z.array(z.string()),
        }),
      ),
      waiting: z.int().nonnegative(),
    }),
    replyExample: {
      default: 'llama3.1',
      servers: [{ server: '127.0.0.1:11434', isUp: true, version: '0.33.0', slots: 1, busy: 0, models: ['llama3.1'] }],
      waiting: 0,
    },
  }),
] as const;
