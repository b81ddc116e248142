import { z } from 'zod';
import { agentName, instant, seat, tableId } from '../messages/schemas.ts';
import { atTable, declare, json, listLimit, type PathParameters, wholeNumber } from './route.ts';

/** What a token permits. The view of a spectator is `audience` unless it is given; an invitation without a seat is for any. */
export const passSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('admin') }),
  z.object({ role: z.literal('seat'), table: tableId, seat }),
  z.object({ role: z.literal('spectator'), table: tableId, view: z.enum(['audience', 'narrator']).optional() }),
  z.object({ role: z.literal('join'), table: tableId, seat: seat.optional() }),
  z.object({ role: z.literal('agent') }),
]);

/** The longest life of a token, in milliseconds; revocations are kept for as long. */
export const MAX_TOKEN_MS = 30 * 86_400_000;

/** A token for the client that it was issued to. */
export const issuedToken = z.object({ id: z.string(), name: z.string(), token: z.string(), until: instant });

const ttlMs = z.int().min(1000).max(MAX_TOKEN_MS).optional();
const name = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u, 'visible characters, single spaces between')
  .refine((text) => [...text].length <= 60, 'at most 60 characters');
const isLink = z
  .literal(true)
  .optional()
  .meta({ description: 'Makes a short link: a code that stands for the token. A seat may make links to watch its table as the audience.' });
const [ofAdmin, ofSeat, ofSpectator, ofJoin, ofAgent] = passSchema.options;
const issuing = z.discriminatedUnion('role', [
  z.strictObject({ ...ofAdmin.shape, name, ttlMs }),
  z.strictObject({ ...ofSeat.shape, name: name.optional(), ttlMs, isLink }),
  z.strictObject({ ...ofSpectator.shape, name: name.optional(), ttlMs, isLink }),
  z.strictObject({ ...ofJoin.shape, name: name.optional(), ttlMs, isLink }),
  z.strictObject({ ...ofAgent.shape, name: agentName, ttlMs }),
]);
const page = { limit: listLimit.default(100), before: wholeNumber().optional() };
const withId = {
  id: {
    schema: z.string().regex(/^[\w.:-]{1,100}$/),
    description: 'The id of the token.',
    reason: 'unknown-token',
    says: 'an id is 1 to 100 letters, digits or _ . : -',
  },
} as const satisfies PathParameters;

const place = { role: z.enum(['admin', 'seat', 'spectator', 'join', 'agent']), table: tableId.optional(), seat: seat.optional() };
const view = ofSpectator.shape.view;
const code = z
  .string()
  .optional()
  .meta({ description: 'Of a short link: ten letters, which the page opens at `/j#CODE`. They are not stored.' });
const issued = z.object({ ...place, view, ...issuedToken.shape, code });
const listed = z.object({
  tokens: z.array(
    z.object({
      n: z.int(),
      id: z.string(),
      ...place,
      view,
      name: z.string(),
      by: z.string(),
      issued: instant,
      until: instant,
      isRevoked: z.boolean(),
      isLink: z.boolean().meta({ description: 'Whether a short code stands for it.' }),
    }),
  ),
});
const log = z.object({
  acts: z.array(
    z.object({
      n: z.int(),
      id: z.string(),
      at: instant,
      who: z.string(),
      token: z.string(),
      from: z.string(),
      what: z.string(),
      about: z.looseObject({}),
      outcome: z.string(),
    }),
  ),
});
const me = z.object({
  role: z.enum([...passSchema.options.map(({ shape }) => shape.role.value), 'anybody']).meta({
    description: '`anybody`: a request without a token, where the service is open.',
  }),
  name: z.string().meta({ description: 'Who the token was issued to.' }),
  table: tableId.optional(),
  seat: seat.optional(),
  view: z.enum(['audience', 'narrator']).optional(),
  until: instant.optional().meta({ description: 'When the token expires; absent: never.' }),
  isOpen: z.boolean().meta({ description: 'Whether the service is open to everybody on its machine.' }),
  version: z.string().meta({ description: 'The version of the program.' }),
  networkHost: z
    .string()
    .optional()
    .meta({ description: 'Under which name other machines of the network find the service, where it knows.' }),
});

/** What the token of a request permits. */
export const meRoutes = {
  'GET /me': declare({
    summary: 'Who sends the request: the role of its token, its table and seat, and until when it is valid.',
    permits: 'anyToken',
    responses: [json(me, 'The token.')],
  }),
} as const;

/** Issuing, renewing, revoking and listing tokens, and the audit log. */
export const tokenRoutes = {
  'POST /tokens': declare({
    summary: 'Issues a token, or a short link that stands for one.',
    permits: 'linker',
    body: issuing,
    responses: [json(issued, 'The token.', 201)],
    refusals: ['unknown-game', 'not-an-option', 'unknown-token', 'bad-name'],
  }),
  'GET /tokens': declare({
    summary:
      'The tokens that were issued and have not expired, newest first, without the tokens themselves. A seat sees the links that it made.',
    permits: 'linker',
    query: z.strictObject({ ...page, table: tableId.optional() }),
    responses: [json(listed, 'What is known of the tokens.')],
  }),
  'POST /links/open': declare({
    summary: 'Gives the token that a code stands for. After ten wrong codes in a minute an address waits.',
    permits: 'anyone',
    body: z.strictObject({
      code: z.string().max(40).meta({ description: 'In any case; spaces and dashes do not count, O is 0, I and L are 1.' }),
    }),
    responses: [json(issued.required({ table: true }), 'What the link permits, and its token.', 201)],
    refusals: ['unknown-token'],
  }),
  'POST /tokens/renew': declare({
    summary: 'A seat renews its own token: the same id, a later expiry.',
    permits: 'anySeat',
    responses: [json(issued, 'The renewed token.', 201)],
  }),
  'DELETE /tokens/:id': declare({
    summary: 'Revokes one token, or a short link and what was opened with it. A seat revokes links that it made.',
    permits: 'linker',
    params: withId,
    responses: [json(z.object({ id: z.string() }), 'The token that was revoked.')],
    refusals: ['unknown-token'],
  }),
  'POST /tables/:table/revoke': declare({
    summary: 'Revokes all tokens of a table that were issued so far, or those of one seat.',
    permits: 'admin',
    params: atTable,
    body: z.strictObject({ seat: seat.optional() }).default({}),
    responses: [json(z.object({ table: tableId, seat: seat.optional() }), 'Whose tokens were revoked.')],
    refusals: ['unknown-game', 'not-an-option'],
  }),
  'GET /audit': declare({
    summary: 'The audit log, newest first.',
    permits: 'admin',
    query: z.strictObject(page),
    responses: [json(log, 'What administrators did.')],
  }),
} as const;
