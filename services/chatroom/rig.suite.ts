import { pollUntil } from '@maw/async/poll-until.ts';
import { randomUUID } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { type ReplyData, type ContractName, contracts, type Input, type Data, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { ChatroomOptions } from './defaults.ts';
import { chatroom } from './service.ts';

/** In the future, so that no deadline derived from it has passed. */
export const START = Date.UTC(2040, 0, 1);
export const VILLAGE = 'round-1/day-1/Village';

interface How {
  readonly table?: string;
  readonly id?: string;
}

export type Rig = Awaited<ReturnType<typeof rig>>;

/** A chatroom with a scripted gamemaster and a client, with a clock that the test sets. */
export async function rig(options: Partial<ChatroomOptions> = {}) {
  const hub = memoryHub();
  const store = memoryStore({ service: 'chatroom' });
  const clock = { now: START };
  const acts: Message<'table.act'>[] = [];
  const doorbells: Message<'room.line'>[] = [];
  const faults = { publishing: 0 };
  const closing: (() => Promise<void>)[] = [];
  const busOf = (service: string, on = hub) => {
    const bus = memoryBus({ service, hub: on, retryMs: [1, 1, 1], graceMs: 200 });
    closing.push(() => bus.close());
    return bus;
  };
  async function replica(on = hub): Promise<void> {
    const bus = failingBus(busOf('chatroom', on), faults);
    const rooms = await chatroom({ bus, rooms: store.rooms, now: () => clock.now, options });
    closing.push(() => rooms.close());
  }
  let answering = (): Reply => ({ performative: 'agree', data: { at: clock.now, line: acts.length, room: VILLAGE } });
  await replica();
  await busOf('gamemaster').consume('gamemaster', ['table.act'], { concurrency: 10 }, async (message): Promise<Reply> => {
    acts.push(message);
    return answering();
  });
  await busOf('watcher').subscribe(['room.line'], async (message) => void doorbells.push(message));
  const tester = busOf('tester');
  const tell = <N extends ContractName>(name: N, data: Input<N>, how: How & { readonly on?: typeof hub } = {}): Promise<void> => {
    const bus = how.on && how.on !== hub ? busOf('tester', how.on) : tester;
    return bus.publish(messageAt(clock.now, 'gamemaster', name, data, how) as unknown as Message);
  };
  const ask = <N extends ContractName>(name: N, data: Input<N>, how: How = {}): Promise<Reply<ReplyData<N>>> =>
    tester.request(messageAt(clock.now, 'player', name, data, how));

  return {
    hub,
    rooms: store.rooms,
    clock,
    acts,
    doorbells,
    faults,
    /** Sets the gamemaster's answer. */
    says: (answer: () => Reply) => void (answering = answer),
    replica,
    tell,
    ask,
    opening,
    line,
    speak: (seat: number, text: string, { room = VILLAGE, id }: { readonly room?: string; readonly id?: string } = {}) =>
      ask('room.speak', { room, seat, text }, id === undefined ? {} : { id }),
    /** Reads lines. @throws Error with the reason of a refusal */
    read: async (seat: number, after = 0, limit = 200) => dataOf(await ask('room.read', { room: VILLAGE, seat, after, limit })),
    /** Waits until the room is stored. */
    heard: (room = VILLAGE) => until('what was told', async () => (await store.rooms.room('t1', room)) !== undefined),
    async close(): Promise<void> {
      for (const each of closing.splice(0).toReversed()) await each();
      await store.close();
    },
  };
}

function messageAt<N extends ContractName>(
  at: number,
  source: string,
  name: N,
  data: Input<N>,
  { table = 't1', id = randomUUID() }: How,
): Message<N> {
  return contracts.write(name, data as never, { id, source, subject: table, at, replyBy: at + 60_000 }) as unknown as Message<N>;
}

function dataOf<T>(reply: Reply<T>): T {
  if (reply.performative === 'refuse' || reply.performative === 'failure') throw new Error(reply.data.reason);
  return reply.data as T;
}

/** A bus on which the next `faults.publishing` publishes fail. */
const failingBus = (inner: Bus, faults: { publishing: number }): Bus => ({
  ...inner,
  publish: async (message) => {
    if (faults.publishing > 0 && faults.publishing--) throw new Error('the broker is away');
    await inner.publish(message);
  },
});

const opening = (changed: Partial<Data<'room.open'>> = {}): Data<'room.open'> => ({
  room: VILLAGE,
  question: 'round-1/day-1/talk',
  name: 'Village',
  members: [0, 1, 2],
  speakers: [0, 1],
  maxChars: 20,
  until: START + 60_000,
  opened: 5,
  ...changed,
});

const line = (n: number, changed: Partial<Data<'room.said'>> = {}): Data<'room.said'> => ({
  room: VILLAGE,
  line: n,
  by: 0,
  text: `line ${n}`,
  at: START,
  ...changed,
});

/** The reason of a refusal; undefined for any other reply. */
export const reasonOf = (reply: Reply): string | undefined =>
  reply.performative === 'refuse' || reply.performative === 'failure' ? reply.data.reason : undefined;

/** Polls for a fact. */
export const until = <T>(what: string, fact: () => T | Promise<T>) => pollUntil(what, fact, { everyMs: 2 });
