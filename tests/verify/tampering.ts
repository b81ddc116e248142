import type { Fault } from '@maw/store/integrity/fault.ts';

/** A manipulation of a stored table, in SQL, and the faults that verification must find. */
export interface Tampering {
  readonly does: string;
  readonly sql: readonly string[];
  readonly faults: readonly (Partial<Fault> & Pick<Fault, 'place' | 'wrong'>)[];
}

/** The table that is tampered with. */
export interface Victim {
  readonly table: string;
  /** The number of its events. */
  readonly last: number;
  readonly opened: number;
  /** The hashes of its events, in order. */
  readonly hashes: readonly string[];
  /** The sequence of an event that is speech, with its line; the next event is speech as well. */
  readonly said: { readonly sequence: number; readonly room: string; readonly line: number; readonly lines: number };
}

/** Every kind of data, altered in turn. */
export function tamperings(victim: Victim): readonly Tampering[] {
  const names = namesOf(victim);
  return [tapeTamperingsA, tapeTamperingsB, tapeTamperingsC, rowTamperings, roomTamperingsA, roomTamperingsB].flatMap((each) =>
    each(names),
  );
}

type Names = ReturnType<typeof namesOf>;

function namesOf({ table, last, hashes, said, opened }: Victim) {
  const { sequence: n, room, line, lines } = said;
  const at = `game = '${table}'`;
  const place = `room ${room}`;
  return {
    table,
    last,
    opened,
    hashes,
    n,
    room,
    line,
    lines,
    at,
    event: (k: number): string => `${at} and sequence = ${k}`,
    ofRoom: `${at} and room = '${room}'`,
    place,
    text: `jsonb_set(event, '{answer,says,0}', '"I am the wolf."')`,
    lineFault: { place: `${place}, line ${line}`, wrong: 'line' } as const,
  };
}

/** Events and their hashes. */
const tapeTamperingsA = ({ last, hashes, n, line, at, event, ofRoom, text, lineFault }: Names): readonly Tampering[] => [
  {
    does: 'changes what was said, in the event',
    sql: [`update tape set event = ${text} where ${event(n)}`],
    faults: [
      { place: `event ${n}`, wrong: 'chain', found: hashes[n - 1]! },
      { ...lineFault, expected: 'text "I am the wolf."' },
    ],
  },
  {
    does: 'changes what was said, in the event and in the room',
    sql: [
      `update tape set event = ${text} where ${event(n)}`,
      `update line_archive set text = 'I am the wolf.' where ${ofRoom} and line = ${line}`,
    ],
    faults: [{ place: `event ${n}`, wrong: 'chain' }],
  },
  {
    does: 'changes a time',
    sql: [`update tape set at = at + 1 where ${event(n)}`],
    faults: [{ place: `event ${n}`, wrong: 'chain' }, lineFault],
  },
  {
    does: 'changes a cause',
    sql: [`update tape set cause = 'mine' where ${event(n)}`],
    faults: [{ place: `event ${n}`, wrong: 'chain' }],
  },
  {
    does: 'adds a field to an event',
    sql: [`update tape set event = event || '{"noted":true}' where ${event(n)}`],
    faults: [{ place: `event ${n}`, wrong: 'chain' }],
  },
  {
    does: 'deletes an event',
    sql: [`delete from tape where ${event(n)}`],
    faults: [{ place: `event ${n}`, wrong: 'sequence', found: 'missing' }],
  },
  {
    does: 'deletes the first events',
    sql: [`delete from tape where ${at} and sequence <= 3`],
    faults: [{ place: 'events 1 to 3', wrong: 'sequence' }],
  },
  {
    does: 'deletes the last event',
    sql: [`delete from tape where ${event(last)}`],
    faults: [{ place: `event ${last}`, wrong: 'sequence' }],
  },
];

