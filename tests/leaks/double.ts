import { memoryBus } from '@maw/bus/memory.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { type Answer, contracts, type ContractName, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { diceOf } from '@maw/games/dice.ts';
import type { Eye } from '@maw/games/question.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { memoryStore } from '@maw/store/memory.ts';
import type { Played } from '../laws/table.ts';
import { live, pairOf } from '../laws/worlds.ts';
import { openEars, type Tamper } from './ears.ts';

/** What is done in one world, in order: an act, or the next alarm. */
type Done =
  | {
      readonly is: 'act';
      readonly seat: number;
      readonly question: string;
      readonly verb: string;
      readonly says: readonly string[];
      readonly at: number;
    }
  | { readonly is: 'alarm'; readonly at: number };

const PLAYERS = 7;
const LOBBY_MS = 1000;

/** A table by hand of which every act is written down. */
function noted(table: Played): { readonly table: Played; readonly done: Done[] } {
  const done: Done[] = [];
  const act: Played['act'] = (seat, step, ...says) => {
    const { id, verb } = table.question(step);
    const at = table.now;
    const events = table.act(seat, step, ...says);
    done.push({ is: 'act', seat, question: id, verb, says, at });
    return events;
  };
  const wait: Played['wait'] = () => {
    const events = table.wait();
    done.push({ is: 'alarm', at: table.now });
    return events;
  };
  return { table: Object.create(table, { act: { value: act }, wait: { value: wait } }) as Played, done };
}

/** What the services of one seat got, in order, ids aside; up to where the roles are told to all. */
export type Got = readonly string[];

export interface Doubled {
  readonly got: readonly [Got, Got];
  /** Whether what the narrator sees is another thing in each: otherwise the law says nothing. */
  readonly differs: boolean;
}

/** Where what an eye got in the two worlds comes apart; undefined when it is the same. */
export function difference({ got: [one, other] }: Doubled): string | undefined {
  const at = Array.from({ length: Math.max(one.length, other.length) }, (_, i) => i).find((i) => one[i] !== other[i]);
  return at === undefined ? undefined : `at ${at}: ${one[at] ?? 'nothing'} against ${other[at] ?? 'nothing'}`;
}

/**
 * The projection law over the services: a pair of worlds that differ only in what an eye may not know, each played through the real gamemaster
 * and chatroom, and what the services of that eye got in each: what it was asked, what it saw, the lines of its rooms.
 */
export async function doubled(
  n: number,
  eye: Eye,
  options: { readonly [name: string]: string | number | boolean },
  tamper?: () => Tamper,
): Promise<Doubled> {
  const pair = pairOf(n, eye, options);
  const worlds = [noted(pair[0]), noted(pair[1])] as const;
  live([worlds[0].table, worlds[1].table], eye, diceOf(`public ${n}`, ''), [diceOf(`a ${n}`, ''), diceOf(`b ${n}`, '')]);
  const got = await Promise.all(worlds.map(({ table, done }) => played(table, done, eye, tamper?.())));
  return { got: [got[0]!, got[1]!], differs: JSON.stringify(pair[0].tape) !== JSON.stringify(pair[1].tape) };
}

