import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { atSeat, declare, json } from './route.ts';

/** The largest context that is loaded, in bytes. */
const MAX_CONTEXT_BYTES = 900_000;

const saved = contracts.get('mind.load').data.shape.context;
const loaded = contracts.replyOf('mind.load');
const common = { params: atSeat, permits: 'ownSeatOrAdmin', isUntraced: true } as const;
const refusals = ['unknown-game', 'not-an-option', 'phase-over'] as const;

/** What a seat has in mind: saved, loaded and cut by administrators and the holder of the seat. Not traced, as by night minds act in secret. */
export const contextRoutes = {
  'GET /tables/:table/seats/:seat/context': declare({
    ...common,
    summary: 'What the mind of a seat remembers, to be saved, read, and loaded again.',
    responses: [json(saved, 'The context.')],
    refusals: ['unknown-game', 'not-an-option', 'too-long'],
  }),
  'POST /tables/:table/seats/:seat/context': declare({
    ...common,
    summary: 'Loads such a context into the seat, changed or not.',
    maxBodyBytes: MAX_CONTEXT_BYTES,
    body: saved,
    responses: [json(loaded, 'The seat into which it was loaded.')],
    refusals: [...refusals, 'too-long'],
  }),
  'POST /tables/:table/seats/:seat/context/truncate': declare({
    ...common,
    summary: 'Drops the oldest lines of the context at the next decision.',
    body: z.strictObject({ tokens: contracts.get('mind.truncate').data.shape.tokens }),
    responses: [json(loaded, 'The seat whose context will be cut.')],
    refusals,
  }),
} as const;
