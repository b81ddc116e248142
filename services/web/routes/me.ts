import { z } from 'zod';
import { instant, seat, tableId } from '@maw/contracts/messages/schemas.ts';
import about from '../package.json' with { type: 'json' };
import { anyToken } from '../auth/permissions.ts';
import { passSchema } from '../auth/roles.ts';
import { answer, json, route, type Route } from '../route.ts';

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
});

/** What the token of a request permits. */
export const meRoute = ({ isOpen }: { readonly isOpen: boolean }): Route =>
  route({
    method: 'GET',
    path: '/me',
    summary: 'Who sends the request: the role of its token, its table and seat, and until when it is valid.',
    permits: anyToken,
    responses: [json(me, 'The token.')],
    handle: async ({ bearer: { pass, name, until } }) =>
      answer({ ...pass, name, ...(until === undefined ? {} : { until }), isOpen, version: about.version }),
  });
