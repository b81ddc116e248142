import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { actOf, PATIENCE_MS } from './scripted-seats.ts';
import { START, TABLE } from './append.ts';

/** The start of a schedule: a table at some point, the replicas that serve it, and the messages waiting for them. */
export interface Scenario {
  readonly name: string;
  readonly says: string;
  readonly processes: readonly { readonly name: string; readonly kind: 'gamemaster' | 'chatroom' }[];
  /** The earlier commands to the table, in order. */
  readonly before: readonly Message[];
  readonly commands: readonly Message[];
  /** How often the next alarm may become due. */
  readonly moves?: number;
  /** Whether gamemasters have a heartbeat: then nobody beats while the clock moves, and that is an outage. */
  readonly hasHeartbeat?: boolean;
  /** What does not work at first, and recovers: gamemasters beat while the clock moves, as far as they can. */
  readonly trouble?: 'players' | 'disk';
  /** Whether scripted seats answer their questions. */
  readonly seats?: boolean;
  /** How many messages one replica handles at once. */
  readonly atOnce?: number;
}

const about = (id: string, source: string) => ({ id, source, subject: TABLE, at: START, replyBy: START + PATIENCE_MS });

const gamemasters = (...names: readonly string[]) => names.map((name) => ({ name, kind: 'gamemaster' as const }));
const LONG = { dayMs: 600_000, nightMs: 600_000 };

/** Opens a table. */
const open = (id: string, rules: string, kind: 'mind' | 'person', seats: number, options: Record<string, number | string | boolean> = {}) =>
  contracts.write('table.open', { rules, seed: 'seed', options, seats: Array.from({ length: seats }, () => ({ kind })) }, about(id, 'web'));
const join = (id: string, seat: number | undefined, name: string, source: 'player' | 'web' = 'player') =>
  contracts.write('table.join', { name, ...(seat === undefined ? {} : { seat }) }, about(id, source));
const joined = (count: number, source: 'player' | 'web' = 'player'): readonly Message[] =>
  Array.from({ length: count }, (_, seat) => join(`join-${seat}`, seat, `P${seat}`, source));
const vote = (id: string, seat: number, forSeat: number, source: 'player' | 'web' = 'player') =>
  actOf(id, seat, 'round-1/day-1/vote', [`seat:${forSeat}`], START, { source });
const say = (id: string, seat: number, text: string) => actOf(id, seat, 'round-1/day-1/talk', [text], START);

/** By day, three minds: seat 0 has voted for 2, so that one more vote for it ends the day. */
const village = [open('open', 'maw', 'mind', 3, LONG), ...joined(3), vote('v0', 0, 2)];

const two = gamemasters('A', 'B');

export const votes: Scenario = {
  name: 'votes',
  says: 'two votes, the one of which ends the day',
  processes: two,
  before: village,
  commands: [vote('m1', 1, 2), vote('m2', 2, 1)],
};

export const speech: Scenario = {
  name: 'speech',
  says: 'a line, and a vote that ends the day',
  processes: two,
  before: village,
  commands: [say('m1', 2, 'Good morning.'), vote('m2', 1, 2)],
};

export const alarm: Scenario = {
  name: 'alarm',
  says: 'a vote, and the end of the day by the clock',
  processes: two,
  before: village.slice(0, -1),
  commands: [vote('m1', 1, 2)],
  moves: 1,
};

export const outage: Scenario = {
  name: 'outage',
  says: 'a vote, and an outage until after the end of the day',
  processes: two,
  before: village.slice(0, -1),
  commands: [vote('m1', 1, 2)],
  moves: 1,
  hasHeartbeat: true,
};

/** The same with a day of a few heartbeats. */
const shortVillage = [open('open', 'maw', 'mind', 3, { dayMs: 4_000, nightMs: 4_000 }), ...joined(3)];

export const absence: Scenario = {
  name: 'absence',
  says: 'a vote and the end of the day, while no player is there until some time',
  processes: two,
  before: shortVillage,
  commands: [vote('m1', 1, 2)],
  moves: 1,
  trouble: 'players',
};

