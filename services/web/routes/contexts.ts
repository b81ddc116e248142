import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { requireOwnSeatOrAdmin } from '../auth/authorize.ts';
import type { Ask } from '../bus-client.ts';
import { parseInput } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

/** The largest context that is loaded, in bytes. */
const MAX_CONTEXT_BYTES = 900_000;

const nothing = z.strictObject({});
const truncation = z.strictObject({ tokens: contracts.get('mind.truncate').data.shape.tokens });
const saved = z.looseObject({});

/** What a seat has in mind: saved, loaded and cut by administrators and the holder of the seat. Not traced, as by night minds act in secret. */
export function contextRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  const path = '/tables/:table/seats/:seat/context';
  return [
    { method: 'GET', path, isUntraced: true, handle: (call) => save(ask, call) },
    { method: 'POST', path, isUntraced: true, maxBodyBytes: MAX_CONTEXT_BYTES, handle: (call) => load(ask, call) },
    { method: 'POST', path: `${path}/truncate`, isUntraced: true, handle: (call) => truncate(ask, call) },
  ];
}

async function save(ask: Ask, call: Call): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, false);
  parseInput(nothing, call.query, 'query');
  return answer((await ask('mind.context', table, { seat }, { signal: call.signal })).context);
}

async function load(ask: Ask, call: Call): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, true);
  const context = parseInput(saved, call.body, 'body');
  return answer(await ask('mind.load', table, { seat, context }, call));
}

async function truncate(ask: Ask, call: Call): Promise<Answer> {
  const { table, seat } = await seatIn(ask, call, true);
  const { tokens } = parseInput(truncation, call.body, 'body');
  call.note({ tokens });
  return answer(await ask('mind.truncate', table, { seat, tokens }, call));
}

/**
 * The seat of the path. @throws Problem no-token, forbidden, unknown-game, not-an-option when the table has no such seat, phase-over when it is
 * to think again and the table is over
 */
async function seatIn(ask: Ask, call: Call, thinksAgain: boolean): Promise<{ readonly table: string; readonly seat: Seat }> {
  const table = tableIn(call);
  const { seat: given = '' } = call.params;
  const seat = /^\d{1,2}$/.test(given) ? Number(given) : NaN;
  requireOwnSeatOrAdmin(call.bearer, table, seat);
  const { summary } = await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal: call.signal });
  if (!summary.players.some((player) => player.seat === seat)) {
    const last = summary.players.length - 1;
    throw new Problem('not-an-option', `${table} has no seat ${given.slice(0, 20)}; its seats are 0 to ${last}`);
  }
  if (thinksAgain && summary.stage === 'over') throw new Problem('phase-over', `${table} is over: its minds do not think again`);
  return { table, seat };
}
