import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { operator } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { answer, type Answer, atSeat, type AtSeat, atTable, type AtTable, type Call, json, route, type Route } from '../route.ts';
import { requireModels } from './require-models.ts';

const { why } = contracts.get('table.abort').data.shape;
const aborting = z.strictObject({ why }).default({});
const { seat: _, ...mind } = contracts.get('table.assign').data.shape;
const assigning = z.strictObject(mind);

/** What operators do to running tables. */
export function operateRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/tables/:table/pause',
      summary: 'Stops a table, for a day at most.',
      permits: operator,
      params: atTable,
      responses: [json(contracts.replyOf('table.pause'), 'Since when it is paused, and when it goes on by itself.')],
      refusals: ['unknown-game', 'phase-over'],
      handle: async (call) => answer(await ask('table.pause', tableOf(call), {}, call)),
    }),
    route({
      method: 'POST',
      path: '/tables/:table/resume',
      summary: 'Lets a paused table go on.',
      permits: operator,
      params: atTable,
      responses: [json(contracts.replyOf('table.resume'), 'The table.')],
      refusals: ['unknown-game', 'phase-over'],
      handle: async (call) => answer(await ask('table.resume', tableOf(call), {}, call)),
    }),
    route({
      method: 'POST',
      path: '/tables/:table/abort',
      summary: 'Ends a table without winners and points.',
      permits: operator,
      params: atTable,
      body: aborting,
      responses: [json(contracts.replyOf('table.abort'), 'The table.')],
      refusals: ['unknown-game', 'phase-over'],
      handle: async (call) => answer(await ask('table.abort', tableOf(call), call.body, call)),
    }),
    route({
      method: 'POST',
      path: '/tables/:table/seats/:seat/mind',
      summary: 'Gives a seat another recipe or model, from its next decision on.',
      permits: operator,
      params: atSeat,
      body: assigning,
      responses: [json(contracts.replyOf('table.assign'), 'The seat.')],
      refusals: ['unknown-game', 'not-an-option', 'bad-option', 'phase-over'],
      isUntraced: true, // a trace that names the seat would tell that a mind plays it
      handle: (call) => assign(ask, call),
    }),
  ];
}

function tableOf(call: Call<AtTable>): string {
  const { table } = call.params;
  call.note({ table });
  return table;
}

async function assign(ask: Ask, call: Call<AtSeat & { readonly body: typeof assigning }>): Promise<Answer> {
  const { table, seat } = call.params;
  call.note({ table, seat, ...call.body });
  await requireModels(ask, { model: call.body.model }, call.signal);
  return answer(await ask('table.assign', table, { seat, ...call.body }, call));
}
