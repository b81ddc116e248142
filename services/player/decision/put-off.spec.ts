import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import type { Data } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import {
  agree,
  decideMessage,
  dayFor,
  promptOf,
  refuse,
  tableMoved,
  type PlayerFixture,
  playerFixture,
  talkId,
  until,
  voteId,
} from '@maw/testing/fakes/player-fixture.ts';
import { parseMemory } from '../state/memory.ts';
import { newProgress, startProgress } from '../state/progress.ts';
import { player } from '../service.ts';

let here: PlayerFixture;
let others: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(async () => {
  for (const each of others.splice(0).toReversed()) await each.close();
  await here.close();
});

const vote = '{"do":"vote","target":"Bob"}';
const memoryOf = async (seat: number) => parseMemory(await here.store.thoughts.recall('t1', seat));
const closeDay = (at = here) => at.master.publish(tableMoved([voteId, talkId]));
const running = async () => (await metrics.thinking.get()).values.find(({ labels }) => labels.service === 'player')?.value ?? 0;
const delayed = (n = 1) => ({ n, at: 0, event: { type: 'delayed', ms: 60_000, at: 0 }, text: 'The game stood still for 60 seconds.' });
const putOff = (given: Partial<Data<'seat.decide'>> = {}) => dayFor(0, { news: [delayed()], ...given });

/** A replica of its own, with a queue of its own, so that a test says who takes what; what seats have in mind is shared. */
async function another(): Promise<PlayerFixture> {
  const around = await playerFixture();
  const bus = memoryBus({ service: 'player', hub: around.hub, retryMs: [1, 1, 1], graceMs: 2_000 });
  const replica = await player({
    bus,
    thoughts: here.store.thoughts,
    now: Date.now,
    log: logger('test', { level: 'silent' }),
    options: { maxWaitMs: 5, marginMs: 20 },
  });
  others.push(around, bus, replica);
  return around;
}

describe('a seat whose time was put off', () => {
  it('thinks on, until later, and does not choose again what stands', async () => {
    here.script.model = () => vote;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the vote', () => here.heard['table.act'].length > 0);
    await here.master.publish(decideMessage(putOff(), 20));
    const told = await until('a thought that knows of it', () =>
      here.heard['llm.complete'].find((asked) => promptOf(asked).includes('stood still')),
    );
    await until('more thoughts', () => here.heard['llm.complete'].length > here.heard['llm.complete'].indexOf(told) + 3);
    expect(here.heard['table.act'].map(({ id }) => id)).toEqual(['t1/10/decide-0:a0']);
    const kept = (await memoryOf(0))!.decision!;
    expect([kept.id, kept.standing]).toEqual(['t1/20/decide-0', { [voteId]: ['seat:1'] }]);
    await closeDay();
    await until('the end', async () => (await running()) === 0);
  });

  it('answers what it could not answer in time', async () => {
    let isBack = false;
    here.script.model = () => vote;
    here.script.act = () => (isBack ? agree({ at: Date.now() }) : refuse('phase-over'));
    await here.player();
    const final = { questions: [{ ...dayFor(0).questions[0]!, final: true }] };
    await here.master.publish(decideMessage(dayFor(0, final)));
    await until('the end of the first', async () => (await memoryOf(0))?.decision?.closed.length === 1 && (await running()) === 0);
    isBack = true;
    await here.master.publish(decideMessage(putOff(final), 20));
    await until('the answer', () => here.heard['table.act'].some(({ id }) => id === 't1/20/decide-0:a0'));
  });

  it('begins anew when another phase is asked, or when somebody else held the seat meanwhile', () => {
    const standing = { [voteId]: ['seat:1'] };
    const kept = { ...newProgress('t1/10/decide-0', 10, 'round-1/day-1'), iteration: 4, answers: 3, closed: [talkId], standing };
    const fresh = newProgress('t1/20/decide-0', 20, 'round-1/day-1');
    expect(startProgress(decideMessage(putOff(), 20), kept)).toEqual({ ...fresh, iteration: 4, standing });
    expect(startProgress(decideMessage(dayFor(0), 20), kept)).toEqual(fresh);
    const handed = { n: 2, at: 0, event: { type: 'handed', seat: 0, to: 'mind' } };
    expect(startProgress(decideMessage(putOff({ news: [delayed(), handed] }), 20), kept)).toEqual(fresh);
    expect(startProgress(decideMessage(putOff({ phase: 'round-1/day-2' }), 20), kept)).toEqual({ ...fresh, phase: 'round-1/day-2' });
    expect(startProgress(decideMessage(putOff(), 20), undefined)).toEqual(fresh);
    expect(startProgress(decideMessage(dayFor(0), 10), kept)).toBe(kept);
  });

  it('does not act at the replica that was asked before, whatever that still thinks', async () => {
    const thought = Promise.withResolvers<string>();
    here.script.model = () => thought.promise;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the old thought', () => here.heard['llm.complete'].length === 1);
    const there = await another();
    there.script.model = (_, count) => (count === 1 ? vote : there.never());
    await there.master.publish(decideMessage(putOff(), 20));
    await until('the new vote', () => there.heard['table.act'].length === 1);
    const before = await running();
    thought.resolve('{"do":"vote","target":"Cid"}');
    await until('the end of the old one', async () => (await running()) < before);
    expect(here.heard['table.act']).toEqual([]);
    expect((await memoryOf(0))!.decision).toMatchObject({ id: 't1/20/decide-0', outbox: [{ id: 't1/20/decide-0:a0', says: ['seat:1'] }] });
    expect(here.heard['llm.complete']).toHaveLength(1);
    await closeDay(there);
  });
});

describe('the same decision at two replicas', () => {
  it('answers under the same ids, so that each answer counts once', async () => {
    here.script.model = (_, count) => (count === 1 ? vote : here.never());
    await here.player();
    const there = await another();
    there.script.model = (_, count) => (count === 1 ? '{"do":"vote","target":"Cid"}' : there.never());
    const decision = decideMessage(dayFor(0));
    await Promise.all([here.master.publish(decision), there.master.publish(decision)]);
    await until('both votes', () => here.heard['table.act'].length > 0 && there.heard['table.act'].length > 0);
    expect(here.heard['table.act'][0]!.id).toBe('t1/10/decide-0:a0');
    expect(there.heard['table.act'][0]!.id).toBe('t1/10/decide-0:a0');
    await closeDay();
    await closeDay(there);
  });
});
