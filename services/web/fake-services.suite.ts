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

/** A table of the fake gamemaster. */
export interface ScriptedTable {
  readonly summary: View['summary'];
  /** The events each eye has seen. */
  readonly seen: Map<Eye, Seen[]>;
  /** The open questions of each seat. */
  readonly asked: Map<number, View['asked']>;
  brief: string;
  clock?: View['clock'];
}

const TYPES = [
  'table.open',
  'table.join',
  'table.act',
  'table.hand',
  'table.assign',
  'table.pause',
  'table.resume',
  'table.abort',
  'table.view',
  'table.list',
  'table.rules',
  'table.leaderboard',
  'table.recipes',
] as const;
const CONTEST_TYPES = ['contest.open', 'contest.stop', 'contest.list', 'contest.view', 'contest.results'] as const;
type Heard =
  | Message<(typeof TYPES)[number]>
  | Message<'room.speak'>
  | Message<'room.who'>
  | Message<'llm.models'>
  | Message<'mind.thoughts' | 'mind.context' | 'mind.load' | 'mind.truncate'>
  | Message<(typeof CONTEST_TYPES)[number]>;
type Opening = Partial<Data<'table.open'>> & Pick<Data<'table.open'>, 'seats' | 'rules'>;

interface FakeState {
  readonly tables: Map<string, ScriptedTable>;
  readonly heard: Heard[];
  /** Replies by the id of their message: a repeated message is done once. */
  readonly replies: Map<string, Reply>;
  readonly servers: ReplyData<'llm.models'>['servers'];
  refusal: Refusal | undefined;
  held: PromiseWithResolvers<void> | undefined;
}

const OPENED_AT = 1_767_225_600_000;

/** A gamemaster, a chatroom and a gateway without rules: they keep the contracts, record what they hear, and reply what a test scripts. */
export async function fakeServices() {
  const hub = memoryHub();
  const busOf = (service: string): Bus => memoryBus({ service, hub });
  const [bus, chat, llm, minds, contest, own] = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'contest', 'web'].map(busOf) as [
    Bus,
    Bus,
    Bus,
    Bus,
    Bus,
    Bus,
  ];
  const servers = [...contracts.get('llm.models').replyExample!.servers];
  const state: FakeState = { tables: new Map(), heard: [], replies: new Map(), servers, refusal: undefined, held: undefined };
  const hear = (message: Heard): Promise<Reply> => handle(state, message);
  await bus.consume('gamemaster', TYPES, { concurrency: 16 }, hear);
  await chat.consume('chatroom', ['room.speak', 'room.who'], { concurrency: 16 }, hear);
  await llm.consume('llm-gateway', ['llm.models'], { concurrency: 16, isSingle: true }, hear);
  await minds.consume('player', ['mind.thoughts', 'mind.context', 'mind.load', 'mind.truncate'], { concurrency: 16 }, hear);
  await contest.consume('contest', CONTEST_TYPES, { concurrency: 16 }, hear);
  let rings = 0;

  return {
    /** The bus of the web service. */
    bus: own,
    tables: state.tables,
    /** The model servers of the fake gateway. */
    servers,
    addTable: (table: string, opening: Opening) => addTable(state, table, opening),
    /** The messages of one type. */
    heard: <T extends Heard['type']>(type: T) =>
      state.heard.filter((message): message is Extract<Heard, { type: T }> => message.type === type),
    refuse: (reason: Reason, detail = '', waitMs?: number) => (state.refusal = new Refusal(reason, detail, waitMs)),
    /** Withholds all replies until the returned function is called. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      state.held = held;
      return () => {
        state.held = undefined;
        held.resolve();
      };
    },
    /** Adds an event to the views of these eyes, without a notification. */
    write(table: string, eyes: readonly Eye[], event: { readonly type: string; readonly [field: string]: unknown }, text?: string) {
      for (const eye of eyes) {
        const seen = state.tables.get(table)!.seen.get(eye)!;
        seen.push({ n: seen.length + 1, at: OPENED_AT, event, ...(text === undefined ? {} : { text }) });
      }
    },
    /** Notifies of a change of a table. */
    ring(table: string) {
      const about = { id: `ring-${rings++}`, source: 'gamemaster', subject: table, at: Date.now() };
      return bus.publish(contracts.write('table.moved', { stage: 'round', phase: 'day-1', closed: [] }, about) as Message<'table.moved'>);
    },
    close: async () => {
      state.held?.resolve();
      for (const each of [own, bus, chat, llm, minds, contest]) await each.close();
    },
  };
}

const agree = (data: unknown): Reply => ({ performative: 'agree', data });

