import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { type ReplyData, contracts, type ContractName, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type Eye, isAmong, type Question } from '@maw/games/kernel/question.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { memoryStore } from '@maw/store/memory.ts';
import { roomsOf } from '@maw/gamemaster/state/room-log.ts';
import { mustEqual } from '../laws/broken-law.ts';
import { type Done, doneIn, type PlayedWorld, openingOf, type WorldPair, sinceDeal } from '../noninterference/world-pair.ts';
import { wiretap, type Tamper } from './wiretap.ts';

const TABLE = 't';
const LOBBY_MS = 1000;

/** What the services of one seat received, in order, without ids, until the roles are revealed. */
export type Got = readonly string[];

export interface PairedRun {
  readonly got: readonly [Got, Got];
  /** Whether the narrator's views differ; otherwise the law proves nothing. */
  readonly differs: boolean;
  /** Whether the acts or their times differ. */
  readonly actsDiffer: boolean;
}

export interface Manner {
  /** Creates a change to the messages of one world, to test the law itself. */
  readonly tamper?: (() => Tamper) | undefined;
  /** At this many moments, the same in both worlds, the seat tries illegal acts. */
  readonly probes?: number;
  /** The number of attempts each time. */
  readonly persistence?: number;
}

/** Where the eye's streams of the two worlds first differ; undefined when they are equal. */
export function difference({ got: [one, other] }: Pick<PairedRun, 'got'>): string | undefined {
  const at = Array.from({ length: Math.max(one.length, other.length) }, (_, i) => i).find((i) => one[i] !== other[i]);
  return at === undefined ? undefined : `at ${at}: ${one[at] ?? 'nothing'} against ${other[at] ?? 'nothing'}`;
}

/**
 * The projection law over the services. Plays each world of a pair through the real gamemaster and chatroom, and compares what the services
 * of the eye receive and when: questions, replies, events, room lines.
 * @throws BrokenLaw when a world played by the services differs from the one played by hand
 */
export async function runPair({ eye, worlds }: WorldPair, { tamper, probes = 0, persistence = 1 }: Manner = {}): Promise<PairedRun> {
  const done = worlds.map(doneIn) as [readonly Done[], readonly Done[]];
  const end = Math.min(...done.map((all) => all.at(-1)?.at ?? 0));
  const moments = Array.from({ length: probes }, (_, i) => Math.ceil(((i + 1) * end) / (probes + 1)));
  const secret = { questions: secretFrom(eye, worlds), rooms: roomsWithout(eye, worlds) };
  const got = await Promise.all(
    worlds.map((world, i) => played(world, done[i]!, { eye, tamper: tamper?.(), moments, persistence, secret })),
  );
  const texts = worlds.map(({ tape }) => JSON.stringify(sinceDeal(tape)));
  return {
    got: [got[0]!, got[1]!],
    differs: texts[0] !== texts[1],
    actsDiffer: JSON.stringify(done[0]) !== JSON.stringify(done[1]),
  };
}

/** Questions of either world that the eye knows in neither, or one that is never asked. */
function secretFrom(eye: Eye, worlds: WorldPair['worlds']): readonly string[] {
  const asked = askedIn(worlds);
  const known = new Set(asked.flatMap((q) => (isAmong(q, eye) ? [q.id] : [])));
  const secret = asked.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  return secret.length ? [...new Set(secret)].toSorted() : ['round-1/nowhere'];
}

/** Rooms of either world that are closed to the eye in both, or one that is never opened. */
function roomsWithout(eye: Eye, worlds: WorldPair['worlds']): readonly string[] {
  const seats = [...openingOf(worlds[0]).seats.keys()];
  const rooms = askedIn(worlds).flatMap((q) => roomsOf(q, seats));
  const known = new Set(rooms.flatMap(({ room, members }) => (members.some((seat) => seat === eye) ? [room] : [])));
  const secret = rooms.flatMap(({ room }) => (known.has(room) ? [] : [room]));
  return secret.length ? [...new Set(secret)].toSorted() : ['round-1/nowhere/Nowhere'];
}

