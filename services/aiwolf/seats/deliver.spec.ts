import { expect, it } from '@jest/globals';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { serverTerms } from '../terms.ts';
import { newAgentSeat } from './agent-seat.ts';
import { deliver, type DeliverDeps } from './deliver.ts';

it('counts no fault for a request of a round that was over before its answer', async () => {
  const terms = serverTerms.parse({ division: 'natural', port: 0 });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined);
  const faults: string[] = [];
  let round = 0;
  const deps = {
    closing: new AbortController().signal,
    limits: terms,
    now: () => 0,
    round: () => round,
    faults: { add: (_: unknown, { fault }: { readonly fault: string }) => faults.push(fault) },
  } as unknown as DeliverDeps;
  const silentUntil = (ends: number) =>
    ({
      async request() {
        round = ends;
        return { fault: 'late', detail: '' };
      },
    }) as unknown as AgentConnection;
  const vote = { request: 'VOTE', text: '{}', question: 'round-1/day-1/vote' } as const;
  await deliver(deps, seat, silentUntil(0), vote);
  expect(faults).toEqual(['late']);
  await deliver(deps, seat, silentUntil(1), vote);
  expect(faults).toEqual(['late']);
});
