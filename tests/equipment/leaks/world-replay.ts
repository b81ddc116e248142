import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { type ReplyData, contracts, type ContractName, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Eye, Question } from '@maw/games/kernel/question.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { roomsOf } from '@maw/gamemaster/state/room-log.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import type { Store } from '@maw/store/store.ts';
import { mustEqual } from '../laws/broken-law.ts';
import { type Done, type PlayedWorld, openingOf, sinceDeal } from '../noninterference/world-pair.ts';
import { wiretap, type Tamper } from './wiretap.ts';

const TABLE = 't';
const LOBBY_MS = 1000;

/** What the services of one eye received, in order and without ids, until the roles are shown to all. */
export type Received = readonly string[];

/** The questions that are asked in these worlds. */
export const askedIn = (worlds: readonly PlayedWorld[]): readonly Question[] =>
  worlds.flatMap(({ tape }) => tape.flatMap((e) => (e.type === 'asked' ? [e['question'] as Question] : [])));

/** How an eye watches a replay. */
export interface Watch {
  readonly eye: Eye;
  readonly tamper: Tamper | undefined;
  /** The times at which the seat tries what it may not do. */
  readonly moments: readonly number[];
  /** The number of forbidden acts it tries each time. */
  readonly persistence: number;
  readonly secret: { readonly questions: readonly string[]; readonly rooms: readonly string[] };
}

type Client = 'web' | 'player';

/** A world that is played again through the services, and what the eye has received so far. */
interface Replay {
  readonly world: PlayedWorld;
  readonly watch: Watch;
  readonly tap: ReturnType<typeof wiretap>;
  readonly store: Store;
  readonly buses: Readonly<Record<Client | 'gamemaster' | 'chatroom', Bus>>;
  readonly clock: { ms: number };
  readonly received: string[];
  /** The latest state of each kind that the eye was shown. */
  readonly shown: Map<string, string>;
  /** The rooms in which the eye has seen something. */
  readonly rooms: Set<string>;
  /** The numbers of repeated acts: the gamemaster does not write them to the tape. */
  readonly repeated: Set<number>;
  /** Messages written, acts done, probes made, and tapped messages read. */
  readonly counts: { messages: number; acts: number; probes: number; heard: number };
  /** The last event of the view that was read. */
  after: number;
  isOver: boolean;
}

/** Replays what was done in a world through the real gamemaster and chatroom. @throws BrokenLaw when another game results */
export async function replay(world: PlayedWorld, done: readonly Done[], watch: Watch): Promise<Received> {
  const run = newReplay(world, watch);
  const services = await startServices(run);
  try {
    await openTable(run);
    await look(run);
    const due = [...watch.moments];
    for (const one of done) {
      while (typeof watch.eye === 'number' && due[0] !== undefined && due[0] <= one.at && !run.isOver) {
        await advanceTo(run, due.shift()!);
        await probe(run);
      }
      await advanceTo(run, one.at);
      await (one.is === 'act' ? act(run, one) : tick(run, one.at));
    }
    await look(run);
    await mustMatchTape(run);
    return run.received;
  } finally {
    for (const service of services) await service.close();
    for (const bus of Object.values(run.buses)) await bus.close();
    await run.store.close();
  }
}

function newReplay(world: PlayedWorld, watch: Watch): Replay {
  const tap = wiretap(watch.tamper);
  const clock = { ms: 0 };
  // The long interval prevents resends on a slow machine.
  const busOf = (service: string) => memoryBus({ service, hub: tap.hub, now: () => clock.ms, resendMs: 86_400_000 });
  return {
    world,
    watch,
    tap,
    store: memoryStore(),
    buses: { gamemaster: busOf('gamemaster'), chatroom: busOf('chatroom'), player: busOf('player'), web: busOf('web') },
    clock,
    received: [],
    shown: new Map(),
    rooms: new Set(),
    repeated: new Set(),
    counts: { messages: 0, acts: 0, probes: 0, heard: 0 },
    after: 0,
    isOver: false,
  };
}

/** Starts the chatroom and the gamemaster. Returns them in the order in which they are closed. */
async function startServices({ world, tap, store, buses, clock }: Replay): Promise<readonly { close(): Promise<unknown> }[]> {
  const common = (service: 'gamemaster' | 'chatroom') => ({ bus: buses[service], now: () => clock.ms, log: tap.logOf(service) });
  const master = await gamemaster({
    ...common('gamemaster'),
    tapes: store.tapes,
    sets: [world.set],
    options: { alarmEveryMs: 0, shareEveryMs: 0 },
  });
  const options = { speechesPerSecond: 1e6, burst: 1e6, aheadMs: 0 };
  const rooms = await chatroom({ ...common('chatroom'), rooms: store.rooms, options });
  return [rooms, master];
}

async function openTable(run: Replay): Promise<void> {
  const { rules, options, seed, seats } = openingOf(run.world);
  const minds = seats.map(() => ({ kind: 'mind', recipe: 'random' }));
  await ask(run, 'web', 'table.open', { rules, seats: minds, rounds: 1, options, seed, lobbyMs: LOBBY_MS, pauseMs: 1000 });
  for (const seat of seats.keys()) await ask(run, 'player', 'table.join', { seat, name: `P${seat}` });
}

function aboutNext({ counts, clock }: Replay, source: string) {
  return { id: `m${++counts.messages}`, source, subject: TABLE, at: clock.ms, replyBy: clock.ms + 600_000 };
}

async function request(run: Replay, source: Client, name: ContractName, data: object): Promise<Reply> {
  const message = contracts.write(name, data as never, aboutNext(run, source));
  return run.buses[source].request(message as unknown as Message<'table.view'>);
}

