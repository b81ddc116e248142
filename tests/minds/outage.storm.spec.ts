import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { pollUntil } from '@maw/async/poll-until.ts';

// One game of every rule set, played by minds without a model, in the middle of which there is no gamemaster for an hour.

const minute = 60_000;
const AWAY_MS = 60 * minute;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
  closing.push(() => part.close());
  return part;
};

/** Options under which a game is short, and there is time enough to answer all that does not end by the clock. */
function briskly({ name, options }: RuleSet): { [option: string]: string | number | boolean } {
  const times = Object.keys(options).filter((option) => option.endsWith('Ms'));
  const rest = { hurry: true, maxDays: 2, utterances: 2, whispers: 1, talkRounds: 1 };
  return {
    ...Object.fromEntries(times.map((option) => [option, name === 'maw' ? 3_000 : minute])),
    ...Object.fromEntries(Object.entries(rest).filter(([option]) => Object.hasOwn(options, option))),
  };
}

async function played(set: RuleSet) {
  const hub = memoryHub();
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const store = keep(memoryStore({ now }));
  const log = logger('minds', { level: 'silent' });
  const busOf = (service: string) => keep(memoryBus({ service, hub }));
  const master = () =>
    gamemaster({
      bus: busOf('gamemaster'),
      tapes: store.tapes,
      heartbeat: store.heartbeat,
      now,
      log,
      options: { alarmEveryMs: 10, heartbeatMs: minute } /* a machine that stands still for a while is no outage of its own */,
    });
  keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, log, options: { paceMs: 5, marginMs: 20 } }));
  const tape = () => store.tapes.read('t1');

  let running = await master();
  closing.push(() => running.close());
  const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
  const about = { id: 'open', source: 'web', subject: 't1', at: now(), replyBy: now() + minute };
  const terms = { rules: set.name, seats, rounds: 1, options: briskly(set), seed: 'b', pauseMs: 50 };
  const reply = await busOf('web').request(contracts.write('table.open', terms, about) as Message<'table.open'>);
  expect(reply).toMatchObject({ performative: 'agree' });
  await pollUntil('an answer', async () => (await tape()).some(({ event }) => event.type === 'answered'), { timeoutMs: 10 * minute });
  await running.close();
  ahead = AWAY_MS;
  running = await master();
  await pollUntil('the end of the table', async () => (await tape()).some(({ event }) => event.type === 'closed'), {
    timeoutMs: 10 * minute,
  });
  return { hub, store, tape: await tape() };
}

describe.each(catalogue.map((set) => [set.name, set] as const))('a game of %s after an outage of an hour', (name, set) => {
  it(
    'continues: open questions are answered, and nothing counts twice',
    async () => {
      const { hub, store, tape } = await played(set);
      const events = tape.map(({ event }) => event as unknown as TableEvent);
      const at = events.findIndex(({ type }) => type === 'delayed');
      const delayed = events.filter((e) => e.type === 'delayed');
      expect(delayed).toHaveLength(1);
      expect(delayed[0]!.ms).toBeGreaterThanOrEqual(AWAY_MS);
      expect(delayed[0]!.ms).toBeLessThan(2 * AWAY_MS);
      expect(fromTape('t1', tape, catalogue).state.standing.game).toMatchObject({ stage: 'over' });
      expect(hub.dead).toEqual([]);

      const { open } = fromTape('t1', tape.slice(0, at), catalogue).state.standing;
      expect(open.length).toBeGreaterThan(0);
      const after = events.slice(at);
      for (const { id, settles } of open) {
        const settled = after.find((e) => (e.type === 'settled' || e.type === 'withdrawn') && e.question === id);
        expect([id, settled !== undefined]).toEqual([id, true]);
        if (settles === 'by-the-clock' || name === 'maw') continue; // those end by the clock
        expect(after.filter((e) => e.type === 'passed' && e.question === id)).toEqual([]);
        expect(settled).not.toHaveProperty('defaulted');
      }
      const causes = tape.filter(({ event }) => event.type === 'answered').map(({ cause }) => cause);
      expect(new Set(causes).size).toBe(causes.length);
      await pollUntil('the archive of a room that was put off', async () => (await store.rooms.room('t1', roomOf(tape)))?.isArchived, {
        timeoutMs: 10 * minute,
      });
    },
    30 * minute,
  );
});

/** A room that was announced the delay, or the first that there was. */
function roomOf(tape: Parameters<typeof fromTape>[1]): string {
  const { lines } = fromTape('t1', tape, catalogue).state;
  const delay = tape.find(({ event }) => event.type === 'delayed')!;
  return (lines.get(delay.sequence) ?? [...lines.values()][0])![0]!.room;
}
