import type { Line } from '@maw/store/ports/rooms.ts';
import type { MatchRules } from '@maw/games/match/match.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { type Answer, phaseOf, type Question, type Seat, seatOf } from '@maw/games/kernel/question.ts';
import type { TableEvent, Telling } from '@maw/games/kernel/rules.ts';
import type { Standing } from './game.ts';

/** A numbered line of a room. */
export interface RoomLine extends Line {
  readonly room: string;
  readonly members: readonly Seat[];
  /** Whether everybody may read the room, the audience included. */
  readonly isPublic: boolean;
}

/** The line counters and open rooms of a table; grows with the tape. */
export interface RoomLog {
  /** By room: how many lines it has. */
  readonly counts: Map<string, number>;
  /** By the name of a room: the one that is open under it. */
  readonly open: Map<string, OpenRoom>;
}

/** An open room, as its question describes it. */
interface OpenRoom {
  readonly room: string;
  readonly name: string;
  readonly question: Question;
  readonly members: readonly Seat[];
  readonly speakers: readonly Seat[];
  readonly isPublic: boolean;
}

/**
 * The rooms a question opens. Talk has one room; whispers have an inbox for each seat, so that line numbers tell nobody else that something was
 * whispered.
 */
export function roomsOf(q: Question, seats: readonly Seat[]): readonly OpenRoom[] {
  if (!q.room || q.verb === 'choose') return [];
  const room = `${phaseOf(q.id)}/${q.room}`;
  if (q.verb === 'tell')
    return q.of.map((seat) => ({ room: inbox(q, seat), name: q.room!, question: q, members: [seat], speakers: [], isPublic: false }));
  const members = q.among === 'table' ? seats : q.among;
  return [{ room, name: q.room, question: q, members, speakers: q.of, isPublic: q.among === 'table' }];
}

const inbox = (q: Question, seat: Seat): string => `${phaseOf(q.id)}/${q.room}-${seat}`;

/** The full name of the room in which a seat hears about a question. */
export function roomFor(q: Question, seat: Seat): string | undefined {
  if (!q.room) return undefined;
  return q.verb === 'tell' ? inbox(q, seat) : `${phaseOf(q.id)}/${q.room}`;
}

/** What an event is logged with. */
interface LogContext {
  readonly before: Standing;
  readonly telling: Telling;
  readonly at: number;
  readonly rules: MatchRules;
}

/** Logs an event: the lines it adds to the rooms of the table, numbered. */
export function logEvent(log: RoomLog, event: { readonly type: string }, context: LogContext): readonly RoomLine[] {
  return isTableEvent(event) ? logTableEvent(log, event, context) : logGameEvent(log, event, context);
}

/** An event of the game is announced in the rooms that its rules name, while they are open. */
function logGameEvent(log: RoomLog, event: { readonly type: string }, { rules, telling, at }: LogContext): readonly RoomLine[] {
  const text = rules.tell(event as never, telling);
  if (text === undefined) return [];
  const open = rules.announce(event as never).flatMap((name) => log.open.get(name) ?? []);
  return open.map((room) => addLine(log, room, { text, at }));
}

function logTableEvent(log: RoomLog, event: TableEvent, context: LogContext): readonly RoomLine[] {
  const { before, rules, telling, at } = context;
  switch (event.type) {
    case 'asked':
      if (event.question.verb === 'say') for (const room of roomsOf(event.question, seatsOf(before))) log.open.set(room.name, room);
      return [];
    case 'settled':
    case 'withdrawn': {
      const q = before.open.find((open) => open.id === event.question);
      const lines = q && event.type === 'settled' ? event.answers.flatMap((answer) => announceChoice(log, q, answer, context)) : [];
      if (q?.verb === 'say' && q.room && log.open.get(q.room)?.question.id === q.id) log.open.delete(q.room);
      return lines;
    }
    case 'answered': {
      const q = before.open.find((open) => open.id === event.question);
      return q ? logAnswer(log, q, event.answer, context) : [];
    }
    case 'majority-reached':
    case 'majority-lost':
    case 'hastened': {
      const q = before.open.find((open) => open.id === event.question);
      const room = q?.room === undefined ? undefined : log.open.get(q.room);
      const text = rules.tell(event, telling);
      return room && text !== undefined ? [addLine(log, room, { text, at })] : [];
    }
    case 'delayed':
    case 'paused':
    case 'resumed': {
      const text = rules.tell(event, telling);
      return text === undefined ? [] : [...log.open.values()].map((room) => addLine(log, room, { text, at }));
    }
    case 'passed':
    case 'ready':
    case 'refused':
      return [];
  }
}

function logAnswer(log: RoomLog, q: Question, answer: Answer, context: LogContext): readonly RoomLine[] {
  switch (q.verb) {
    case 'choose':
      return q.heard === 'at-once' ? announceChoice(log, q, answer, context) : [];
    case 'say': {
      const line = { by: answer.by, text: answer.says[0]!, at: context.at };
      return roomsOf(q, seatsOf(context.before)).map((room) => addLine(log, room, line));
    }
    case 'tell':
      return logWhisper(log, q, answer, context);
  }
}

/** A choice that is heard is announced in the room of its question, while that is open. */
function announceChoice(log: RoomLog, q: Question, answer: Answer, { rules, telling, at }: LogContext): readonly RoomLine[] {
  const room = q.room ? log.open.get(q.room) : undefined;
  const text = rules.tell({ type: 'answered', question: q.id, answer, at }, { ...telling, question: q });
  return room && text !== undefined ? [addLine(log, room, { by: answer.by, says: answer.says, text, at })] : [];
}

/** A whisper is logged in the inboxes of both ends; everybody else hears at most that it happened. */
function logWhisper(log: RoomLog, q: Question, answer: Answer, { before, rules, telling, at }: LogContext): readonly RoomLine[] {
  const to = seatOf(answer.says[0]!);
  const ends = roomsOf(q, seatsOf(before)).filter(({ members }) => members.includes(answer.by) || members.includes(to));
  const lines = ends.map((room) => addLine(log, room, { by: answer.by, to, text: answer.says[1]!, at }));
  if (q.heard !== 'at-once') return lines;
  const talk = [...log.open.values()].find((room) => room.isPublic && phaseOf(room.question.id) === phaseOf(q.id));
  const withoutText = { ...answer, says: [answer.says[0]!, ''] };
  const text = rules.tell({ type: 'answered', question: q.id, answer: withoutText, at }, { ...telling, question: q });
  return talk && text !== undefined ? [...lines, addLine(log, talk, { text, at })] : lines;
}

function addLine({ counts }: RoomLog, { room, members, isPublic }: OpenRoom, line: Omit<Line, 'line'>): RoomLine {
  const number = (counts.get(room) ?? 0) + 1;
  counts.set(room, number);
  return { ...line, line: number, room, members, isPublic };
}

const seatsOf = ({ game }: Standing): readonly Seat[] => game.names.map((_, seat) => seat);
