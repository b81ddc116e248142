import { z } from 'zod';
import { command, event } from '../contract.ts';
import { instant } from './schemas.ts';

const ms = z.number().nonnegative().meta({ description: 'Milliseconds.' });
const serverName = z.string().min(1).max(200);

/** Messages about the model servers and the gateway. */
export const poolContracts = [
  command('llm.models', {
    performative: 'query-ref',
    summary: 'Lists the model servers and their models.',
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
          cannotChat: z
            .array(z.string())
            .optional()
            .meta({ description: 'Those of `models` that make embeddings only, or anything but text.' }),
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
  command('llm.status', {
    performative: 'query-ref',
    summary: 'Returns the status of the leading gateway: servers, slots, queue, limits and capacity.',
    from: ['llm-gateway'],
    to: ['llm-gateway'],
    data: z.object({}),
    example: {},
    reply: z.object({
      instance: z.string(),
      door: z.string().optional().meta({ description: 'The URL of its HTTP API.' }),
      servers: z.array(
        z.object({
          server: serverName,
          kind: z.enum(['ollama', 'openai']),
          state: z.enum(['up', 'down', 'draining']),
          why: z.string(),
          version: z.string().optional(),
          slots: z.int().nonnegative(),
          busy: z.int().nonnegative(),
          breaker: z.enum(['closed', 'open', 'half-open']),
          models: z.array(
            z.object({
              name: z.string(),
              isResident: z.boolean(),
              breaker: z.enum(['closed', 'open', 'half-open']),
              msPerToken: z.number().optional(),
              ofNoTable: z
                .object({
                  replies: z.int().meta({ description: 'How many there were.' }),
                  unfit: z.int().meta({ description: 'How many of them did not fit what was asked for.' }),
                  why: z.string().optional().meta({ description: 'What was wrong with the last that did not.' }),
                })
                .optional()
                .meta({ description: 'Replies to requests of no table.' }),
            }),
          ),
        }),
      ),
      waiting: z.object({ critical: z.int(), talk: z.int(), background: z.int(), longestMs: ms }),
      games: z.array(z.object({ game: z.string(), waiting: z.int(), running: z.int(), spentMs: z.number() })),
      limited: z.array(z.object({ agent: z.string(), why: z.string(), until: z.number() })),
      budgets: z
        .object({
          kept: z.enum(['in-memory', 'in-ledger', 'unreached']),
          accounts: z.array(z.object({ kind: z.enum(['game', 'tenant']), who: z.string(), used: z.number(), left: z.number() })),
        })
        .optional(),
      gapMs: z.number(),
      capacity: z.object({ utilisation: z.number(), active: z.int(), more: z.int() }),
    }),
    replyExample: {
      instance: 'g1',
      servers: [
        {
          server: '127.0.0.1:11434',
          kind: 'ollama',
          state: 'up',
          why: '',
          version: '0.33.0',
          slots: 1,
          busy: 0,
          breaker: 'closed',
          models: [{ name: 'llama3.1', isResident: true, breaker: 'closed', msPerToken: 21.5 }],
        },
      ],
      waiting: { critical: 0, talk: 1, background: 0, longestMs: 120 },
      games: [{ game: 't1', waiting: 1, running: 0, spentMs: 900 }],
      limited: [],
      budgets: { kept: 'in-ledger', accounts: [{ kind: 'tenant', who: 'lab', used: 900, left: 100 }] },
      gapMs: 0,
      capacity: { utilisation: 0.4, active: 1, more: 1 },
    },
  }),
  event('llm.capacity', {
    summary: 'Broadcast: the load of the model servers and the room for further games. Sent periodically by the leading gateway.',
    from: ['llm-gateway'],
    to: ['gamemaster', 'web'],
    data: z.object({
      utilisation: z.number().min(0).meta({ description: 'The requested slot time as a share of all slot time; above 1 under overload.' }),
      active: z.int().nonnegative().meta({ description: 'Games with recent requests.' }),
      more: z.int().nonnegative().meta({ description: 'How many more games of this kind fit.' }),
    }),
    example: { utilisation: 0.4, active: 2, more: 2 },
  }),
  event('llm.pool', {
    summary:
      'Broadcast among gateways: the servers and limits as last changed by an operator. Standby and starting gateways adopt them; the newest change wins.',
    from: ['llm-gateway'],
    to: ['llm-gateway'],
    data: z.object({
      changed: instant.meta({ description: 'When it was last changed, in milliseconds since the epoch.' }),
      servers: z
        .array(
          z.object({
            server: serverName,
            url: z.string().max(500),
            kind: z.enum(['ollama', 'openai']),
            slots: z.int().min(1).max(1024),
            keyFile: z.string().max(1000).optional(),
            state: z
              .enum(['stays', 'drains', 'leaves'])
              .meta({ description: 'stays, drains (no new work), or leaves (is removed once drained).' }),
          }),
        )
        .max(1000),
      limits: z.record(z.string().max(40), z.int().nonnegative()).meta({ description: 'The limits by name; 0: unlimited.' }),
    }),
    example: {
      changed: 1_767_225_600_000,
      servers: [{ server: '10.0.0.2:11434', url: 'http://10.0.0.2:11434', kind: 'ollama', slots: 4, state: 'stays' }],
      limits: { agentRpm: 60 },
    },
  }),
] as const;
