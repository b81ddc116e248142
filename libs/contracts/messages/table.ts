import { z } from 'zod';
import { command, event } from '../contract.ts';
import {
  agentName,
  asking,
  cause,
  clock,
  eye,
  holder,
  instant,
  line,
  playerName,
  recipeParameters,
  seat,
  seen,
  storable,
  tableId,
  tableSummary,
  text,
  place,
  word,
  tableStage,
} from './schemas.ts';
import { tableOpening } from './table-opening.ts';

/** A table whose phase has been over for 30 s, and that no gamemaster has moved since. */
const stuckTable = z.object({
  table: tableId,
  since: instant.meta({ description: 'When its phase was to end.' }),
  phase: z.string().meta({ description: 'The public phase; by night the stage; `unknown` and why where its tape cannot be read.' }),
  awaited: z.string().optional().meta({ description: 'Who is to answer what, `2, 5: choose`, or `the clock: say`; absent by night.' }),
});

const summary = {
  table: 't1',
  rules: 'maw',
  stage: 'lobby' as const,
  round: 0,
  rounds: 1,
  free: 1,
  opened: 1_767_225_600_000,
  spectators: 'audience' as const,
  afterwards: 'seats' as const,
  insight: 'after' as const,
  players: [
    { seat: 0, name: 'Ann', points: 0 },
    { seat: 1, points: 0 },
  ],
};

/** Games, and how many of them were won. */
const score = {
  games: z.int().positive(),
  wins: z.int().nonnegative().meta({ description: 'Games of them that were won.' }),
  share: z.number().min(0).max(1).meta({ description: 'Wins per game.' }),
};

