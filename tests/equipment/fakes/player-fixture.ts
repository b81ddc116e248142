import type { Bus } from '@maw/bus/bus.ts';
import { answerId } from '@maw/bus/opaque-id.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { type ReplyData, contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { PlayerOptions } from '@maw/player/defaults.ts';
import { player } from '@maw/player/service.ts';

type Asked = 'table.act' | 'table.join' | 'table.view' | 'room.speak' | 'room.read' | 'llm.complete' | 'llm.cancel';
type Heard = { [N in Asked]: Message<N>[] };
type Lines = ReplyData<'room.read'>['lines'];

export const agree = (data: unknown): Reply => ({ performative: 'agree', data });
export const refuse = (reason: string, detail?: string): Reply => ({
  performative: 'refuse',
  data: { reason, ...(detail === undefined ? {} : { detail }) },
});

/** Waits for a fact, at most a minute. */
export async function until<T>(what: string, fact: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = await fact();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * The services around the player, scripted: a gamemaster, a chatroom and a model gateway.
 * @param open opens the bus of a service; by default all are in memory
 */
export async function playerFixture(open?: (service: string) => Promise<Bus>) {
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('test', { level: 'silent' });
  const buses: Bus[] = [];
  const players: { close(): Promise<void> }[] = [];
  const end = Promise.withResolvers<string>();
  const busOf = async (service: string): Promise<Bus> => {
    const bus = open ? await open(service) : memoryBus({ service, hub, retryMs: [1, 1, 1], graceMs: 2_000 });
    buses.push(bus);
    return bus;
  };
  const scripted = scriptedServices();
  const master = await busOf('gamemaster');
  await consumeAsGamemaster(master, scripted);
  await consumeAsChatroom(await busOf('chatroom'), scripted);
  await consumeAsGateway(await busOf('llm-gateway'), scripted);
  return {
    hub,
    store,
    ...scripted,
    master,
    dead: hub.dead,
    /** Starts one replica. */
    async player(options: Partial<PlayerOptions> = {}, recipes?: readonly Recipe[]) {
      const started = await player({
        bus: await busOf('player'),
        thoughts: store.thoughts,
        strategies: store.strategies,
        policies: store.policies,
        now: Date.now,
        log,
        options: { maxWaitMs: 5, marginMs: 20, ...options },
        ...(recipes ? { recipes } : {}),
      });
      players.push(started);
      return started;
    },
    /** The answer of a model that thinks until the fixture is closed. */
    never: (): Promise<string> => end.promise,
    async close(): Promise<void> {
      end.resolve('');
      await Promise.all(players.map((each) => each.close()));
      await Promise.all(buses.map((bus) => bus.close()));
      await store.close();
    },
  };
}

function scriptedServices() {
  const heard: Heard = {
    'table.act': [],
    'table.join': [],
    'table.view': [],
    'room.speak': [],
    'room.read': [],
    'llm.complete': [],
    'llm.cancel': [],
  };
  const lines: { [room: string]: Lines } = {};
  const closed = new Set<string>();
  /** Rooms that are not there, or that no mind is in. */
  const absent = new Set<string>();
  const script = {
    act: (_message: Message<'table.act'> | Message<'room.speak'>): Reply => agree({ at: Date.now() }),
    join: (message: Message<'table.join'>): Reply => agree({ seat: message.data.seat, name: message.data.name }),
    view: (_message: Message<'table.view'>): ReplyData<'table.view'>['seen'] => [],
    /** The tokens of a prompt, as the model counts them. */
    promptTokens: (_: Message<'llm.complete'>): number => 1,
    /** The answer of the model. */
    model: (_message: Message<'llm.complete'>, _count: number): string | Promise<string> => '{"do":"listen"}',
  };
  return { heard, lines, closed, absent, script };
}

type Scripted = ReturnType<typeof scriptedServices>;

const consumeAsGamemaster = (bus: Bus, { heard, script }: Scripted) =>
  bus.consume('gamemaster', ['table.act', 'table.join', 'table.view'], { concurrency: 50 }, async (message) => {
    (heard[message.type] as Message[]).push(message);
    switch (message.type) {
      case 'table.act':
        return script.act(message);
      case 'table.join':
        return script.join(message);
      case 'table.view': {
        const seen = script.view(message);
        const summary = contracts.get('table.view').replyExample!.summary;
        return { performative: 'inform', data: { summary, seen, more: false, last: seen.length, asked: [], brief: '', alive: [] } };
      }
    }
  });

const consumeAsChatroom = (bus: Bus, { heard, script, lines, closed, absent }: Scripted) =>
  bus.consume('chatroom', ['room.speak', 'room.read'], { concurrency: 50 }, async (message) => {
    (heard[message.type] as Message[]).push(message);
    if (absent.has(message.data.room)) return refuse('not-a-member');
    if (message.type === 'room.speak') return script.act(message);
    const { room, after } = message.data;
    const all = lines[room] ?? [];
    return { performative: 'inform', data: { lines: all.filter(({ line }) => line > after), isOpen: !closed.has(room), last: all.length } };
  });

const consumeAsGateway = (bus: Bus, { heard, script }: Scripted) =>
  bus.consume('llm-gateway', ['llm.complete', 'llm.cancel'], { concurrency: 50, isSingle: true }, async (message) => {
    (heard[message.type] as Message[]).push(message);
    if (message.type === 'llm.cancel') return;
    const content = await script.model(message, heard['llm.complete'].length);
    const times = { queued: 0, load: 0, prefill: 0, decode: 0, total: 0 };
    return agree({
      content,
      model: 'scripted',
      server: 's',
      tokens: { prompt: script.promptTokens(message), completion: 1 },
      times,
      reason: 'stop',
    });
  });

export type PlayerFixture = Awaited<ReturnType<typeof playerFixture>>;

const names = ['Ann', 'Bob', 'Cid', 'Dot'];
/** Not everybody's room: a vote waits for no speech in it. */
export const room = 'round-1/day-1/Square';
export const voteId = 'round-1/day-1/vote';
export const talkId = 'round-1/day-1/talk';

/** A day of MAW as `seat` is asked it. */
export function dayFor(seat: number, given: Partial<Data<'seat.decide'>> & { readonly lastsMs?: number } = {}): Data<'seat.decide'> {
  const { lastsMs = 60_000, ...rest } = given;
  const end = Date.now() + lastsMs;
  const options = names.flatMap((named, other) => (other === seat ? [] : [{ is: `seat:${other}`, named }]));
  const question = { options, pick: 1, until: end, final: false, room, maxChars: 200 };
  return {
    seat,
    phase: 'round-1/day-1',
    questions: [
      { ...question, id: voteId, verb: 'choose' },
      { ...question, id: talkId, verb: 'say', options: [] },
    ],
    brief: `Your role: Villager ${seat}.`,
    rules: { name: 'maw', text: 'Four players.' },
    players: names.map((name, at) => ({ seat: at, name, alive: true })),
    round: 1,
    news: [],
    after: 0,
    recipe: 'algorithm-1',
    seed: `seed-${seat}`,
    until: end,
    ...rest,
  };
}

/** A question on its way to a seat. */
export const decideMessage = (data: Data<'seat.decide'>, sequence = 10, at = Date.now()): Message<'seat.decide'> =>
  contracts.write('seat.decide', data, {
    id: `t1/${sequence}/decide-${data.seat}`,
    source: 'gamemaster',
    subject: 't1',
    at,
    sequence,
    replyBy: data.until,
  });

/** The id of an answer of seat 0. */
export function answerTo(sequence: number, n: number): string {
  const { id, subject, data } = decideMessage(dayFor(0), sequence);
  return answerId(subject, data.seed, id, n);
}

export const tableMoved = (closed: readonly string[], phase = 'round-1/day-1'): Message<'table.moved'> =>
  contracts.write(
    'table.moved',
    { stage: 'round', phase, closed: [...closed] },
    { id: crypto.randomUUID(), source: 'gamemaster', subject: 't1', at: Date.now() },
  );

/** The text of a prompt. */
export const promptOf = ({ data }: Message<'llm.complete'>): string => data.messages.map(({ content }) => content).join('\n');

/** What the last message of a prompt tells as new. */
export const newsIn = ({ data }: Message<'llm.complete'>): string =>
  data.messages
    .at(-1)!
    .content.split('\n\n')
    .find((part) => part.startsWith('New, ')) ?? '';