/** Plays what was done in a world through the services. */
async function played(world: Played, done: readonly Done[], eye: Eye, tamper?: Tamper): Promise<Got> {
  const ears = openEars(tamper);
  const store = memoryStore();
  let clock = 0;
  const now = (): number => clock;
  const busOf = (service: string) => memoryBus({ service, hub: ears.hub, now });
  const [forMaster, forRooms, forPlayer, forWeb] = [busOf('gamemaster'), busOf('chatroom'), busOf('player'), busOf('web')];
  const master = await gamemaster({ bus: forMaster, tapes: store.tapes, now, log: ears.logOf('gamemaster'), options: { alarmEveryMs: 0 } });
  const rooms = await chatroom({
    bus: forRooms,
    rooms: store.rooms,
    now,
    log: ears.logOf('chatroom'),
    options: { speechesPerSecond: 1e6, burst: 1e6 },
  });
  let messages = 0;
  const about = (source: string) => ({ id: `m${++messages}`, source, subject: 't', at: clock, replyBy: clock + 600_000 });

  async function ask<N extends ContractName>(source: 'web' | 'player', name: N, data: object): Promise<Answer<N>> {
    const bus = source === 'web' ? forWeb : forPlayer;
    const reply: Reply = await bus.request(contracts.write(name, data as never, about(source)) as unknown as Message<N>);
    // The rules let a seat choose again what it has chosen; the gamemaster spares the tape the noise.
    const isRepeated = name === 'table.act' && (reply.data as { reason?: string }).reason === 'already-answered';
    if (reply.performative !== 'agree' && reply.performative !== 'inform' && !isRepeated)
      throw new Error(`${name}: ${JSON.stringify(reply.data)}`);
    return reply.data as Answer<N>;
  }

  const got: string[] = [];
  let told = 0;
  let isOver = false;

  /** Takes down what came to the eye since. */
  async function look(): Promise<void> {
    const view = await ask('player', 'table.view', { eye, limit: 5_000 });
    isOver = view.summary.stage !== 'round';
    const asked = ears.heard
      .slice(told)
      .flatMap(({ parcel }) => (parcel.type === 'seat.decide' ? [JSON.parse(parcel.body.toString()) as Message<'seat.decide'>] : []));
    told = ears.heard.length;
    if (isOver) return;
    // The seed is for models, and of the table's own.
    for (const { data } of asked) if (data.seat === eye) got.push(JSON.stringify({ ...data, seed: '' }));
    got.push(JSON.stringify(view));
    if (typeof eye !== 'number') return;
    for (const room of new Set(view.seen.flatMap((seen) => seen.room ?? [])))
      got.push(JSON.stringify(await ask('player', 'room.read', { room, seat: eye, limit: 1_000 })));
  }

  /** What is on its way is there when nothing more comes. */
  async function quiet(): Promise<void> {
    for (let before = -1; before !== ears.heard.length;) {
      before = ears.heard.length;
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  try {
    const { opening } = world.standing.game;
    const seats = Array.from({ length: PLAYERS }, () => ({ kind: 'mind', recipe: 'random' }));
    await ask('web', 'table.open', {
      rules: opening.rules,
      seats,
      rounds: 1,
      options: opening.options,
      seed: opening.seed,
      lobbyMs: LOBBY_MS,
      pauseMs: 1000,
    });
    for (let seat = 0; seat < PLAYERS; seat++) await ask('player', 'table.join', { seat, name: `P${seat}` });
    await quiet();
    await look();
    for (const one of done) {
      clock = one.at;
      if (one.is === 'alarm') {
        await quiet(); // the rooms have heard all before they are closed
        await forMaster.publish(
          contracts.write('table.tick', { alarm: one.at }, { ...about('gamemaster'), replyBy: undefined }) as Message<'table.tick'>,
        );
        await quiet();
        await look();
        if (isOver) return got;
      } else if (one.verb === 'say') {
        await ask('player', 'room.speak', { room: roomOf(one.question), seat: one.seat, text: one.says[0] });
      } else await ask('player', 'table.act', { seat: one.seat, question: one.question, says: one.says });
    }
    await quiet();
    await look();
    return got;
  } finally {
    await rooms.close();
    await master.close();
    for (const bus of [forMaster, forRooms, forPlayer, forWeb]) await bus.close();
    await store.close();
  }

  function roomOf(question: string): string {
    for (const { parcel } of ears.heard) {
      if (parcel.type !== 'room.open') continue;
      const { data } = JSON.parse(parcel.body.toString()) as Message<'room.open'>;
      if (data.question === question) return data.room;
    }
    throw new Error(`no room was opened for ${question}`);
  }
}