const askedIn = (worlds: readonly PlayedWorld[]): readonly Question[] =>
  worlds.flatMap(({ tape }) => tape.flatMap((e) => (e.type === 'asked' ? [e['question'] as Question] : [])));

interface Looking {
  readonly eye: Eye;
  readonly tamper: Tamper | undefined;
  readonly moments: readonly number[];
  readonly persistence: number;
  readonly secret: { readonly questions: readonly string[]; readonly rooms: readonly string[] };
}

/** Plays a world's acts through the services. */
async function played(world: PlayedWorld, done: readonly Done[], { eye, tamper, moments, persistence, secret }: Looking): Promise<Got> {
  const { rules, options, seed, seats } = openingOf(world);
  const ears = wiretap(tamper);
  const store = memoryStore();
  let clock = 0;
  const now = (): number => clock;
  const busOf = (service: string) => memoryBus({ service, hub: ears.hub, now, resendMs: 86_400_000 }); // no retries because of a slow machine
  const [forMaster, forRooms, forPlayer, forWeb] = [busOf('gamemaster'), busOf('chatroom'), busOf('player'), busOf('web')];
  const master = await gamemaster({
    bus: forMaster,
    tapes: store.tapes,
    now,
    log: ears.logOf('gamemaster'),
    sets: [world.set],
    options: { alarmEveryMs: 0 },
  });
  const rooms = await chatroom({
    bus: forRooms,
    rooms: store.rooms,
    now,
    log: ears.logOf('chatroom'),
    options: { speechesPerSecond: 1e6, burst: 1e6, aheadMs: 0 },
  });
  let messages = 0;
  const about = (source: string) => ({ id: `m${++messages}`, source, subject: TABLE, at: clock, replyBy: clock + 600_000 });

  const request = async (source: 'web' | 'player', name: ContractName, data: object): Promise<Reply> =>
    (source === 'web' ? forWeb : forPlayer).request(
      contracts.write(name, data as never, about(source)) as unknown as Message<'table.view'>,
    );

  async function ask<N extends ContractName>(source: 'web' | 'player', name: N, data: object): Promise<ReplyData<N>> {
    const reply = await request(source, name, data);
    if (!isFine(reply)) throw new Error(`${name}: ${JSON.stringify(reply.data)}`);
    return reply.data as ReplyData<N>;
  }

  const got: string[] = [];
  /** The latest of each kind that it was shown. */
  const shown = new Map<string, string>();
  /** The rooms in which it has seen something. */
  const known = new Set<string>();
  /** Repeated choices, which a gamemaster does not append again. */
  const spared = new Set<number>();
  let [told, acts, tried, after] = [0, 0, 0, 0];
  let isOver = false;

  /** A repeated view is nothing new, and the number of views depends on the acts of others. */
  function show(what: string, is: object): void {
    const text = JSON.stringify(is);
    if (shown.get(what) === text) return;
    shown.set(what, text);
    got.push(`${clock} ${text}`);
  }

  /** Collects what reached the eye since the last call. `all`: also from rooms without news. */
  async function look(all = false): Promise<void> {
    await quiet();
    const view = await ask('player', 'table.view', { eye, after, limit: 5_000 });
    isOver = view.summary.stage !== 'round';
    const asked = ears.heard
      .slice(told)
      .flatMap(({ parcel }) => (parcel.type === 'seat.decide' ? [JSON.parse(parcel.body.toString()) as Message<'seat.decide'>] : []));
    told = ears.heard.length;
    if (isOver) return;
    // The seed is random per table and known to models only.
    for (const { data } of asked) if (data.seat === eye) got.push(`${clock} ${JSON.stringify({ ...data, seed: '' })}`);
    const { seen, ...rest } = view;
    if (view.more) throw new Error('a view is longer than a page');
    after = view.last;
    for (const one of seen) got.push(`${clock} ${JSON.stringify(one)}`);
    show('view', rest);
    if (typeof eye !== 'number') return;
    const here = new Set(seen.flatMap(({ room }) => room ?? []));
    for (const room of here) known.add(room);
    for (const room of all ? known : here) show(room, await ask('player', 'room.read', { room, seat: eye, limit: 1_000 }));
  }
  /** Waits until no more messages arrive. */
  async function quiet(): Promise<void> {
    for (let before = -1; before !== ears.heard.length;) {
      before = ears.heard.length;
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** An act or a speech, as the player service sends it. */
  async function act({ seat, question, verb, says }: Done & { readonly is: 'act' }): Promise<void> {
    if (verb === 'say') await quiet(); // the room is open, as this chatroom does not wait for it
    const reply =
      verb === 'say'
        ? await request('player', 'room.speak', { room: roomOf(question), seat, text: says[0] })
        : await request('player', 'table.act', { seat, question, says });
    if (seat === eye) got.push(`${clock} ${JSON.stringify(reply.data)}`);
    if ((reply.data as { reason?: string }).reason === 'already-answered') spared.add(acts);
    else if (!isFine(reply)) throw new Error(`${seat} at ${question}: ${JSON.stringify(reply.data)}`);
    acts++;
  }

  /** The seat tries illegal acts. The refusal must not depend on whether another seat could do it. */
  async function probe(): Promise<void> {
    const room = secret.rooms[tried++ % secret.rooms.length]!;
    const replies = [
      await request('player', 'room.speak', { seat: eye, room, text: 'Is anybody here?' }),
      await request('player', 'room.read', { seat: eye, room }),
      await request('player', 'room.who', { seat: eye, room }),
    ];
    for (let i = 0; i < persistence; i++) {
      const question = secret.questions[(tried + i) % secret.questions.length]!;
      replies.push(await request('player', 'table.act', { seat: eye, question, says: ['pass'] }));
    }
    for (const reply of replies) {
      if (isFine(reply)) throw new Error(`seat ${eye} may do what it may not: ${JSON.stringify(reply)}`);
      got.push(`${clock} ${JSON.stringify(reply)}`);
    }
  }

  try {
    await ask('web', 'table.open', {
      rules,
      seats: seats.map(() => ({ kind: 'mind', recipe: 'random' })),
      rounds: 1,
      options,
      seed,
      lobbyMs: LOBBY_MS,
      pauseMs: 1000,
    });
    for (const seat of seats.keys()) await ask('player', 'table.join', { seat, name: `P${seat}` });
    await look();
    const due = [...moments];
    for (const one of done) {
      while (typeof eye === 'number' && due[0] !== undefined && due[0] <= one.at && !isOver) {
        await until(due.shift()!);
        await probe();
      }
      await until(one.at);
      if (one.is === 'act') await act(one);
      else {
        await look(true); // and the rooms have received everything before they close
        await forMaster.publish(
          contracts.write('table.tick', { alarm: one.at }, { ...about('gamemaster'), replyBy: undefined }) as Message<'table.tick'>,
        );
        await quiet();
      }
    }
    await look();
    await mustHaveLived();
    return got;
  } finally {
    await rooms.close();
    await master.close();
    for (const bus of [forMaster, forRooms, forPlayer, forWeb]) await bus.close();
    await store.close();
  }

  /** Advances time. What an eye has seen is collected once everything of one moment has arrived. */
  async function until(at: number): Promise<void> {
    if (at === clock) return;
    await look();
    clock = at;
  }

  /** Asserts that the same happened as by hand; otherwise the world proves nothing. */
  async function mustHaveLived(): Promise<void> {
    let answers = 0;
    const should = sinceDeal(world.tape).filter(({ type }) => type !== 'answered' || !spared.has(answers++));
    const kept = sinceDeal((await store.tapes.read(TABLE)).map(({ event }) => event));
    mustEqual(
      kept.filter(({ type }) => type !== 'refused'),
      should,
      'with the services another game was played',
    );
  }

  function roomOf(question: string): string {
    const q = askedIn([world]).find(({ id }) => id === question)!;
    return roomsOf(q, [...seats.keys()])[0]!.room;
  }
}

const isFine = ({ performative }: Reply): boolean => performative === 'agree' || performative === 'inform';
