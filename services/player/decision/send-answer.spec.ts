import { describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { sendAnswer } from './send-answer.ts';

const example = contracts.get('seat.decide').example;
const [rooms, progress] = [{ hasFound: () => false }, { standing: {} }];

/** What a player makes of a refusal by the gamemaster. */
async function fateOf(reason: string, final: boolean) {
  const hub = memoryHub();
  const [player, master] = [memoryBus({ service: 'player', hub }), memoryBus({ service: 'gamemaster', hub })];
  await master.consume('gamemaster', ['table.act'], { concurrency: 1 }, async () => ({ performative: 'refuse', data: { reason } }));
  const until = Date.now() + 60_000;
  const message = contracts.write('seat.decide', { ...example, until }, { id: 'd', source: 'gamemaster', subject: 't1', at: Date.now() });
  const asking = { ...example.questions[0]!, until, final };
  try {
    const answer = { id: 'd:a1', question: asking.id, says: ['seat:0'] };
    return await sendAnswer({ bus: player, rooms, progress, now: Date.now, signal: new AbortController().signal }, message, asking, answer);
  } finally {
    await player.close();
    await master.close();
  }
}

describe('sendAnswer', () => {
  it('counts already-answered as taken while the vote may change', async () => {
    expect(await fateOf('already-answered', false)).toEqual({ is: 'taken' });
  });

  it.each([
    ['already-answered', true],
    ['phase-over', false],
    ['dead', false],
    ['forbidden', false],
  ])('refused as %s (final: %j) closes the question for the seat', async (reason, final) => {
    expect(await fateOf(reason, final)).toEqual({ is: 'closed', reason });
  });

  it('returns refusals that another answer may avoid', async () => {
    expect(await fateOf('not-an-option', false)).toMatchObject({ is: 'refused', reason: 'not-an-option' });
  });

  it.each([
    ['has read', true, {}, { is: 'closed', reason: 'not-a-member' }],
    ['has spoken', false, { [example.questions[0]!.id]: ['hello'] }, { is: 'closed', reason: 'not-a-member' }],
    ['was not seen', false, { other: ['hello'] }, { is: 'early', waitMs: 500 }],
  ])('refused as not-a-member of a room in which the seat %s (read: %j, taken: %j) is %j', async (_, isFound, standing, outcome) => {
    const hub = memoryHub();
    const [player, chatroom] = [memoryBus({ service: 'player', hub }), memoryBus({ service: 'chatroom', hub })];
    await chatroom.consume('chatroom', ['room.speak'], { concurrency: 1 }, async () => ({
      performative: 'refuse',
      data: { reason: 'not-a-member' },
    }));
    const message = contracts.write('seat.decide', example, { id: 'd', source: 'gamemaster', subject: 't1', at: Date.now() });
    const asking = { ...example.questions[0]!, verb: 'say' as const, room: 'Village' };
    const answer = { id: 'd:a1', question: asking.id, says: ['hello'] };
    const found = { hasFound: (room: string) => isFound && room === 'Village' };
    const sender = { bus: player, rooms: found, progress: { standing }, now: Date.now };
    expect(await sendAnswer({ ...sender, signal: new AbortController().signal }, message, asking, answer)).toEqual(outcome);
    await player.close();
    await chatroom.close();
  });

  it.each(['choose', 'say'] as const)('that is decided by %s uses one id; a choice keeps it until voting ends', async (verb) => {
    const hub = memoryHub();
    const player = memoryBus({ service: 'player', hub });
    const heard: Message<'table.act'>[] = [];
    const master = memoryBus({ service: 'gamemaster', hub });
    await master.consume('gamemaster', ['table.act'], { concurrency: 1 }, async (message) => {
      heard.push(message);
      return { performative: 'agree', data: { at: 1 } };
    });
    const at = Date.now();
    const message = contracts.write(
      'seat.decide',
      { ...example, until: at + 60_000 },
      { id: 'd', source: 'gamemaster', subject: 't1', at },
    );
    const { room: _, ...rest } = example.questions[0]!;
    const asking = { ...rest, verb, until: at + 60_000 };
    const answer = { id: 'd:a1', question: asking.id, says: ['seat:0'] };
    await sendAnswer({ bus: player, rooms, progress, now: () => at, signal: new AbortController().signal }, message, asking, answer);
    expect(heard.map(({ id, replyby }) => [id, Date.parse(replyby!) - at])).toEqual([['d:a1', verb === 'choose' ? 60_000 : 10_000]]);
    const last = { ...asking, until: at + 1 };
    await sendAnswer({ bus: player, rooms, progress, now: () => at, signal: new AbortController().signal }, message, last, {
      ...answer,
      id: 'd:a2',
    });
    expect(Date.parse(heard[1]!.replyby!) - at).toBe(10_000);
    await player.close();
    await master.close();
  });
});
