import { z } from 'zod';
import { command, event } from '../contract.ts';
import { asking, instant, player, playerName, recipeParameters, seat, seen, storable, storableObject, text } from './schemas.ts';

/** Messages to the player of a seat. */
export const seatContracts = [
  event('seat.invited', {
    summary: 'A seat waits for its player, who chooses a name and joins.',
    from: ['gamemaster'],
    to: ['player'],
    data: z.object({
      seat,
      recipe: z.string().optional(),
      parameters: recipeParameters,
      model: z.string().optional(),
      name: playerName.optional(),
      rules: z.string(),
      taken: z.array(playerName).meta({ description: 'Names at the table when the invitation was written.' }),
      seed: z.string().max(100).optional().meta({ description: 'The random seed for the name; unrelated to the dice of the game.' }),
      until: instant,
    }),
    example: { seat: 3, recipe: 'algorithm-1', model: 'llama3.1', rules: 'maw', taken: ['Ann'], seed: '8f3a', until: 1_767_225_600_000 },
  }),
  command('seat.decide', {
    summary:
      'Asks a seat everything that is open to it in one phase, with its news since it was last asked, and again when the deadline moves. The seat answers with acts and speech.',
    from: ['gamemaster'],
    to: ['player'],
    data: z.object({
      seat,
      phase: z.string().max(100),
      questions: z.array(asking).min(1),
      brief: text.meta({ description: 'What this seat knows about itself.' }),
      rules: z.object({ name: z.string(), text }),
      players: z.array(player).max(100).meta({ description: 'All players, as far as this seat may know them.' }),
      round: z.int().nonnegative(),
      news: z.array(seen),
      after: z.int().nonnegative().meta({ description: 'The n of the last event before `news`.' }),
      recipe: z.string().optional(),
      parameters: recipeParameters,
      model: z.string().optional(),
      seed: z.string().max(100).meta({ description: 'The random seed for the model; unrelated to the dice of the game.' }),
      pace: z.literal('people').optional().meta({ description: 'Minds at this table speak no faster than people read.' }),
      until: instant,
    }),
    example: {
      seat: 2,
      phase: 'round-1/day-1',
      round: 1,
      questions: [
        {
          id: 'round-1/day-1/vote',
          verb: 'choose',
          options: [{ is: 'seat:0', named: 'Ann' }],
          pick: 1,
          until: 1_767_225_600_000,
          final: false,
          room: 'round-1/day-1/Village',
          maxChars: 500,
        },
      ],
      brief: 'Your role: Villager.',
      rules: { name: 'maw', text: 'Six players.' },
      players: [{ seat: 0, name: 'Ann', alive: true }],
      news: [{ n: 1, at: 1_767_225_600_000, event: { type: 'dawned', day: 1 }, text: 'Day 1 begins.' }],
      after: 0,
      recipe: 'algorithm-1',
      seed: '8f3a',
      until: 1_767_225_600_000,
    },
  }),
  command('mind.thoughts', {
    performative: 'query-ref',
    summary: 'Returns what the minds of a table thought: the list of their decisions, or the steps of one decision.',
    from: ['web'],
    to: ['player'],
    data: z.object({
      seat: seat.optional().meta({ description: 'Only decisions of this seat.' }),
      decision: z
        .union([z.int().positive(), storable.max(200)])
        .optional()
        .meta({ description: 'The decision whose steps are wanted: its n or its id.' }),
      after: z.int().nonnegative().default(0).meta({ description: 'The n of the last decision, or the last step, that was read before.' }),
      limit: z.int().min(1).max(1000).default(100),
      sums: z.literal(true).optional().meta({ description: 'With sums of all decisions, in a list of decisions.' }),
    }),
    example: { seat: 2, decision: 7, after: 0, limit: 100 },
    reply: z.object({
      decisions: z
        .array(
          z.object({
            n: z.int().positive().meta({ description: 'The number of the decision at its table: 1, 2, 3 ...' }),
            seat,
            decision: z.string().meta({ description: 'The id of the message that asked for it.' }),
            phase: z.string().optional().meta({ description: 'Absent in tables of older versions.' }),
            trace: z.string().optional().meta({ description: 'The id of its trace; absent when it is not traced.' }),
            began: instant.meta({ description: 'When its first step was recorded.' }),
            ended: instant.meta({ description: 'When its last step was recorded.' }),
            steps: z.int().positive().meta({ description: 'How many steps it has.' }),
          }),
        )
        .meta({ description: 'In the order in which they began.' }),
      thoughts: z
        .array(
          z.object({
            step: z.int().positive().meta({ description: 'The number of the step within the decision: 1, 2, 3 ...' }),
            kind: z.string(),
            name: z.string(),
            at: instant,
            content: z.looseObject({}).meta({ description: 'What the step saw, what the model replied, and what came of it.' }),
          }),
        )
        .meta({ description: 'The steps of the one decision; empty in a list of decisions.' }),
      more: z.boolean().meta({ description: 'Whether there are further decisions, or steps, beyond the limit.' }),
      sums: z
        .array(z.string())
        .optional()
        .meta({ description: 'How the decisions of each model came about, and what was wrong most often, in words.' }),
    }),
    replyExample: {
      decisions: [
        {
          n: 7,
          seat: 2,
          decision: 't1/W45MbChYbVgd',
          phase: 'round-1/day-1',
          began: 1_767_225_600_000,
          ended: 1_767_225_600_000,
          steps: 1,
        },
      ],
      thoughts: [
        { step: 1, kind: 'observe', name: 'news', at: 1_767_225_600_000, content: { unread: ['Day 1 begins.'], iteration: 0, ms: 0 } },
      ],
      more: false,
    },
  }),
  command('mind.effort', {
    performative: 'query-ref',
    summary:
      'Returns what the calls of a table’s minds to their models took and how decisions came about, without what was asked, replied and decided.',
    from: ['contest'],
    to: ['player'],
    data: z.object({
      after: z.int().nonnegative().default(0).meta({ description: 'The n of the last decision that was read before.' }),
      limit: z.int().min(1).max(1000).default(200).meta({ description: 'Decisions at most; fewer where they do not fit into a message.' }),
    }),
    example: { after: 0, limit: 200 },
    reply: z.object({
      steps: z
        .array(
          z.object({
            n: z.int().positive().meta({ description: 'The number of its decision at the table.' }),
            seat,
            round: z.int().positive().meta({ description: 'The round of its match.' }),
            kind: z.string().meta({ description: 'The kind of the step.' }),
            content: z.looseObject({}).meta({
              description:
                'Of the step: `calls` with model, server, tokens, times or failure, `outcome`, `error`, and in words what was `wrong`.',
            }),
          }),
        )
        .meta({ description: 'The steps that asked a model, decided, or failed.' }),
      last: z.int().nonnegative().meta({ description: 'The n of the last decision that was read.' }),
      more: z.boolean().meta({ description: 'Whether there are further decisions.' }),
    }),
    replyExample: {
      steps: [
        {
          n: 1,
          seat: 2,
          round: 1,
          kind: 'act',
          content: {
            calls: [{ reply: { model: 'llama3.1', tokens: { prompt: 800, completion: 40 }, times: { queued: 0, total: 900 } } }],
            outcome: 'valid',
          },
        },
      ],
      last: 1,
      more: false,
    },
  }),
  command('mind.context', {
    performative: 'query-ref',
    summary: 'Returns what a seat has in mind, to be saved. For administrators, and for the holder of the seat.',
    from: ['web'],
    to: ['player'],
    data: z.object({ seat }),
    example: { seat: 2 },
    reply: z.object({ context: z.looseObject({}).meta({ description: 'What the seat has in mind, with its table and seat.' }) }),
    replyExample: { context: { context: 1, table: 't1', seat: 2, phase: 'round-1/day-1', n: 12 } },
  }),
  command('mind.load', {
    summary:
      'Replaces what a seat has in mind by what was saved of the same seat: its next decision begins with it, and with what happened since. What was saved at another table it remembers as of another game, beside its own.',
    from: ['web'],
    to: ['player'],
    data: z.object({ seat, context: storableObject.meta({ description: 'What `mind.context` returned.' }) }),
    example: { seat: 2, context: { context: 1, table: 't1', seat: 2, phase: 'round-1/day-1', n: 12 } },
    reply: z.object({ seat }),
    replyExample: { seat: 2 },
  }),
  command('mind.truncate', {
    summary: 'Drops the oldest lines that a seat has in mind, at its next decision.',
    from: ['web'],
    to: ['player'],
    data: z.object({ seat, tokens: z.int().nonnegative().max(1_000_000).meta({ description: 'How many tokens may stay, estimated.' }) }),
    example: { seat: 2, tokens: 2000 },
    reply: z.object({ seat }),
    replyExample: { seat: 2 },
  }),
  event('seat.finished', {
    summary: 'A round is over: its roles and winners, for a mind whose recipe learns after a game. No other mind gets it.',
    from: ['gamemaster'],
    to: ['player'],
    data: z.object({
      seat,
      round: z.int().positive(),
      rules: z.object({ name: z.string(), text }),
      players: z.array(player).max(100),
      outcome: z
        .object({
          winner: z.string().meta({ description: 'The winning side, or draw.' }),
          winners: z.array(seat),
          roles: z.array(z.string()).meta({ description: 'Final role by seat.' }),
          dealt: z.array(z.string()).optional().meta({ description: 'Dealt role by seat, in games in which roles change hands.' }),
          points: z.array(z.number()),
        })
        .meta({ description: 'How the round ended.' }),
      recipe: z.string(),
      parameters: recipeParameters,
      model: z.string().optional(),
      seed: z.string().max(100).meta({ description: 'The random seed for the model; unrelated to the dice of the game.' }),
    }),
    example: {
      seat: 2,
      round: 1,
      rules: { name: 'maw', text: 'Six players.' },
      players: [{ seat: 0, name: 'Ann', alive: true }],
      outcome: { winner: 'wolves', winners: [0], roles: ['wolf', 'villager', 'villager'], points: [4, 0, 0] },
      recipe: 'lan',
      seed: '8f3a',
    },
  }),
] as const;
