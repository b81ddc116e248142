import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { atTable, declare, json, wholeNumber } from '@maw/contracts/http/route.ts';
import { openApiDocument } from './openapi.ts';
import { answer, route } from './route.ts';

const document = openApiDocument([
  route(
    'POST /tables/:table/rooms/*room/who',
    declare({
      summary: 'Says <hello>.',
      permits: 'anyToken',
      params: { ...atTable, room: atTable.table },
      query: z.strictObject({ limit: wholeNumber(1, 9).optional() }),
      body: z.strictObject({ names: z.array(z.enum(['Ann', 'Bo'])), more: z.int().optional() }),
      responses: [json(z.object({ seat: z.int().min(0).max(99) }), 'The seat.', 201)],
      refusals: ['dead'],
    }),
    async () => answer({}),
  ),
]);
const { post } = document.paths['/tables/{table}/rooms/{room}/who']!;

describe('openApiDocument', () => {
  it('has the parameters, the body and the responses of a route', () => {
    expect(post!.operationId).toBe('postTablesByTableRoomsByRoomWho');
    expect(post!.parameters!.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
      'path table',
      'path room',
      'query limit',
      'header Idempotency-Key',
    ]);
    expect(post!.parameters![2]!.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 9 });
    expect(post!.requestBody).toMatchObject({ required: true, content: { 'application/json': { schema: { required: ['names'] } } } });
    expect(post!.responses['201']!.content['application/json']!.schema).toMatchObject({ properties: { seat: { maximum: 99 } } });
  });

  it('has a refusal per status, with the reasons of the route', () => {
    const reasonsOf = (status: number) =>
      (post!.responses[status]!.content['application/problem+json']!.schema['properties'] as { reason: { enum: string[] } }).reason.enum;
    expect([reasonsOf(409), reasonsOf(401), reasonsOf(413)]).toEqual([['dead'], ['no-token', 'bad-token'], ['too-large']]);
    for (const status of ['404', '422']) expect(post!.responses[status]).toBeUndefined();
  });
});
