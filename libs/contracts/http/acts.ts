import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { ACT_REASONS } from '../refusal.ts';
import { holder, place, seat, text } from '../messages/schemas.ts';
import { atTable, declare, json } from './route.ts';
import type { Code } from './reasons.ts';

const { question, says } = contracts.get('table.act').data.shape;
const nothing = z.strictObject({}).default({});

const REFUSALS = ['unknown-game', ...ACT_REASONS, 'not-joined'] as const satisfies readonly Code[];
const HAND_REFUSALS = ['unknown-game', 'not-an-option', 'already-seated', 'not-joined', 'phase-over'] as const satisfies readonly Code[];

const own = { permits: 'ownSeat', params: atTable, isUntraced: true } as const;
const acting = {
  ...own,
  responses: [json(contracts.replyOf('table.act'), 'When it counted, and the line that it became.')],
  refusals: REFUSALS,
} as const;
const handing = {
  ...own,
  body: nothing,
  responses: [json(z.object({ seat, holder }), 'Who plays the seat now.')],
  refusals: HAND_REFUSALS,
} as const;

/** What a person does at the table; all of it needs the token of the seat. */
export const actRoutes = {
  'POST /tables/:table/acts': declare({
    ...acting,
    summary: 'Answers an open question; with an empty `says` the seat is ready, in a public vote that may change.',
    body: z.strictObject({ question, says }),
  }),
  'POST /tables/:table/actions': declare({
    ...acting,
    summary: 'Answers an open question, whatever its kind, as the JSON schema of its answers says.',
    body: z.strictObject({
      question: place,
      answer: z.union([text, z.array(text).max(20), z.strictObject({ to: z.string().max(100), text })]),
    }),
  }),
  'POST /tables/:table/speech': declare({
    ...acting,
    summary: 'Speaks in a room.',
    body: z.strictObject({ room: contracts.get('room.speak').data.shape.room, text }),
  }),
  'POST /tables/:table/whispers': declare({
    ...acting,
    summary: 'Says something to one other seat.',
    body: z.strictObject({ to: z.union([seat, z.string().min(1).max(100)]), text }),
  }),
  'POST /tables/:table/leave': declare({ ...handing, summary: 'Hands the seat to a mind.' }),
  'POST /tables/:table/return': declare({ ...handing, summary: 'Takes the seat back.' }),
} as const;