/** Messages about tables, to and from the gamemaster. */
export const tableContracts = [
  command('table.open', {
    summary: 'Opens a table. The subject is its id, chosen by the sender, so that a repeated request opens one table.',
    from: ['web', 'aiwolf', 'contest'],
    to: ['gamemaster'],
    data: tableOpening,
    example: {
      rules: 'maw',
      seats: [
        { kind: 'mind', recipe: 'algorithm-1', parameters: { temperature: 1 } },
        { kind: 'person' },
        { kind: 'mind', recipe: 'rules' },
      ],
      rounds: 2,
      options: { seer: true },
      seed: 'x',
      lobbyMs: 60_000,
      pauseMs: 5000,
      spectators: 'audience',
      afterwards: 'seats',
      insight: 'after',
    },
    reply: z.object({ table: z.string() }),
    replyExample: { table: 't1' },
  }),
  command('table.join', {
    summary: 'Joins a table under a name, at the given seat or the first free one for people.',
    from: ['player', 'web', 'aiwolf'],
    to: ['gamemaster'],
    data: z.object({
      name: z.string().max(200),
      seat: seat.optional(),
      agent: agentName.optional().meta({ description: 'The name of the key of a program, which takes its seat.' }),
    }),
    example: { name: 'Ann', seat: 1 },
    reply: z.object({ seat, name: playerName }),
    replyExample: { seat: 1, name: 'Ann' },
  }),
  command('table.act', {
    summary: 'Answers an open question. Valid speech arrives here by way of the chatroom.',
    from: ['player', 'web', 'chatroom', 'aiwolf'],
    to: ['gamemaster'],
    data: z.object({
      seat,
      question: place,
      says: z.array(text).max(20).meta({
        description:
          'say: the text. tell: whom and the text. choose: the options. Empty, from a person in a public vote that may change: ready, the vote may end; from servers for outside agents: no answer, and nobody waits for it.',
      }),
      objection: z.enum(['room-closed', 'phase-over']).optional().meta({
        description: 'Why it is too late. It is refused for this reason, unless the tape shows that the same message arrived before.',
      }),
    }),
    example: { seat: 2, question: 'round-1/day-1/vote', says: ['seat:4'] },
    reply: z.object({ at: instant, line: z.int().positive().optional(), room: z.string().optional() }),
    replyExample: { at: 1_767_225_600_000, line: 3, room: 'round-1/day-1/Village' },
  }),
  command('table.hand', {
    summary: 'Hands a seat to a mind, or back to its person.',
    from: ['web', 'aiwolf'],
    to: ['gamemaster'],
    data: z.object({ seat, to: holder }),
    example: { seat: 1, to: 'mind' },
    reply: z.object({ seat }),
    replyExample: { seat: 1 },
  }),
  command('table.pause', {
    summary: 'Stops a table, for a day at most: no act is taken, and no deadline passes.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({}),
    example: {},
    reply: z.object({ pausedSince: instant, until: instant.meta({ description: 'When the table goes on by itself.' }) }),
    replyExample: { pausedSince: 1_767_225_600_000, until: 1_767_312_000_000 },
  }),
  command('table.resume', {
    summary: 'Lets a paused table go on. Every deadline is later by the length of the pause.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({}),
    example: {},
    reply: z.object({ table: z.string() }),
    replyExample: { table: 't1' },
  }),
  command('table.abort', {
    summary: 'Ends a table without winners and points.',
    from: ['web', 'aiwolf'],
    to: ['gamemaster'],
    data: z.object({ why: word.optional().meta({ description: 'Told to everybody at the table.' }) }),
    example: { why: 'The model server is gone.' },
    reply: z.object({ table: z.string() }),
    replyExample: { table: 't1' },
  }),
  command('table.assign', {
    summary:
      'Gives a seat another mind from its next decision on: another recipe, with its parameters, or another model. What is absent stays; with another recipe its parameters are the defaults.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({ seat, recipe: word.optional(), parameters: recipeParameters, model: word.optional() }),
    example: { seat: 2, recipe: 'react', parameters: { temperature: 0.2 }, model: 'llama3.1' },
    reply: z.object({ seat }),
    replyExample: { seat: 2 },
  }),
  command('table.tick', {
    summary: 'An alarm of the table is due.',
    from: ['gamemaster'],
    to: ['gamemaster'],
    data: z.object({ alarm: instant }),
    example: { alarm: 1_767_225_600_000 },
  }),
  command('table.view', {
    performative: 'query-ref',
    summary: 'Returns the events that an eye has seen of a table after the n-th one, and what it may answer now.',
    from: ['player', 'web', 'aiwolf', 'contest'],
    to: ['gamemaster'],
    data: z.object({
      eye,
      after: z.int().nonnegative().default(0),
      limit: z.int().min(1).max(5000).default(1000),
      causes: z.literal(true).optional().meta({ description: 'Whether each event says what led to it; for the narrator only.' }),
    }),
    example: { eye: 2, after: 10, limit: 1000 },
    reply: z.object({
      summary: tableSummary,
      seen: z.array(seen.extend({ cause: cause.optional().meta({ description: 'What led to it; only when `causes` was asked for.' }) })),
      more: z.boolean().meta({ description: 'Whether there are further events beyond the limit.' }),
      last: z.int().nonnegative().meta({ description: 'The n of the last event of this view, returned or not.' }),
      asked: z.array(asking).meta({ description: 'What the seat may answer now; empty for other eyes.' }),
      brief: text.meta({ description: 'What the seat knows about itself; empty for other eyes.' }),
      alive: z.array(z.boolean()),
      life: z.string().optional().meta({ description: 'GetName, Lobby, Awake, Asleep or Dead.' }),
      holder: holder.optional().meta({ description: 'Who plays the seat.' }),
      clock: clock.optional().meta({ description: 'The time at the table, the same for every eye.' }),
    }),
    replyExample: {
      summary,
      seen: [{ n: 11, at: 1_767_225_600_000, event: { type: 'dawned', day: 2 }, text: 'Day 2 begins.' }],
      more: false,
      last: 11,
      asked: [],
      brief: '',
      alive: [true, true],
      clock: { now: 1_767_225_610_000, phase: 'round-1/day-2', until: 1_767_225_720_000 },
    },
  }),
  command('table.list', {
    performative: 'query-ref',
    summary: 'Lists the tables, newest first.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({
      limit: z.int().min(1).max(1000).default(100),
      before: instant.optional(),
      beforeTable: storable.max(60).optional(),
      isOver: z.boolean().optional(),
      rules: storable.max(60).optional(),
      stage: tableStage.optional(),
      agent: agentName
        .optional()
        .meta({ description: 'Only tables with a seat for the program whose key has this name, with these seats.' }),
      search: word.max(60).optional().meta({ description: 'A part of the id, or of the name of a player; case does not matter.' }),
      isStuck: z.literal(true).optional().meta({ description: 'Only `stuck` is wanted: the other fields but the limit are ignored.' }),
    }),
    example: { limit: 100, rules: 'maw', search: 'ann' },
    reply: z.object({
      tables: z.array(tableSummary),
      stuck: z.array(stuckTable).optional().meta({ description: 'The stuck tables, the longest first; only when they are asked for.' }),
    }),
    replyExample: { tables: [summary] },
  }),
  command('table.rules', {
    performative: 'query-ref',
    summary: 'Lists the rule sets, with their options and texts.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({
      rules: z.string().max(60).optional(),
      table: tableId.optional().meta({ description: 'Only the rules of this table, with the text as it was opened.' }),
      players: z.int().min(1).max(100).optional(),
      options: z.record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
    }),
    example: { rules: 'maw', players: 6, options: {} },
    reply: z.object({
      sets: z.array(
        z.object({
          name: z.string(),
          version: z.string(),
          says: z.string(),
          players: z.object({ least: z.int(), most: z.int(), usual: z.int() }),
          options: z.record(z.string(), z.looseObject({ kind: z.string() })),
          text: text.optional(),
        }),
      ),
    }),
    replyExample: {
      sets: [
        {
          name: 'maw',
          version: '1',
          says: 'By day and by night.',
          players: { least: 3, most: 20, usual: 6 },
          options: { seer: { kind: 'switch', usual: false } },
        },
      ],
    },
  }),
  command('table.check', {
    performative: 'query-ref',
    summary: 'Says which minds no table could be opened with, and why: unknown recipes, parameters, pools of experience and strategies.',
    from: ['contest'],
    to: ['gamemaster'],
    data: z.object({
      minds: z
        .array(z.object({ recipe: word.optional().meta({ description: 'Its recipe.' }), parameters: recipeParameters }))
        .max(1000)
        .meta({ description: 'The minds, as the plan of a seat has them.' }),
    }),
    example: { minds: [{ recipe: 'xu', parameters: { experience: 'village@1' } }] },
    reply: z.object({
      mistakes: z
        .array(
          z.object({
            mind: z.int().nonnegative().meta({ description: 'Its place in the request, from 0.' }),
            says: text.meta({ description: 'What is wrong, in words.' }),
          }),
        )
        .meta({ description: 'Empty when nothing is wrong.' }),
    }),
    replyExample: { mistakes: [{ mind: 0, says: 'parameters.experience: there is no pool of experience village' }] },
  }),
  command('table.leaderboard', {
    performative: 'query-ref',
    summary: 'Returns how often each kind of player has won, in the games of finished tables.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({ rules: storable.min(1).max(60).optional() }),
    example: { rules: 'maw' },
    reply: z.object({
      rows: z
        .array(
          z.object({
            kind: z.enum(['mind', 'person', 'agent']),
            agent: agentName.optional().meta({ description: 'Of programs: the name of the key.' }),
            recipe: word.optional().meta({ description: 'Of minds; absent: the default.' }),
            model: word.optional().meta({ description: 'Of minds; absent: the default, or none.' }),
            ...score,
            sides: z
              .array(z.object({ rules: z.string(), side: z.string().meta({ description: 'In the word of the rules.' }), ...score }))
              .meta({ description: 'The same by side.' }),
          }),
        )
        .meta({ description: 'The largest share of wins first; of equal shares, the most games first.' }),
    }),
    replyExample: {
      rows: [
        {
          kind: 'mind',
          recipe: 'react',
          model: 'llama3.1',
          games: 4,
          wins: 3,
          share: 0.75,
          sides: [
            { rules: 'maw', side: 'villagers', games: 3, wins: 2, share: 2 / 3 },
            { rules: 'maw', side: 'wolves', games: 1, wins: 1, share: 1 },
          ],
        },
      ],
    },
  }),
  command('table.recipes', {
    performative: 'query-ref',
    summary: 'Lists the recipes that seats can be given, with their parameters.',
    from: ['web'],
    to: ['gamemaster'],
    data: z.object({}),
    example: {},
    reply: z.object({
      recipes: z
        .array(
          z.object({
            name: z.string(),
            about: z.string().meta({ description: 'What it is for.' }),
            usesModel: z.boolean().meta({ description: 'Whether its minds ask a model.' }),
            calls: z.number().optional().meta({ description: 'How many calls of the model a decision takes on average.' }),
            games: z.array(z.string()).optional().meta({ description: 'The rule sets it is made for; absent: every one.' }),
            parameters: z
              .array(
                z.object({
                  name: z.string(),
                  about: z.string().meta({ description: 'What it is for.' }),
                  type: z.enum(['integer', 'number', 'boolean', 'choice', 'text']),
                  default: z.union([z.string(), z.number(), z.boolean()]),
                  unit: z.string().optional().meta({ description: 'What a number counts.' }),
                  source: z.string().optional().meta({ description: 'Where the default comes from.' }),
                  minimum: z.number().optional().meta({ description: 'The smallest number that can be chosen.' }),
                  maximum: z.number().optional().meta({ description: 'The largest number that can be chosen.' }),
                  options: z.array(z.string()).optional().meta({ description: 'Of a choice.' }),
                }),
              )
              .meta({ description: 'What can be chosen for a seat.' }),
          }),
        )
        .meta({ description: 'In the order of their names.' }),
    }),
    replyExample: {
      recipes: [
        {
          name: 'react',
          about: 'Thinks, then acts.',
          usesModel: true,
          calls: 1,
          parameters: [{ name: 'temperature', about: 'Of the model.', type: 'number', default: 0.7, minimum: 0 }],
        },
      ],
    },
  }),
  event('table.moved', {
    summary: 'Broadcast: something happened at the table. Each receiver reads it in its own view.',
    from: ['gamemaster'],
    to: ['web', 'player', 'aiwolf', 'contest'],
    data: z.object({
      stage: tableStage,
      phase: z.string().max(100),
      isPaused: z.literal(true).optional(),
      closed: z.array(z.string()).max(100).meta({ description: 'Public questions that are no longer open.' }),
      lines: z
        .array(z.object({ room: place, ...line.shape }))
        .optional()
        .meta({ description: 'The lines that rooms got by it; only of rooms that everybody may read, the audience included.' }),
    }),
    example: { stage: 'round', phase: 'day-1', closed: [] },
  }),
] as const;
