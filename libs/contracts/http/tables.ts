import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { holder, playerName, seat, tableId, tableSummary } from '../messages/schemas.ts';
import { atSeat, atTable, declare, EVENT_STREAM, json, listLimit, text, wholeNumber } from './route.ts';
import { issuedToken } from './tokens.ts';

const opening = contracts.get('table.open').data.shape;
const { isOutside: _, ...seatPlan } = opening.seats.element.shape;

const seatKind = z.enum([...holder.options, 'agent']).meta({ description: '`agent`: a program, whose key has the name `agent`.' });
const openSeat = { ...seatPlan, kind: seatKind };
const AGENT_NAMED = { path: ['agent'], message: 'a seat of the kind agent names the key of its program, and no other seat does' };

const openBody = z
  .strictObject({
    rules: opening.rules,
    players: z.int().min(1).max(100).optional(),
    people: z.int().min(0).max(100).optional(),
    seats: z
      .array(z.strictObject(openSeat).refine(({ kind, agent }) => (kind === 'agent') === (agent !== undefined), AGENT_NAMED))
      .min(1)
      .max(100)
      .optional(),
    recipe: seatPlan.recipe,
    parameters: seatPlan.parameters,
    model: seatPlan.model,
    rounds: opening.rounds,
    options: opening.options,
    seed: opening.seed,
    lobbyMs: opening.lobbyMs,
    pauseMs: opening.pauseMs,
    spectators: opening.spectators,
    afterwards: opening.afterwards,
    insight: opening.insight,
  })
  .refine((b) => (b.players === undefined) !== (b.seats === undefined), {
    path: ['players'],
    message: 'give players (how many) or seats (one by one)',
  })
  .refine((b) => b.seats === undefined || b.people === undefined, { path: ['people'], message: 'with seats, say `kind: person` there' })
  .refine((b) => b.players === undefined || (b.people ?? 0) <= b.players, { path: ['people'], message: 'more people than players' });

const listing = contracts.get('table.list').data.shape;
const listQuery = z
  .strictObject({
    limit: listLimit.optional(),
    before: wholeNumber().optional(),
    beforeTable: z.string().max(60).optional(),
    over: z.enum(['true', 'false']).optional(),
    search: z
      .string()
      .regex(/^[^\p{C}]{1,60}$/u, '1 to 60 visible characters')
      .optional(),
    rules: listing.rules,
    stage: listing.stage,
  })
  .refine((q) => q.beforeTable === undefined || q.before !== undefined, { path: ['beforeTable'], message: 'goes with before' });

const opened = z.object({
  table: tableId,
  seats: z.array(z.object({ seat, kind: seatKind })),
  links: z.object({ table: z.string(), seats: z.string(), view: z.string(), events: z.string(), tape: z.string() }),
});
const joined = z.object({ ...contracts.replyOf('table.join').shape, ...issuedToken.shape });

const keptSeat = z.object({
  table: tableId,
  seat,
  rules: z.string(),
  name: playerName.optional().meta({ description: 'Absent: the program has not joined yet.' }),
});

/** Opening, listing and joining tables. */
export const tableRoutes = {
  'POST /tables': declare({
    summary: 'Opens a table.',
    permits: 'opener',
    body: openBody,
    responses: [json(opened, 'The table, its seats and its addresses; `Location` is that of the table.', 201)],
    refusals: ['unknown-rules', 'bad-option', 'bad-name', 'name-taken', 'already-begun'],
  }),
  'GET /tables': declare({
    summary: 'The tables, newest first: all, or those of some rules, in a stage, or with a text in their id or the name of a player.',
    permits: 'anyToken',
    query: listQuery,
    responses: [json(contracts.replyOf('table.list'), 'The summaries of the tables.')],
  }),
  'GET /tables/:table': declare({
    summary: 'The summary of one table.',
    permits: 'anyToken',
    params: atTable,
    responses: [json(tableSummary, 'The summary.')],
    refusals: ['unknown-game'],
  }),
  'GET /tables/:table/rules': declare({
    summary: 'The rules of one table, as it was opened.',
    permits: 'anyToken',
    params: atTable,
    responses: [json(contracts.replyOf('table.rules').shape.sets.element, 'The rule set, with its text.')],
    refusals: ['unknown-game'],
  }),
  'POST /tables/:table/seats': declare({
    summary:
      'Joins as a person, in the seat of the invitation, or the first that is free for one; or as a program, in a seat that is kept for it.',
    permits: 'joiner',
    params: atTable,
    body: z.strictObject({ name: contracts.get('table.join').data.shape.name.min(1), seat: seat.optional() }),
    responses: [json(joined, 'The seat, and the token with which it is played.', 201)],
    refusals: ['unknown-game', 'bad-name', 'name-taken', 'table-full', 'already-begun', 'already-seated', 'not-an-option', 'paused'],
  }),
} as const;

/** What a program asks with its key. */
export const agentRoutes = {
  'GET /seats': declare({
    summary:
      'The seats that are kept for the program at tables that are not over; it joins at those where it plays not yet, or has been before.',
    permits: 'agent',
    responses: [json(z.object({ seats: z.array(keptSeat) }), 'Its seats, those of the newest tables first.')],
  }),
} as const;

/** The list of tables as it changes. */
export const lobbyRoutes = {
  'GET /lobby': declare({
    summary:
      'The summaries of tables as they change, as server-sent events: `table` for each of the newest 100, `ready`, then `table` for each that is opened or changes.',
    permits: 'anyToken',
    responses: [text(EVENT_STREAM, 'The events, until the reader leaves.')],
  }),
} as const;

const { seat: __, ...mind } = contracts.get('table.assign').data.shape;
const operating = { permits: 'operator', params: atTable, refusals: ['unknown-game', 'phase-over'] } as const;

/** What operators do to running tables. */
export const operateRoutes = {
  'GET /stuck': declare({
    summary: 'The tables that are stuck, at most 100, the longest first.',
    permits: 'operator',
    responses: [json(z.object({ stuck: contracts.replyOf('table.list').shape.stuck.unwrap() }), 'Since when, and whom each waits for.')],
  }),
  'POST /tables/:table/pause': declare({
    ...operating,
    summary: 'Stops a table, for a day at most.',
    responses: [json(contracts.replyOf('table.pause'), 'Since when it is paused, and when it goes on by itself.')],
  }),
  'POST /tables/:table/resume': declare({
    ...operating,
    summary: 'Lets a paused table go on.',
    responses: [json(contracts.replyOf('table.resume'), 'The table.')],
  }),
  'POST /tables/:table/abort': declare({
    ...operating,
    summary: 'Ends a table without winners and points.',
    body: z.strictObject({ why: contracts.get('table.abort').data.shape.why }).default({}),
    responses: [json(contracts.replyOf('table.abort'), 'The table.')],
  }),
  'POST /tables/:table/seats/:seat/mind': declare({
    summary: 'Gives a seat another recipe or model, from its next decision on.',
    permits: 'operator',
    params: atSeat,
    body: z.strictObject(mind),
    responses: [json(contracts.replyOf('table.assign'), 'The seat.')],
    refusals: ['unknown-game', 'not-an-option', 'bad-option', 'phase-over'],
    isUntraced: true, // a trace that names the seat would tell that a mind plays it
  }),
} as const;
