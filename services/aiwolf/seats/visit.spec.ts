import { expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { Refused } from '@maw/bus/request-client.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { newAgentSeat } from './agent-seat.ts';
import { FaultBook } from './faults.ts';
import { visitSeat, type VisitDeps } from './visit.ts';

it('takes a seat back from its stand-in with the next game, but not from a mind that somebody else has given it then', async () => {
  const terms = serverTerms.parse({ division: 'protocol', port: 0 });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, { name: 'fox1' } as unknown as AgentConnection);
  seat.play.hasStandIn = true;
  Object.assign(seat.faults, { round: 1, count: terms.faults });
  const handed: unknown[] = [];
  let round = 1;
  const deps = {
    ask: async (type: string, _: string, data: { readonly to?: string }) => {
      if (type !== 'table.hand') throw new Refused({ reason: 'forbidden' });
      handed.push(data.to);
    },
    log: logger('aiwolf', { level: 'silent' }),
    now: () => 0,
    round: () => round,
    maxFaults: terms.faults,
    faults: new FaultBook({} as never),
  } as unknown as VisitDeps;
  await visitSeat(deps, seat);
  expect(handed).toEqual([]);
  round = 2;
  for (let n = 0; n < 2; n++) await visitSeat(deps, seat);
  expect([handed, seat.play.isGivenAway]).toEqual([['person'], true]);
});
