import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { ownSeatOrAdmin } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, atSeat, type AtSeat, type Call, json, route, type Route } from '../route.ts';

/** The largest context that is loaded, in bytes. */
const MAX_CONTEXT_BYTES = 900_000;

const truncation = z.strictObject({ tokens: contracts.get('mind.truncate').data.shape.tokens });
const saved = contracts.get('mind.load').data.shape.context;
const loaded = contracts.replyOf('mind.load');

/** What a seat has in mind: saved, loaded and cut by administrators and the holder of the seat. Not traced, as by night minds act in secret. */
export function contextRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  const path = '/tables/:table/seats/:seat/context';
  const common = { params: atSeat, permits: ownSeatOrAdmin, isUntraced: true } as const;
  const refusals = ['unknown-game', 'not-an-option', 'phase-over'] as const;
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'What the mind of a seat remembers, to be saved, read, and loaded again.',
      responses: [json(saved, 'The context.')],
      refusals: ['unknown-game', 'not-an-option', 'too-long'],
      handle: (call) => save(ask, call),
    }),
    route({
      ...common,
      method: 'POST',
      path,
      summary: 'Loads such a context into the seat, changed or not.',
      maxBodyBytes: MAX_CONTEXT_BYTES,
      body: saved,
      responses: [json(loaded, 'The seat into which it was loaded.')],
      refusals: [...refusals, 'too-long'],
      handle: (call) => load(ask, call),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/truncate`,
      summary: 'Drops the oldest lines of the context at the next decision.',
      body: truncation,
      responses: [json(loaded, 'The seat whose context will be cut.')],
      refusals,
      handle: (call) => truncate(ask, call),
    }),
  ];
}

async function save(ask: Ask, call: Call<AtSeat>): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, false);
  return answer((await ask('mind.context', table, { seat }, { signal: call.signal })).context);
}

async function load(ask: Ask, call: Call<AtSeat & { readonly body: typeof saved }>): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, true);
  return answer(await ask('mind.load', table, { seat, context: call.body }, call));
}

async function truncate(ask: Ask, call: Call<AtSeat & { readonly body: typeof truncation }>): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, true);
  const { tokens } = call.body;
  call.note({ tokens });
  return answer(await ask('mind.truncate', table, { seat, tokens }, call));
}

/**
 * The seat of the path. @throws Problem unknown-game, not-an-option when the table has no such seat, phase-over when it is to think again and
 * the table is over
 */
async function seatIn(ask: Ask, call: Call<AtSeat>, thinksAgain: boolean): Promise<{ readonly table: string; readonly seat: Seat }> {
  const { table, seat } = call.params;
  const { summary } = await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal: call.signal });
  if (!summary.players.some((player) => player.seat === seat)) {
    const last = summary.players.length - 1;
    throw new Problem('not-an-option', `${table} has no seat ${seat}; its seats are 0 to ${last}`);
  }
  if (thinksAgain && summary.stage === 'over') throw new Problem('phase-over', `${table} is over: its minds do not think again`);
  return call.params;
}
