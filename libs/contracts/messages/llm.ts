import { z } from 'zod';
import { command } from '../contract.ts';
import { text } from './schemas.ts';

/** The largest prompt, in characters of JSON, before it is refused. */
const MOST_TEXT = 400_000;
const ms = z.number().nonnegative().meta({ description: 'Milliseconds.' });
const tokens = z.int().nonnegative();
const agent = z.string().min(1).max(100).meta({ description: 'Who is limited: the seat `table:seat`, or another caller.' });
const model = z.string().max(200).optional().meta({ description: 'Absent: the gateway’s default.' });
const urgency = z
  .enum(['critical', 'talk', 'background'])
  .default('talk')
  .meta({ description: 'How urgent it is: critical when a phase waits for it. Stamped by the platform, never by an agent.' });
const tenant = z.string().min(1).max(60).default('default').meta({ description: 'Whose budget of the day it goes on.' });

/** What is asked of the models. */
export const llmContracts = [
  command('llm.complete', {
    summary:
      'Asks a model to go on from messages; its answer has the shape of `format`. Whoever asks is `agent`, and the envelope’s replyby is the deadline.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({
      agent,
      model,
      tenant,
      urgency,
      kind: z.string().max(40).default('any').meta({ description: 'What it is for: completions of one kind are about as long.' }),
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
      topP: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .meta({ description: 'Words are drawn from the likeliest that make up this share together.' }),
      stop: z.array(z.string().min(1).max(200)).max(4).optional().meta({ description: 'The answer ends before any of these.' }),
      maxTokens: z.int().min(1).max(32_768).default(512),
      think: z.boolean().default(false),
    }),
    example: {
      agent: 't1:2',
      messages: [{ role: 'user', content: 'Say hello.' }],
      tenant: 'default',
      urgency: 'critical',
      kind: 'decide',
      temperature: 0.7,
      seed: 7,
      maxTokens: 64,
      think: false,
    },
    reply: z.object({
      content: z.string(),
      thinking: z.string().optional(),
      model: z.string(),
      server: z.string(),
      tokens: z.object({ prompt: tokens, completion: tokens }),
      times: z.object({ queued: ms, load: ms, prefill: ms, decode: ms, total: ms }),
      reason: z.string().meta({ description: 'Why it ended: stop or length.' }),
      attempts: z.int().min(1).default(1).meta({ description: 'How many servers or tries it took.' }),
      repaired: z
        .boolean()
        .default(false)
        .meta({ description: 'The first answer was not what was asked for; the model was told so and answered again.' }),
    }),
    replyExample: {
      content: 'Hello.',
      model: 'llama3.1',
      server: '127.0.0.1:11434',
      tokens: { prompt: 12, completion: 3 },
      times: { queued: 1, load: 0, prefill: 20, decode: 40, total: 61 },
      reason: 'stop',
      attempts: 1,
      repaired: false,
    },
  }),
  command('llm.embed', {
    summary: 'Asks a model for the vectors of some texts, all at once.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({ agent, model, tenant, urgency, input: z.array(z.string().max(MOST_TEXT)).min(1).max(256) }),
    example: { agent: 't1:2', model: 'nomic-embed-text', tenant: 'default', urgency: 'talk', input: ['Bob votes for Ann.'] },
    reply: z.object({
      embeddings: z.array(z.array(z.number())),
      model: z.string(),
      server: z.string(),
      tokens: z.object({ prompt: tokens }),
      times: z.object({ queued: ms, total: ms }),
    }),
    replyExample: {
      embeddings: [[0.1, -0.2]],
      model: 'nomic-embed-text',
      server: '127.0.0.1:11434',
      tokens: { prompt: 6 },
      times: { queued: 1, total: 12 },
    },
  }),
  command('llm.cancel', {
    summary: 'The asker of a completion no longer wants it. Nothing is answered; the completion itself is answered with a refusal.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({ request: z.string().min(1).max(200).meta({ description: 'The id of the completion.' }), why: text.optional() }),
    example: { request: 'm1', why: 'the phase is over' },
  }),
] as const;
