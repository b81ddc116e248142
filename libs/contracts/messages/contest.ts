import { z } from 'zod';
import { command, event } from '../contract.ts';
import { instant, tableId, word } from './schemas.ts';

/** The id of a contest: short, so that ids of its tables can be made of it. */
export const contestId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/)
  .meta({ description: 'The id of the contest.' });

export const contestState = z.enum(['running', 'stopping', 'stopped', 'finished', 'failed']).meta({
  description:
    'stopping: no further table is opened, and those that run are played to their end. A stopped or failed contest goes on when it is opened again.',
});

const agent = z.string().meta({ description: 'The name of an agent.' });
const finished = z.int().nonnegative().meta({ description: 'Pairings that have a result.' });

export const contestSummary = z.object({
  contest: contestId,
  name: z.string().meta({ description: 'Its name.' }),
  state: contestState,
  why: z.string().optional().meta({ description: 'Why it is in this state, in words.' }),
  play: z.enum(['arena', 'tables']).meta({ description: 'arena: in the service itself, for minds without a model; tables: at tables.' }),
  pairings: z.int().nonnegative().meta({ description: 'Tables that are planned.' }),
  finished,
  opened: instant.meta({ description: 'When it was opened.' }),
  since: instant.meta({ description: 'When it came into this state.' }),
});

const number = z.int().nonnegative().meta({ description: 'The number of the pairing, from 0.' });
const attempt = z.int().positive().meta({ description: 'From 1: a table that breaks off is played again, twice at most.' });

const summary = {
  contest: 'spring',
  name: 'spring',
  state: 'running' as const,
  play: 'tables' as const,
  pairings: 700,
  finished: 12,
  opened: 1_767_225_600_000,
  since: 1_767_225_600_000,
};

