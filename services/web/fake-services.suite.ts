import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { type ReplyData, contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { readName } from '@maw/games/match/player-name.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import { Refusal as RuleRefusal } from '@maw/games/kernel/refusal.ts';

type View = ReplyData<'table.view'>;
type Seen = View['seen'][number];

/** What the double keeps of a table. */
export interface ScriptedTable {
  readonly summary: View['summary'];
  /** By eye: what it has seen. */
  readonly seen: Map<Eye, Seen[]>;
  /** By seat: what it may answer. */
  readonly asked: Map<number, View['asked']>;
  brief: string;
}

const TYPES = ['table.open', 'table.join', 'table.act', 'table.hand', 'table.view', 'table.list', 'table.rules'] as const;
type Heard = Message<(typeof TYPES)[number]> | Message<'room.speak'> | Message<'room.who'> | Message<'llm.models'>;

/**
 * A gamemaster, a chatroom and a gateway that know no rules: they keep the contracts, write down what they hear,
 * and say what a test has scripted. The same message twice is one deed, as it is for the real ones.
 */
export async function fakeServices() {
  const hub = memoryHub();
  const bus = memoryBus({ service: 'gamemaster', hub });
  const tables = new Map<string, ScriptedTable>();
  const heard: Heard[] = [];
  const deeds = new Map<string, Reply>();
  const script: { refusal: Refusal | undefined; held: PromiseWithResolvers<void> | undefined } = { refusal: undefined, held: undefined };

  const tableOf = (table: string): ScriptedTable => {
    const found = tables.get(table);
    if (!found) throw new Refusal('unknown-game', `there is no table ${table}`);
    return found;
  };

  function open(message: Message<'table.open'>): Reply {
    if (!tables.has(message.subject)) addTable(message.subject, message.data);
    return { performative: 'agree', data: { table: message.subject } };
  }

  function addTable(
    table: string,
    { seats, rules, rounds = 1, spectators = 'audience' }: Partial<Data<'table.open'>> & Pick<Data<'table.open'>, 'seats' | 'rules'>,
  ) {
    const eyes: Eye[] = [...seats.keys(), 'audience', 'narrator'];
    const free = seats.filter(({ kind }) => kind === 'person').length;
    const players = seats.map((_, seat) => ({ seat, points: 0 }));
    const summary = { table, rules, stage: 'lobby' as const, round: 0, rounds, players, free, opened: 1_767_225_600_000, spectators };
    const made: ScriptedTable = { summary, seen: new Map(eyes.map((eye) => [eye, []])), asked: new Map(), brief: '' };
    tables.set(table, made);
    return made;
  }

  function join({ subject, data }: Message<'table.join'>): Reply {
    const { players } = tableOf(subject).summary;
    const seat = data.seat ?? players.findIndex(({ name }) => name === undefined);
    if (seat < 0) throw new Refusal('table-full', 'no seat is free');
    const name = nameOf(
      data.name,
      players.flatMap((player) => player.name ?? []),
    );
    players[seat]!.name = name;
    return { performative: 'agree', data: { seat, name } };
  }

  function view({ subject, data: { eye, after, limit } }: Message<'table.view'>): Reply {
    const { summary, seen, asked, brief } = tableOf(subject);
    const own = seen.get(eye);
    if (!own) throw new Refusal('not-an-option', `the table has no seat ${eye}`);
    const page = {
      summary,
      seen: own.slice(after, after + limit),
      more: after + limit < own.length,
      last: own.length,
      alive: summary.players.map(() => true),
    };
    const seat =
      typeof eye === 'number' ? { asked: asked.get(eye) ?? [], brief, life: 'Awake', holder: 'person' } : { asked: [], brief: '' };
    return { performative: 'inform', data: { ...page, ...seat } };
  }

  function once(message: Heard, does: () => Reply): Reply {
    const done = deeds.get(message.id) ?? does();
    deeds.set(message.id, done);
    return done;
  }

  const agreed = (data: unknown): Promise<Reply> => Promise.resolve({ performative: 'agree', data });

  async function hear(message: Heard): Promise<Reply | void> {
    heard.push(message);
    await script.held?.promise;
    if (script.refusal) throw script.refusal;
    switch (message.type) {
      case 'table.open':
        return once(message, () => open(message));
      case 'table.join':
        return once(message, () => join(message));
      case 'table.view':
        return view(message);
      case 'table.list':
        return agreed({ tables: [...tables.values()].map(({ summary }) => summary) });
      case 'table.rules':
        return agreed(contracts.get('table.rules').replyExample);
      case 'table.act':
        if (message.data.objection !== undefined && !deeds.has(message.id))
          return { performative: 'refuse', data: { reason: message.data.objection } };
        return once(message, () => ({ performative: 'agree', data: { at: 1, line: deeds.size + 1, room: 'round-1/day-1/Village' } }));
      case 'room.speak':
        return once(message, () => ({ performative: 'agree', data: { at: 1, line: deeds.size + 1, room: 'round-1/day-1/Village' } }));
      case 'table.hand':
        return agreed({ seat: message.data.seat });
      case 'room.who':
        return agreed(contracts.get('room.who').replyExample);
      case 'llm.models':
        return agreed(contracts.get('llm.models').replyExample);
    }
  }

  const chat = memoryBus({ service: 'chatroom', hub });
  const llm = memoryBus({ service: 'llm-gateway', hub });
  const own = memoryBus({ service: 'web', hub });
  await bus.consume('gamemaster', TYPES, { concurrency: 16 }, hear);
  await chat.consume('chatroom', ['room.speak', 'room.who'], { concurrency: 16 }, hear);
  await llm.consume('llm-gateway', ['llm.models'], { concurrency: 16, isSingle: true }, hear);
  let rings = 0;

  return {
    /** The bus for the door. */
    bus: own as Bus,
    tables,
    addTable,
    /** What was heard, of one type or all. */
    heard: <T extends Heard['type']>(type: T) => heard.filter((message): message is Extract<Heard, { type: T }> => message.type === type),
    refuse: (reason: Reason, detail = '', waitMs?: number) => (script.refusal = new Refusal(reason, detail, waitMs)),
    /** From now on nothing is answered, until what is returned is called. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      script.held = held;
      return () => {
        script.held = undefined;
        held.resolve();
      };
    },
    /** Something happens that these eyes see; nobody is told. */
    write(table: string, eyes: readonly Eye[], event: { readonly type: string; readonly [field: string]: unknown }, text?: string) {
      for (const eye of eyes) {
        const seen = tables.get(table)!.seen.get(eye)!;
        seen.push({ n: seen.length + 1, at: 1_767_225_600_000, event, ...(text === undefined ? {} : { text }) });
      }
    },
    /** Rings the doorbell of a table. */
    ring: (table: string) =>
      bus.publish(
        contracts.write(
          'table.moved',
          { stage: 'round', phase: 'day-1', closed: [] },
          { id: `ring-${rings++}`, source: 'gamemaster', subject: table, at: Date.now() },
        ) as Message<'table.moved'>,
      ),
    close: async () => {
      script.held?.resolve();
      for (const each of [own, bus, chat, llm]) await each.close();
    },
  };
}

/** The name as the rules read it. @throws Refusal as a gamemaster passes it on */
function nameOf(name: string, taken: readonly string[]): string {
  try {
    return readName(name, taken);
  } catch (error) {
    throw error instanceof RuleRefusal ? new Refusal(error.reason, error.detail) : error;
  }
}