export const fullDisk: Scenario = {
  name: 'full-disk',
  says: 'a vote and the end of the day, while the disk is full until some time',
  processes: two,
  before: shortVillage,
  commands: [vote('m1', 1, 2)],
  moves: 1,
  trouble: 'disk',
};

export const refusal: Scenario = {
  name: 'refusal',
  says: 'a vote that is refused, and one that ends the day',
  processes: two,
  before: village,
  commands: [vote('m1', 2, 2), vote('m2', 1, 2)],
};

export const opening: Scenario = {
  name: 'opening',
  says: 'two who open the same table',
  processes: two,
  before: [],
  commands: [open('m1', 'onuw', 'mind', 3), open('m2', 'maw', 'mind', 3)],
};

export const joining: Scenario = {
  name: 'joining',
  says: 'two who want the last seat, and the deal that follows',
  processes: two,
  before: [open('open', 'onuw', 'person', 3), ...joined(2, 'web')],
  commands: [join('m1', 2, 'Ann', 'web'), join('m2', undefined, 'Bo', 'web')],
};

export const rooms: Scenario = {
  name: 'rooms',
  says: 'a speech by way of the chatroom, and a vote that ends the day',
  processes: [...two, { name: 'C', kind: 'chatroom' }, { name: 'D', kind: 'chatroom' }],
  before: village,
  commands: [
    contracts.write('room.speak', { room: 'round-1/day-1/Village', seat: 2, text: 'Good morning.' }, about('m1', 'player')),
    vote('m2', 1, 2),
  ],
};

export const hands: Scenario = {
  name: 'hands',
  says: 'a seat is handed to a mind, and the mind votes',
  processes: two,
  before: [open('open', 'maw', 'person', 3, LONG), ...joined(3, 'web')],
  commands: [contracts.write('table.hand', { seat: 0, to: 'mind' }, about('m1', 'web')), vote('m2', 0, 1)],
};

export const queries: Scenario = {
  name: 'queries',
  says: 'a seat is handed to a mind, and the player service asks what it sees',
  processes: two,
  before: hands.before,
  commands: [
    contracts.write('table.hand', { seat: 0, to: 'mind' }, about('m1', 'web')),
    contracts.write('table.view', { eye: 0 }, about('m2', 'player')),
  ],
};

const three = gamemasters('A', 'B', 'C');

export const village3: Scenario = {
  name: 'village',
  says: 'a whole game of MAW by three replicas, with scripted seats',
  processes: three,
  before: [open('open', 'maw', 'mind', 4, { ...LONG, maxDays: 2 }), ...joined(3)],
  commands: [join('join-3', 3, 'P3')],
  moves: 100,
  seats: true,
  atOnce: 3,
};

const onuw3: Scenario = {
  name: 'onuw',
  says: 'a whole game of One Night by three replicas, with scripted seats',
  processes: three,
  before: [open('open', 'onuw', 'mind', 3, { talkRounds: 1 }), ...joined(2)],
  commands: [join('join-2', 2, 'P2')],
  moves: 100,
  seats: true,
  atOnce: 3,
};

export const late: Scenario = {
  name: 'late',
  says: 'two votes that nobody waits for once the day has ended by the clock',
  processes: two,
  before: village.slice(0, -1),
  commands: [vote('m1', 1, 2), vote('m2', 2, 1)].map((message) => ({
    ...message,
    replyby: new Date(START + LONG.dayMs - 1).toISOString(),
  })),
  moves: 1,
};

/** Small enough to enumerate every schedule. */
export const SMALL: readonly Scenario[] = [votes, speech, alarm, outage, absence, fullDisk, refusal, opening, joining, hands, queries];
/** Whole games. */
export const LARGE: readonly Scenario[] = [village3, onuw3];
export const SCENARIOS: readonly Scenario[] = [...SMALL, late, rooms, ...LARGE];