/** Events and their hashes, continued. */
const tapeTamperingsB = ({ table, last, hashes, n, line, event, place, lineFault }: Names): readonly Tampering[] => [
  {
    does: 'cuts the last event off, and says so in the row',
    sql: [`delete from tape where ${event(last)}`, `update game set last = ${last - 1} where id = '${table}'`],
    faults: [
      { place: 'row', wrong: 'head', expected: hashes[last - 2]!, found: hashes[last - 1]! },
      // It was the one that closed the Lobby.
      { place: 'room lobby-1/Lobby, closing', wrong: 'room', expected: 'none' },
      { place: 'room lobby-1/Lobby', wrong: 'room', expected: 'not archived' },
    ],
  },
  {
    does: 'inserts an event at the end',
    sql: [
      `insert into tape select game, ${last + 1}, at, cause, '{"type":"refused","question":"q","seat":0,"reason":"dead"}', hash from tape where ${event(last)}`,
    ],
    faults: [
      { place: `event ${last + 1}`, wrong: 'chain' },
      { place: 'row', wrong: 'last', expected: `event ${last} is the last, as its row says`, found: `event ${last + 1} is there` },
    ],
  },
  {
    does: 'inserts an event without a hash, and says so in the row',
    sql: [
      `insert into tape select game, ${last + 1}, at, cause, '{"type":"refused","question":"q","seat":0,"reason":"dead"}', null from tape where ${event(last)}`,
      `update game set last = ${last + 1} where id = '${table}'`,
    ],
    faults: [
      { place: `event ${last + 1}`, wrong: 'chain', found: 'none' },
      { place: 'row', wrong: 'head', found: hashes[last - 1]! },
    ],
  },
  {
    does: 'swaps two events',
    sql: [
      `update tape set sequence = -1 where ${event(n)}`,
      `update tape set sequence = ${n} where ${event(n + 1)}`,
      `update tape set sequence = ${n + 1} where ${event(-1)}`,
    ],
    faults: [
      { place: `event ${n}`, wrong: 'chain' },
      { place: `event ${n + 1}`, wrong: 'chain' },
      { place: `event ${n + 2}`, wrong: 'chain' },
      lineFault,
      { ...lineFault, place: `${place}, line ${line + 1}` },
    ],
  },
];

/** Events and their hashes, continued. */
const tapeTamperingsC = ({ last, hashes, n, at, event }: Names): readonly Tampering[] => [
  {
    does: 'rewrites a hash',
    sql: [`update tape set hash = sha256('x') where ${event(n)}`],
    faults: [
      { place: `event ${n}`, wrong: 'chain', expected: `${hashes[n - 1]}, the hash of what stands there` },
      { place: `event ${n + 1}`, wrong: 'chain', found: hashes[n]! },
    ],
  },
  {
    does: 'rewrites the hash of the last event',
    sql: [`update tape set hash = sha256('x') where ${event(last)}`],
    faults: [
      { place: `event ${last}`, wrong: 'chain' },
      { place: 'row', wrong: 'head', found: hashes[last - 1]! },
    ],
  },
  {
    does: 'takes a hash away',
    sql: [`update tape set hash = null where ${event(n)}`],
    faults: [
      { place: `event ${n}`, wrong: 'chain', found: 'none' },
      { place: `event ${n + 1}`, wrong: 'chain' },
    ],
  },
  {
    does: 'takes the hashes of the beginning away, as if it were of before the chain',
    sql: [`update tape set hash = null where ${at} and sequence < ${n}`],
    faults: [{ place: `event ${n}`, wrong: 'chain' }],
  },
];

