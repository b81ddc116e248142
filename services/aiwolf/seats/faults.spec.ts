import { expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { type AgentSeat, newAgentSeat } from './agent-seat.ts';
import { FaultBook } from './faults.ts';

it.each([
  ['protocol', true, ['late'], true],
  ['protocol', true, ['gone'], true],
  ['natural', true, ['gone'], true],
  ['natural', true, ['late'], false],
  ['natural', true, ['empty'], false],
  ['natural', false, ['gone', 'late'], false],
  ['protocol', false, ['gone', 'late'], false],
] as const)('%s, strict %s: loses the seat by %j: %s', (division, strict, faults, isLost) => {
  const seat = newAgentSeat('s', { seat: 0, name: 'fox' }, serverTerms.parse({ division, port: 0, strict }), undefined);
  const book = new FaultBook({ sets: { addFaults: async () => undefined }, log: logger('aiwolf', { level: 'silent' }), now: () => 0 });
  for (const fault of faults) book.add(seat, { request: 'TALK', question: 'q', fault, detail: '' });
  expect(seat.faults.isLost ?? false).toBe(isLost);
  book.add(seat, { request: 'VOTE', question: 'q', fault: 'gone', detail: '' });
  expect(seat.faults.count).toBe(faults.length + (isLost ? 0 : 1)); // what it is not asked is no fault
});

it('logs who failed where all are asked, and stores all faults', async () => {
  const lines: string[] = [];
  const log = logger('aiwolf', { destination: { write: (line) => void lines.push(line) } });
  const { agentSets: sets } = memoryStore();
  const book = new FaultBook({ sets, log, now: () => 5 });
  const seat = {
    set: 't',
    seat: 3,
    agent: 'Ann',
    terms: { division: 'protocol' },
    faults: {},
    play: { state: { table: { game: { round: 1 } } } },
  } as unknown as AgentSeat;
  for (const request of ['VOTE', 'DIVINE', 'WHISPER'])
    book.add(seat, { request, question: `round-1/x/${request}`, fault: 'late', detail: 'no answer', instead: 'seat:2' });
  await book.store();
  const [vote, ...secret] = lines.map((line) => JSON.parse(line) as object);
  expect(vote).toMatchObject({ set: 't', seat: 3, agent: 'Ann', request: 'VOTE', fault: 'late' });
  expect(secret).toEqual([expect.objectContaining({ set: 't', fault: 'late' }), expect.objectContaining({ set: 't', fault: 'late' })]);
  expect(JSON.stringify(secret)).not.toMatch(/seat|Ann|DIVINE|WHISPER|question/);
  expect((await sets.faults('t')).map(({ request, agent }) => [request, agent])).toEqual([
    ['VOTE', 'Ann'],
    ['DIVINE', 'Ann'],
    ['WHISPER', 'Ann'],
  ]);
});