/** Requests and returns the data of the reply. @throws Error when it is refused */
async function ask<N extends ContractName>(run: Replay, source: Client, name: N, data: object): Promise<ReplyData<N>> {
  const reply = await request(run, source, name, data);
  if (!isFine(reply)) throw new Error(`${name}: ${JSON.stringify(reply.data)}`);
  return reply.data as ReplyData<N>;
}

const isFine = ({ performative }: Reply): boolean => performative === 'agree' || performative === 'inform';

const receive = ({ received, clock }: Replay, is: unknown): void => void received.push(`${clock.ms} ${JSON.stringify(is)}`);

/** Records a state only when it has changed: how often it was read depends on what others do. */
function show(run: Replay, what: string, is: object): void {
  const text = JSON.stringify(is);
  if (run.shown.get(what) === text) return;
  run.shown.set(what, text);
  receive(run, is);
}

/** Records what the eye has received since the last look. `all`: reads also the rooms without news. */
async function look(run: Replay, all = false): Promise<void> {
  const { tap, counts, rooms } = run;
  const { eye } = run.watch;
  await quiet(run);
  const view = await ask(run, 'player', 'table.view', { eye, after: run.after, limit: 5_000 });
  run.isOver = view.summary.stage !== 'round';
  const asked = tap.heard
    .slice(counts.heard)
    .flatMap(({ parcel }) => (parcel.type === 'seat.decide' ? [JSON.parse(parcel.body.toString()) as Message<'seat.decide'>] : []));
  counts.heard = tap.heard.length;
  if (run.isOver) return;
  // The seed belongs to the table and is only for models.
  for (const { data } of asked) if (data.seat === eye) receive(run, { ...data, seed: '' });
  const { seen, clock, ...rest } = view;
  if (view.more) throw new Error('a view is longer than a page');
  run.after = view.last;
  for (const one of seen) receive(run, one);
  show(run, 'view', { ...rest, clock: { ...clock, now: 0 } }); // the present time differs with each look
  if (typeof eye !== 'number') return;
  const changed = new Set(seen.flatMap(({ room }) => room ?? []));
  for (const room of changed) rooms.add(room);
  for (const room of all ? rooms : changed) show(run, room, await ask(run, 'player', 'room.read', { room, seat: eye, limit: 1_000 }));
}

/** Waits until no more messages are sent. */
async function quiet({ tap }: Replay): Promise<void> {
  for (let before = -1; before !== tap.heard.length;) {
    before = tap.heard.length;
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Sends an act or a speech as the player service does. */
async function act(run: Replay, { seat, question, verb, says }: Done & { readonly is: 'act' }): Promise<void> {
  if (verb === 'say') await quiet(run); // the room must be open: this chatroom does not wait for it
  const reply =
    verb === 'say'
      ? await request(run, 'player', 'room.speak', { room: roomOf(run.world, question), seat, text: says[0] })
      : await request(run, 'player', 'table.act', { seat, question, says });
  if (seat === run.watch.eye) receive(run, reply.data);
  if ((reply.data as { reason?: string }).reason === 'already-answered') run.repeated.add(run.counts.acts);
  else if (!isFine(reply)) throw new Error(`${seat} at ${question}: ${JSON.stringify(reply.data)}`);
  run.counts.acts++;
}

function roomOf(world: PlayedWorld, question: string): string {
  const q = askedIn([world]).find(({ id }) => id === question)!;
  return roomsOf(q, [...openingOf(world).seats.keys()])[0]!.room;
}

async function tick(run: Replay, alarm: number): Promise<void> {
  await look(run, true); // the rooms have received everything before they are closed
  const about = { ...aboutNext(run, 'gamemaster'), replyBy: undefined };
  await run.buses.gamemaster.publish(contracts.write('table.tick', { alarm }, about) as Message<'table.tick'>);
  await quiet(run);
}

/** Tries what the seat may not do. The refusal is the same whether another seat could do it or nobody ever. */
async function probe(run: Replay): Promise<void> {
  const { counts } = run;
  const { eye, secret, persistence } = run.watch;
  const room = secret.rooms[counts.probes++ % secret.rooms.length]!;
  const replies = [
    await request(run, 'player', 'room.speak', { seat: eye, room, text: 'Is anybody here?' }),
    await request(run, 'player', 'room.read', { seat: eye, room }),
    await request(run, 'player', 'room.who', { seat: eye, room }),
  ];
  for (let i = 0; i < persistence; i++) {
    const question = secret.questions[(counts.probes + i) % secret.questions.length]!;
    replies.push(await request(run, 'player', 'table.act', { seat: eye, question, says: ['pass'] }));
  }
  for (const reply of replies) {
    if (isFine(reply)) throw new Error(`seat ${eye} may do what it may not: ${JSON.stringify(reply)}`);
    receive(run, reply);
  }
}

/** Moves the clock. The eye looks first, when everything of the present moment has arrived. */
async function advanceTo(run: Replay, at: number): Promise<void> {
  if (at === run.clock.ms) return;
  await look(run);
  run.clock.ms = at;
}

/** The replay must have the same tape as the world; otherwise it proves nothing. */
async function mustMatchTape({ world, store, repeated }: Replay): Promise<void> {
  let answers = 0;
  const expected = sinceDeal(world.tape).filter(({ type }) => type !== 'answered' || !repeated.has(answers++));
  const actual = sinceDeal((await store.tapes.read(TABLE)).map(({ event }) => event));
  mustEqual(
    actual.filter(({ type }) => type !== 'refused'),
    expected,
    'the services played another game',
  );
}
