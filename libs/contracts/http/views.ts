import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { asking, eye } from '../messages/schemas.ts';
import { atTable, declare, EVENT_STREAM, json, JSON_LINES, listLimit, text, viewName, wholeNumber } from './route.ts';

const watching = { permits: 'watcher', params: atTable, refusals: ['unknown-game', 'not-an-option'] } as const;

/** Tables of one stream. Their ids, 45 characters each at most, fit into the address with room to spare. */
const MAX_TABLES = 200;

/** `t1,t2:17`: the tables, and how far the reader is with each. */
const followed = z
  .string('t1 or t1:17, with commas between')
  .transform((given) => given.split(','))
  .pipe(
    z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,60}(:\d{1,15})?$/, 't1 or t1:17, with commas between'))
      .max(MAX_TABLES, `at most ${MAX_TABLES}`),
  )
  .transform((given) => given.map((one) => one.split(':')).map(([table = '', after = '0']) => ({ table, after: Number(after) })))
  .refine((given) => new Set(given.map(({ table }) => table)).size === given.length, 'a table is named twice');

/** Whether questions say which answers are legal. */
const schemas = z
  .literal('true')
  .transform(() => true as const)
  .optional();

/** A question, with the JSON schema of its legal answers when they are asked for. */
export const legalAsking = asking.extend({
  answer: z.looseObject({}).optional().meta({ description: 'The JSON schema of the legal answers; with `schemas`.' }),
});

/** Views of a table through the eye that the token permits. */
export const viewRoutes = {
  'GET /tables/:table/view': declare({
    ...watching,
    summary: 'The events of a view after number `after`, and what the seat may answer now.',
    query: z.strictObject({ as: viewName.optional(), after: wholeNumber().optional(), limit: listLimit.optional(), schemas }),
    responses: [json(z.object({ eye, ...contracts.replyOf('table.view').shape, asked: z.array(legalAsking) }), 'The view.')],
  }),
  'GET /tables/:table/tape': declare({
    ...watching,
    summary: 'The whole view up to now, or up to event `until`, one JSON value per line.',
    query: z.strictObject({ as: viewName.optional(), until: wholeNumber().optional() }),
    responses: [
      text(JSON_LINES, 'The events, as in `seen`.'),
      text(JSON_LINES, 'The tape of this `If-None-Match` has no further event.', 304),
    ],
  }),
  'GET /tables/:table/events': declare({
    ...watching,
    summary: 'A view as it changes, as server-sent events: `seen`, `asked`, `clock` and `over`.',
    query: z.strictObject({ as: viewName.optional(), after: wholeNumber().optional(), schemas }),
    responses: [text(EVENT_STREAM, 'The events, until the table is over.')],
  }),
  'GET /events': declare({
    summary: `The same of many tables in one stream, at most ${MAX_TABLES}: each event names its table.`,
    permits: 'watcher',
    query: z.strictObject({ as: viewName.optional(), tables: followed }),
    refusals: ['unknown-game'],
    responses: [text(EVENT_STREAM, 'The events, until the reader leaves.')],
  }),
} as const;