/** Messages about contests, to and from the contest service. */
export const contestContracts = [
  command('contest.open', {
    summary:
      'Opens a contest, or goes on with one that was stopped or has failed. The subject is its id, chosen by the sender, so that a repeated request opens one contest.',
    from: ['web'],
    to: ['contest'],
    data: z.object({
      contest: z.looseObject({}).meta({ description: 'What `contest.yaml` has: agents, games, schedule, when to stop.' }),
      text: z
        .string()
        .optional()
        .meta({ description: 'The text of the file, where there is one: it is read instead, so that mistakes name its lines.' }),
    }),
    example: {
      contest: {
        name: 'spring',
        agents: [{ name: 'a', recipe: 'rules' }],
        games: [{ rules: 'maw' }],
        schedule: { kind: 'balanced', deals: 100 },
      },
    },
    reply: z.object({ contest: contestId, state: contestState }),
    replyExample: { contest: 'spring', state: 'running' },
  }),
  command('contest.stop', {
    summary: 'Stops a contest in order: no further table is opened, and those that run are played to their end and count.',
    from: ['web'],
    to: ['contest'],
    data: z.object({ why: word.optional() }),
    example: { why: 'The model server is needed elsewhere.' },
    reply: z.object({ contest: contestId, state: contestState }),
    replyExample: { contest: 'spring', state: 'stopping' },
  }),
  command('contest.list', {
    performative: 'query-ref',
    summary: 'Lists the contests, newest first.',
    from: ['web'],
    to: ['contest'],
    data: z.object({ limit: z.int().min(1).max(1000).default(100) }),
    example: { limit: 100 },
    reply: z.object({ contests: z.array(contestSummary).meta({ description: 'Their summaries.' }) }),
    replyExample: { contests: [summary] },
  }),
  command('contest.view', {
    performative: 'query-ref',
    summary: 'Returns where a contest stands.',
    from: ['web'],
    to: ['contest'],
    data: z.object({}),
    example: {},
    reply: z.object({
      summary: contestSummary.meta({ description: 'Its summary.' }),
      contest: z.looseObject({}).meta({ description: 'What was opened, with all defaults filled in.' }),
      tables: z
        .array(z.object({ number, attempt, table: tableId, since: instant.meta({ description: 'When this attempt began.' }) }))
        .meta({ description: 'The pairings that are played at tables now, at most 1000.' }),
      games: z.int().nonnegative().meta({ description: 'Finished games that count.' }),
      void: z.int().nonnegative().meta({ description: 'Pairings of which nothing counts.' }),
      ranking: z
        .array(
          z.object({
            agent,
            games: z.int().nonnegative().meta({ description: 'Seats that it had in finished games.' }),
            wins: z.int().nonnegative().meta({ description: 'Seats of them that won.' }),
            share: z.number().min(0).max(1).meta({ description: 'Wins per seat.' }),
          }),
        )
        .meta({ description: 'The agents, by the lower end of the 95 % interval of their share. Not what the report says in the end.' }),
      faults: z
        .array(
          z.object({
            agent,
            kind: z.string().meta({ description: 'late, defaulted, invalid, crashed or disconnected.' }),
            times: z.int().positive().meta({ description: 'How often.' }),
          }),
        )
        .meta({ description: 'What agents did wrong.' }),
      usage: z
        .array(
          z.object({
            agent,
            prompt: z.int().nonnegative().meta({ description: 'Tokens of prompts.' }),
            completion: z.int().nonnegative().meta({ description: 'Tokens of replies.' }),
            cost: z.number().nonnegative().optional().meta({ description: 'By the prices of the contest; absent where a model has none.' }),
          }),
        )
        .optional()
        .meta({ description: 'What the models of each agent took at tables that are over; absent without any.' }),
      lost: z.array(z.string()).optional().meta({ description: 'Which models lost decisions, how many, and why, in words.' }),
      cost: z.number().nonnegative().optional().meta({ description: 'What models cost so far; absent without prices.' }),
      leftMs: z.int().nonnegative().optional().meta({ description: 'How long it will take at the pace so far, in milliseconds.' }),
      leftBy: z
        .enum(['phases', 'rules'])
        .optional()
        .meta({ description: 'While no table is over: `leftMs` is by the phases that have passed, or by the times of the rules.' }),
    }),
    replyExample: {
      summary,
      contest: { name: 'spring' },
      tables: [{ number: 12, attempt: 1, table: 'spring-12-1', since: 1_767_225_600_000 }],
      games: 12,
      void: 0,
      ranking: [{ agent: 'a', games: 84, wins: 42, share: 0.5 }],
      faults: [{ agent: 'a', kind: 'late', times: 1 }],
    },
  }),
  command('contest.results', {
    performative: 'query-ref',
    summary: 'Returns results of pairings after a number, in their order.',
    from: ['web'],
    to: ['contest'],
    data: z.object({
      after: z.int().min(-1).default(-1),
      limit: z.int().min(1).max(1000).default(100),
      records: z.literal(true).optional().meta({ description: 'With what the measures of behaviour need.' }),
      skip: z
        .int()
        .nonnegative()
        .default(0)
        .meta({ description: 'How many games of the first result are left out: those that were read before.' }),
    }),
    example: { after: -1, limit: 100, skip: 0 },
    reply: z.object({
      results: z.array(z.looseObject({ number, attempt })).meta({
        description:
          'The results: games, faults and usage. The last one has `moreGames` when its games do not fit into a message: read it again with `skip`.',
      }),
      more: z.boolean().meta({ description: 'Whether there are further results now.' }),
    }),
    replyExample: { results: [{ number: 0, attempt: 1, games: [], faults: [], usage: [] }], more: true },
  }),
  event('contest.moved', {
    summary: 'Broadcast among replicas: a contest has new results, or another state. The subject is its id.',
    from: ['contest'],
    to: ['contest'],
    data: z.object({ state: contestState, finished }),
    example: { state: 'running', finished: 12 },
  }),
] as const;
