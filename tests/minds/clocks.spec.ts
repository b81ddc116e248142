import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { player } from '@maw/player/service.ts';
import { watchClock } from '@maw/service/watch-clock.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';

// A game whose services are on machines with wrong clocks. They are not paused, so whatever goes by such a clock shows.

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const keep = <T extends { close(): unknown }>(part: T): T => {
  closing.push(() => part.close());
  return part;
};

/** A game of Avalon in which each seat has a minute for every answer. The clocks of services are so far ahead, and as far behind once it has begun. */
async function playedUnder(aheadMs: { readonly [service: string]: number | undefined }) {
  const hub = memoryHub();
  const store = keep(memoryStore());
  const log = logger('minds', { level: 'silent' });
  let sign = 1;
  const parts = async (service: string) => {
    const wall = () => Date.now() + sign * (aheadMs[service] ?? 0);
    const { clock, now } = keep(await watchClock({ service, read: () => store.now(), log, wall }));
    return { bus: keep(memoryBus({ service, hub, now })), clock, now, log };
  };
  keep(
    await gamemaster({
      ...(await parts('gamemaster')),
      tapes: store.tapes,
      heartbeat: store.heartbeat,
      options: { alarmEveryMs: 10, heartbeatMs: MINUTE },
    }),
  );
  keep(await chatroom({ ...(await parts('chatroom')), rooms: store.rooms, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  keep(await player({ ...(await parts('player')), thoughts: store.thoughts, options: { paceMs: 5, marginMs: 20 } }));
  const web = await parts('web');

  const set = catalogue.find(({ name }) => name === 'avalon')!;
  const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
  const times = Object.keys(set.options).filter((option) => option.endsWith('Ms'));
  const options = { ...Object.fromEntries(times.map((option) => [option, MINUTE])), hurry: true };
  const about = { id: 'open', source: 'web', subject: 't1', at: web.now(), replyBy: web.now() + 5 * SECOND };
  const terms = { rules: set.name, seats, rounds: 1, options, seed: 'clocks' };
  const reply = await web.bus.request(contracts.write('table.open', terms, about) as Message<'table.open'>);
  expect(reply).toMatchObject({ performative: 'agree' });
  const tape = () => store.tapes.read('t1');
  await pollUntil('an answer', async () => (await tape()).some(({ event }) => event.type === 'answered'), { timeoutMs: 10 * MINUTE });
  sign = -1;
  await pollUntil('the end', async () => (await tape()).some(({ event }) => event.type === 'closed'), { timeoutMs: 10 * MINUTE });
  return { hub, tape: await tape() };
}

describe('a game of services with wrong clocks', () => {
  it.each([
    { gamemaster: 6 * SECOND, player: -HOUR },
    { chatroom: HOUR, web: -10 * MINUTE },
  ])(
    'loses no answer with clocks ahead by %j ms, then behind',
    async (aheadMs) => {
      const { hub, tape } = await playedUnder(aheadMs);
      expect(fromTape('t1', tape, catalogue).state.standing.game).toMatchObject({ stage: 'over' });
      const events = tape.map(({ event }) => event as unknown as TableEvent);
      expect(events.filter(({ type }) => type === 'passed' || type === 'delayed')).toEqual([]);
      expect(hub.dead).toEqual([]);
    },
    20 * MINUTE,
  );
});
