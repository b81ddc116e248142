import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { trace, TraceFlags } from '@opentelemetry/api';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { recordSpans } from '@maw/tests/equipment/leaks/wiretap.ts';
import type { OperatorSpan } from '@maw/tests/equipment/leaks/running-games.ts';
import { decideMessage, dayFor } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { publishMessages } from './publish.ts';

let spans: ReturnType<typeof recordSpans>;
beforeEach(() => {
  spans = recordSpans();
});
afterEach(() => spans.close());

const opening = (room: string): Message => {
  const { example } = contracts.get('room.open');
  return contracts.write('room.open', { ...example, room }, { id: room, source: 'gamemaster', subject: 't1', at: 0 }) as Message;
};

it('traces public messages, and records no span where a secret one is sent', async () => {
  const [village, hideout] = [opening('Village'), opening('Hideout')];
  const [publicly, secretly] = [decideMessage(dayFor(1)), decideMessage(dayFor(2))];
  const isTraced = new Map<Message, boolean>();
  const bus = {
    publish: async (message: Message) => {
      isTraced.set(message, ((trace.getActiveSpan()?.spanContext().traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0);
    },
  };
  const derived = { notices: [village, hideout], decisions: [publicly, secretly], secret: new Set<Message>([hideout, secretly]) };
  await inSpan('gamemaster', 'take act', {}, () =>
    publishMessages(bus as never, 't1', { ...derived, talk: [{ seat: 4, to: 2 }, { seat: 5 }], newPhase: 'round' }),
  );
  expect(isTraced).toEqual(
    new Map<Message, boolean>([
      [village, true],
      [hideout, false],
      [publicly, true],
      [secretly, false],
    ]),
  );
  const seen = spans.take().map((text) => JSON.parse(text) as OperatorSpan);
  expect(seen.map(({ name }) => name).toSorted()).toEqual(['ask seat', 'hear talk', 'hear talk', 'reach phase', 'take act']);
  expect(seen.find(({ name }) => name === 'ask seat')!.attributes).toMatchObject({ 'maw.seat': 1, 'maw.decision': publicly.id });
  expect(seen.filter(({ name }) => name === 'hear talk').map(({ attributes }) => attributes)).toEqual([
    { 'maw.table': 't1', 'maw.seat': 4, 'maw.addressee': '2' },
    { 'maw.table': 't1', 'maw.seat': 5, 'maw.addressee': 'all' },
  ]);
  expect(new Set(seen.map(({ trace: id }) => id)).size).toBe(5);
});
