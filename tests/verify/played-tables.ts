import { randomUUID } from 'node:crypto';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Store } from '@maw/store/store.ts';
import { startReplica } from '@maw/gamemaster/replica.suite.ts';
import { tableCache as tablesOf } from '@maw/gamemaster/tables/table-cache.ts';
import { pollUntil } from '@maw/async/poll-until.ts';

/** When the games of these tests were played: long enough ago that nothing of them is on its way any more. */
export const START = Date.UTC(2026, 0, 1);

export interface Terms {
  readonly table: string;
  readonly rules: string;
  readonly players: number;
  readonly rounds?: number;
  readonly options?: { readonly [name: string]: string | number | boolean };
  /** After this many acts the table is left as it is. */
  readonly acts?: number;
}

/** A gamemaster and a chatroom on a store, with a clock of their own that jumps from alarm to alarm. */
export async function gamemasterAndChatroom(store: Pick<Store, 'tapes' | 'rooms'>, start = START) {
  const hub = memoryHub();
  const clock = { now: start };
  const at = await startReplica({ hub, tapes: store.tapes, now: () => clock.now });
  const bus = memoryBus({ service: 'chatroom', hub, retryMs: [1, 1, 1] });
  const rooms = await chatroom({ bus, rooms: store.rooms, now: () => clock.now });
  const tables = tablesOf(store.tapes, { tables: 10_000, events: Number.POSITIVE_INFINITY }, catalogue, []);

  /** Plays a table with random legal answers of people, to its end or so far. */
  async function play({ table, rules, players, rounds = 1, options = {}, acts = Infinity }: Terms): Promise<void> {
    const how = () => ({ table, id: randomUUID(), replyBy: Date.now() + 600_000 });
    const dice = diceOf(table, 'random play');
    const seats = Array.from({ length: players }, () => ({ kind: 'person' as const }));
    await at.get('table.open', { rules, seats, rounds, options, seed: table, pauseMs: 1_000 }, how());
    for (let seat = 0; seat < players; seat++) await at.get('table.join', { name: `P${seat}`, seat }, how());
    for (let done = 0; done < acts; done++) {
      const { state: ledger } = await tables.fresh(table);
      const { game, standing } = ledger;
      if (game.isOver(standing)) return;
      const may = standing.game.names.flatMap((_, seat) => game.asked(standing, seat).map((q) => ({ seat, q })));
      const one = may[dice.below(may.length || 1)];
      const says = one && dice.below(100) < 80 ? randomAnswer(one.q, one.seat, dice) : undefined;
      clock.now += 1 + dice.below(50);
      if (one && says) await at.ask('table.act', { seat: one.seat, question: one.q.id, says: [...says] }, how());
      else {
        const alarm = game.wake(standing)!;
        clock.now = Math.max(clock.now, alarm);
        await at.tell('table.tick', { alarm }, { ...how(), source: 'gamemaster' });
        await at.get('table.view', { eye: 'audience', limit: 1 }, how()); // of one table one after another: the alarm is done
      }
    }
  }

  return {
    clock,
    play,
    /** What the gamemaster keeps of tables. */
    inside: at.inside,
    /** Resolves once the chatroom has done everything it was told. */
    async heard(): Promise<void> {
      const told = at.said.filter(({ type }) => type === 'room.open' || type === 'room.close' || type === 'room.said');
      await pollUntil('the end of all rooms', async () => {
        for (const message of told) {
          const room = await store.rooms.room(message.subject, (message.data as { readonly room: string }).room);
          if (!room || (message.type === 'room.close' && !room.isArchived)) return false;
        }
        return true;
      });
    },
    async close(): Promise<void> {
      await at.close();
      await rooms.close();
      await bus.close();
    },
  };
}