/** The row of the table, and its result. */
const rowTamperings = ({ table, last, opened, hashes, at }: Names): readonly Tampering[] => [
  {
    does: 'rewrites the head',
    sql: [`update game set head = sha256('x') where id = '${table}'`],
    faults: [{ place: 'row', wrong: 'head', expected: hashes[last - 1]! }],
  },
  {
    does: 'takes the head away',
    sql: [`update game set head = null where id = '${table}'`],
    faults: [{ place: 'row', wrong: 'head', found: 'none' }],
  },
  {
    does: 'counts one event too many',
    sql: [`update game set last = last + 1 where id = '${table}'`],
    faults: [{ place: `event ${last + 1}`, wrong: 'sequence', found: 'missing' }],
  },
  {
    does: 'counts one event too few',
    sql: [`update game set last = last - 1 where id = '${table}'`],
    faults: [{ place: 'row', wrong: 'last', found: `event ${last} is there` }],
  },
  { does: 'deletes the row', sql: [`delete from game where id = '${table}'`], faults: [{ place: 'row', wrong: 'row' }] },
  {
    does: 'changes the points in the result',
    sql: [`update result set result = jsonb_set(result, '{points,0}', '1000') where ${at}`],
    faults: [{ place: 'result', wrong: 'result', found: 'points.0 1000' }],
  },
  { does: 'deletes the result', sql: [`delete from result where ${at}`], faults: [{ place: 'result', wrong: 'result', found: 'none' }] },
  {
    does: 'changes a name in the summary',
    sql: [`update game set summary = jsonb_set(summary, '{players,1,name}', '"Somebody"') where id = '${table}'`],
    faults: [{ place: 'row', wrong: 'summary', expected: 'players.1.name "P1"', found: 'players.1.name "Somebody"' }],
  },
  {
    does: 'has it run again',
    sql: [`update game set is_over = false, wake = 5 where id = '${table}'`],
    faults: [
      { place: 'row', wrong: 'over', expected: 'true', found: 'false' },
      { place: 'row', wrong: 'wake', expected: 'none', found: '5' },
    ],
  },
  {
    does: 'changes when it was opened',
    sql: [`update game set opened = opened - 1 where id = '${table}'`],
    faults: [{ place: 'row', wrong: 'opened', expected: String(opened), found: String(opened - 1) }],
  },
];

/** Rooms and their lines. */
const roomTamperingsA = ({ table, room, line, lines, ofRoom, place, lineFault }: Names): readonly Tampering[] => [
  {
    does: 'changes a line',
    sql: [`update line_archive set text = 'Nothing.' where ${ofRoom} and line = ${line}`],
    faults: [{ ...lineFault, found: 'text "Nothing."' }],
  },
  {
    does: 'says that somebody else has said it',
    sql: [`update line_archive set by_seat = 99 where ${ofRoom} and line = ${line}`],
    faults: [{ ...lineFault, found: 'by 99' }],
  },
  {
    does: 'deletes a line',
    sql: [`delete from line_archive where ${ofRoom} and line = ${line}`],
    faults: [{ ...lineFault, found: 'none' }],
  },
  {
    does: 'adds a line',
    sql: [
      `insert into line_archive select game, room, ${lines + 1}, by_seat, to_seat, text, says, at from line_archive where ${ofRoom} and line = ${line}`,
    ],
    faults: [
      { place: `${place}, line ${lines + 1}`, wrong: 'line', expected: 'none' },
      { place: `${place}, line ${lines + 1}`, wrong: 'line', found: 'in the archive' },
    ],
  },
  {
    does: 'puts a line that is archived back',
    sql: [`insert into line select * from line_archive where ${ofRoom} and line = ${line}`],
    faults: [{ ...lineFault, found: 'in the live log' }],
  },
  {
    does: 'swaps the texts of two lines',
    sql: [
      `update line_archive as one set text = other.text || ' ' from line_archive as other
       where one.game = '${table}' and one.room = '${room}' and one.line = ${line} and other.game = one.game and other.room = one.room and other.line = ${line} + 1`,
    ],
    faults: [lineFault],
  },
  {
    does: 'deletes a room, lines and all',
    sql: [`delete from room where ${ofRoom}`, `delete from line_archive where ${ofRoom}`],
    faults: [{ place, wrong: 'room', expected: `a room with ${lines} lines`, found: 'none' }],
  },
];

/** Rooms and their lines, continued. */
const roomTamperingsB = ({ table, ofRoom, place }: Names): readonly Tampering[] => [
  {
    does: 'adds a room',
    sql: [`insert into room (game, room, closed, lines) values ('${table}', 'secret', 5, 0)`],
    faults: [{ place: 'room secret', wrong: 'room', found: 'a room with 0 lines' }],
  },
  {
    does: 'opens a room again',
    sql: [`update room set closed = null, lines = null where ${ofRoom}`],
    faults: [{ place: `${place}, closing`, wrong: 'room', found: 'none' }],
  },
  {
    does: 'lets somebody else into a room',
    sql: [`update room set members = members || '99' where ${ofRoom}`],
    faults: [{ place: `${place}, opening`, wrong: 'room' }],
  },
  {
    does: 'says that a room is not archived',
    sql: [`update room set is_archived = false where ${ofRoom}`],
    faults: [{ place, wrong: 'room', found: 'not archived' }],
  },
];