async function handle(state: FakeState, message: Heard): Promise<Reply> {
  state.heard.push(message);
  await state.held?.promise;
  if (state.refusal) throw state.refusal;
  switch (message.type) {
    case 'table.open':
      return once(state, message, () => open(state, message));
    case 'table.join':
      return once(state, message, () => join(state, message));
    case 'table.view':
      return view(state, message);
    case 'table.list':
      if (message.data.isStuck) return agree({ tables: [], stuck: [{ table: 't1', since: OPENED_AT, phase: 'round' }] });
      return agree({ tables: [...state.tables.values()].map(({ summary }) => summary) });
    case 'table.rules':
      return agree(contracts.get('table.rules').replyExample);
    case 'table.leaderboard':
    case 'table.recipes':
      return agree(contracts.get(message.type).replyExample);
    case 'table.act':
      if (message.data.objection !== undefined && !state.replies.has(message.id))
        return { performative: 'refuse', data: { reason: message.data.objection } };
      return once(state, message, () => lineReply(state));
    case 'room.speak':
      return once(state, message, () => lineReply(state));
    case 'table.pause':
    case 'table.resume':
    case 'table.abort':
      tableOf(state, message.subject);
      return agree(contracts.get(message.type).replyExample);
    case 'table.assign':
    case 'table.hand':
      return agree({ seat: message.data.seat });
    case 'room.who':
      return agree(contracts.get('room.who').replyExample);
    case 'llm.models':
      return agree({ ...contracts.get('llm.models').replyExample, servers: state.servers });
    case 'mind.thoughts':
    case 'mind.context':
    case 'mind.load':
    case 'mind.truncate':
    case 'contest.open':
    case 'contest.stop':
    case 'contest.list':
      return agree(contracts.get(message.type).replyExample);
    case 'contest.view':
      return agree({ ...contracts.get(message.type).replyExample, contest: CONTEST });
    case 'contest.results':
      // There is one result, with the number 0.
      return agree(message.data.after === 0 ? { results: [], more: false } : contracts.get(message.type).replyExample);
  }
}

const CONTEST = {
  name: 'spring',
  about: 'Is 1 < 2?',
  agents: [{ name: 'a', recipe: 'rules' }],
  games: [{ rules: 'maw' }],
  schedule: { kind: 'balanced', deals: 100 },
  seed: 'a seed that is secret',
};

function once({ replies }: FakeState, { id }: Heard, act: () => Reply): Reply {
  const reply = replies.get(id) ?? act();
  replies.set(id, reply);
  return reply;
}

const lineReply = ({ replies }: FakeState): Reply => agree({ at: 1, line: replies.size + 1, room: 'round-1/day-1/Village' });

/** @throws Refusal */
function tableOf({ tables }: FakeState, table: string): ScriptedTable {
  const found = tables.get(table);
  if (!found) throw new Refusal('unknown-game', `there is no table ${table}`);
  return found;
}

function open(state: FakeState, { subject: table, data }: Message<'table.open'>): Reply {
  if (!state.tables.has(table)) addTable(state, table, data);
  return agree({ table });
}

function addTable(
  { tables }: FakeState,
  table: string,
  { seats, rules, rounds = 1, spectators = 'audience', afterwards = 'seats', insight = 'after' }: Opening,
): ScriptedTable {
  const eyes: Eye[] = [...seats.keys(), 'audience', 'narrator'];
  const free = seats.filter(({ kind }) => kind === 'person').length;
  const players = seats.map((_, seat) => ({ seat, points: 0 }));
  const summary = {
    table,
    rules,
    stage: 'lobby' as const,
    round: 0,
    rounds,
    players,
    free,
    opened: OPENED_AT,
    spectators,
    afterwards,
    insight,
  };
  const added: ScriptedTable = { summary, seen: new Map(eyes.map((eye) => [eye, []])), asked: new Map(), brief: '' };
  tables.set(table, added);
  return added;
}

function join(state: FakeState, { subject, data }: Message<'table.join'>): Reply {
  const { players } = tableOf(state, subject).summary;
  const seat = data.seat ?? players.findIndex(({ name }) => name === undefined);
  if (seat < 0) throw new Refusal('table-full', 'no seat is free');
  const taken = players.flatMap((player) => player.name ?? []);
  const name = nameOf(data.name, taken);
  players[seat]!.name = name;
  return agree({ seat, name });
}

function view(state: FakeState, { subject, data: { eye, after, limit } }: Message<'table.view'>): Reply {
  const { summary, seen, asked, brief, clock } = tableOf(state, subject);
  const own = seen.get(eye);
  if (!own) throw new Refusal('not-an-option', `the table has no seat ${eye}`);
  const page = {
    summary,
    seen: own.slice(after, after + limit),
    more: after + limit < own.length,
    last: own.length,
    alive: summary.players.map(() => true),
    ...(clock && { clock }),
  };
  const seat = typeof eye === 'number' ? { asked: asked.get(eye) ?? [], brief, life: 'Awake', holder: 'person' } : { asked: [], brief: '' };
  return { performative: 'inform', data: { ...page, ...seat } };
}

/** The name as the rules read it. @throws Refusal as the gamemaster does */
function nameOf(name: string, taken: readonly string[]): string {
  try {
    return readName(name, taken);
  } catch (error) {
    throw error instanceof RuleRefusal ? new Refusal(error.reason, error.detail) : error;
  }
}
