import { z } from 'zod';
import { command } from '../contract.ts';
import { text } from './schemas.ts';

/** The largest prompt, in characters of JSON. */
const MAX_TEXT = 400_000;
const ms = z.number().nonnegative().meta({ description: 'Milliseconds.' });
const tokens = z.int().nonnegative();
const agent = z.string().min(1).max(100).meta({ description: 'The caller for rate limits: a seat as `table:seat`, or another one.' });
const model = z.string().max(200).optional().meta({ description: 'Absent: the gateway’s default.' });
const urgency = z
  .enum(['critical', 'talk', 'background'])
  .default('talk')
  .meta({ description: 'The urgency: critical when a phase waits for it. Set by the platform, never by an agent.' });
const tenant = z.string().min(1).max(60).default('default').meta({ description: 'The tenant whose daily budget is charged.' });

const toolCalls = z
  .array(
    z.object({
      id: z.string().max(200),
      name: z.string().max(200),
      arguments: z.string().max(MAX_TEXT).meta({ description: 'JSON, as the model wrote it.' }),
    }),
  )
  .max(100)
  .optional();
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().max(MAX_TEXT),
  toolCalls: toolCalls.meta({ description: 'Of the assistant: the tools it called.' }),
  toolCallId: z.string().max(200).optional().meta({ description: 'Of a tool: which call it answers.' }),
});
const tool = z.object({
  name: z.string().min(1).max(200),
  description: z.string().max(MAX_TEXT).optional().meta({ description: 'What it is for, as the model reads it.' }),
  parameters: z.record(z.string(), z.unknown()).optional().meta({ description: 'A JSON schema.' }),
});

/** Requests to models. */
export const llmContracts = [
  command('llm.complete', {
    summary: 'Asks a model to complete a conversation, in the format of `format`. The deadline is the replyby of the envelope.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({
      agent,
      model,
      tenant,
      urgency,
      kind: z.string().max(40).default('any').meta({ description: 'What it is for. Completions of one kind are about equally long.' }),
      calls: z.int().min(1).max(100).optional().meta({
        description:
          'How many calls a decision makes by its recipe; absent: 1. The limits of an agent count each as this part of one. Never set by an agent.',
      }),
      messages: z.array(message).min(1).max(500),
      tools: z.array(tool).min(1).max(128).optional().meta({ description: 'What the model may call instead of answering.' }),
      mustCall: z.literal(true).optional().meta({ description: 'Only a call of a tool is an answer.' }),
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
        .meta({ description: 'Top-p sampling: tokens are drawn from the most likely ones with this total probability.' }),
      stop: z
        .array(z.string().min(1).max(200))
        .max(4)
        .optional()
        .meta({ description: 'Stop sequences: the answer ends before any of these.' }),
      maxTokens: z.int().min(1).max(32_768).default(512),
      think: z
        .union([z.boolean(), z.enum(['low', 'medium', 'high'])])
        .default(false)
        .meta({ description: 'Whether a model that can think does so first, or how much.' }),
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
      toolCalls: toolCalls.meta({ description: 'The tools that the model calls; the content may be empty then.' }),
      model: z.string(),
      server: z.string(),
      tokens: z.object({ prompt: tokens, completion: tokens }),
      times: z.object({ queued: ms, load: ms, prefill: ms, decode: ms, total: ms }),
      reason: z.string().meta({
        description: 'Why generation ended: stop or length; length also where the time was over, and what has come of a free text is kept.',
      }),
      context: tokens.optional().meta({ description: 'The tokens that prompt and answer may have together, where the server tells.' }),
      attempts: z.int().min(1).default(1).meta({ description: 'The number of attempts, on any server.' }),
      repaired: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether a first, invalid answer was sent back to the model and repaired.' }),
      unfit: z
        .string()
        .optional()
        .meta({ description: 'Why the content does not fit `format`, for which the model is not asked again; absent: it does.' }),
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
    summary: 'Asks a model for the embeddings of several texts.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({ agent, model, tenant, urgency, input: z.array(z.string().max(MAX_TEXT)).min(1).max(256) }),
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
    summary: 'Cancels a completion. This message has no reply; the completion is answered with a refusal.',
    from: ['player'],
    to: ['llm-gateway'],
    data: z.object({ request: z.string().min(1).max(200).meta({ description: 'The id of the completion.' }), why: text.optional() }),
    example: { request: 'm1', why: 'the phase is over' },
  }),
] as const;
