import { z } from 'zod';
import { instant, seat, tableId } from '../messages/schemas.ts';
import { readLinkCode } from './link-code.ts';
import { atTable, declare, json } from './route.ts';
import { passSchema, tokenLifetime, withTokenId } from './tokens.ts';

const [, ofSeat, ofSpectator, ofJoin] = passSchema.options;
const place = { role: z.enum(['seat', 'spectator', 'join']), table: tableId, seat: seat.optional(), view: ofSpectator.shape.view };
const linkFacts = { id: z.string(), ...place, until: instant };

/** Short links: codes that stand for a token of a table. */
export const linkRoutes = {
  'POST /tables/:table/links': declare({
    summary:
      'Makes a short link: a code that stands for an invitation, a seat or a right to watch. A seat may make links to watch as the audience.',
    permits: 'linker',
    params: atTable,
    body: z.discriminatedUnion('role', [
      z.strictObject({ ...ofSpectator.omit({ table: true }).shape, ttlMs: tokenLifetime }),
      z.strictObject({ ...ofJoin.omit({ table: true }).shape, ttlMs: tokenLifetime }),
      z.strictObject({ ...ofSeat.omit({ table: true }).shape, ttlMs: tokenLifetime }),
    ]),
    responses: [
      json(
        z.object({
          ...linkFacts,
          code: z.string().meta({ description: 'Ten letters. The page opens it at `/j#CODE`. It is not stored: nobody can look it up.' }),
        }),
        'The link.',
        201,
      ),
    ],
    refusals: ['unknown-game', 'not-an-option', 'unknown-token'],
  }),
  'GET /tables/:table/links': declare({
    summary: 'The short links of a table that have not expired, newest first, without their codes: all, or those that the seat has made.',
    permits: 'linker',
    params: atTable,
    responses: [json(z.object({ links: z.array(z.object({ ...linkFacts, by: z.string(), isRevoked: z.boolean() })) }), 'The links.')],
  }),
  'DELETE /tables/:table/links/:id': declare({
    summary: 'Revokes a short link, and whatever was opened with it. A seat revokes those that it has made.',
    permits: 'linker',
    params: { ...atTable, ...withTokenId },
    responses: [json(z.object({ id: z.string() }), 'The link that was revoked.')],
    refusals: ['unknown-token'],
  }),
  'POST /links/open': declare({
    summary: 'Gives the token that a code stands for. After ten wrong codes in a minute an address waits.',
    permits: 'anyone',
    body: z.strictObject({
      code: z
        .string()
        .max(40)
        .meta({ description: 'In any case; spaces and dashes do not count, O is 0, I and L are 1.' })
        .transform((text) => readLinkCode(text) ?? ''),
    }),
    responses: [json(z.object({ ...linkFacts, token: z.string() }), 'What the link permits, and its token.', 201)],
    refusals: ['unknown-token'],
  }),
} as const;
