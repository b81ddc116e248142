import { z } from 'zod';
import { tableId } from '../messages/schemas.ts';
import { atTable, declare, json } from './route.ts';

const facts = {
  asks: z.array(z.string()).meta({ description: 'Who has asked for another game, as this process knows.' }),
  next: tableId.optional().meta({ description: 'The table that follows on this one, once it is open.' }),
};

/** Another game with the same people and minds. */
export const againRoutes = {
  'POST /tables/:table/again': declare({
    summary: 'Opens the table that follows on one that is over: the same terms, people and minds, and a new deal. Opens it once.',
    permits: 'opener',
    params: atTable,
    body: z.strictObject({ isShuffled: z.boolean().optional().meta({ description: 'Whether the seats are drawn anew.' }) }).default({}),
    responses: [
      json(z.object({ table: tableId }), 'The table, which is open already.'),
      json(z.object({ table: tableId }), 'The table.', 201),
    ],
    refusals: ['unknown-game', 'not-an-option', 'bad-option', 'bad-name', 'name-taken', 'already-begun'],
  }),
  'GET /tables/:table/again': declare({
    summary: 'Whether another game follows on a table, and who has asked for one.',
    permits: 'anyToken',
    params: atTable,
    responses: [json(z.object(facts), 'The next table, if there is one.')],
  }),
  'POST /tables/:table/again/seat': declare({
    summary: 'Takes the seat of the same person at the table that follows; asks for one while there is none.',
    permits: 'ownSeat',
    params: atTable,
    responses: [json(z.object({ ...facts, token: z.string().optional() }), 'The next table, and the token of the seat there.')],
    refusals: ['unknown-game', 'not-an-option', 'table-full', 'already-begun', 'already-seated', 'name-taken', 'paused'],
  }),
} as const;
