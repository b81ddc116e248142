import type { Line } from '@maw/store/ports/rooms.ts';
import type { MatchRules } from '@maw/games/match/match.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { type Answer, phaseOf, type Question, type Seat, seatOf } from '@maw/games/kernel/question.ts';
import type { Telling } from '@maw/games/kernel/rules.ts';
import type { Standing } from './table-state.ts';

/** A line as it is numbered and written down in a room. */
export interface RoomLine extends Line {
  readonly room: string;
  readonly members: readonly Seat[];
  /** Whether everybody may read the room, the audience included. */
  readonly isPublic: boolean;
}

/** How far the rooms of a table are written; grows with the tape. */
export interface RoomLog {
  /** By room: how many lines it has. */
  readonly counts: Map<string, number>;
  /** By the name of a room: the one that is open under it. */
  readonly open: Map<string, OpenRoom>;
}

/** A room that is open: what its question says of it. */
export interface OpenRoom {
  readonly room: string;
  readonly name: string;
  readonly question: Question;
  readonly members: readonly Seat[];
  readonly speakers: readonly Seat[];
  readonly isPublic: boolean;
}

/**
 * The rooms a question opens. Talk has one room; whispers have an inbox for each seat, so that the numbering of its lines tells
 * nobody else that something was whispered.
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

/** The room in which a seat hears what comes of a question, under its full name. */
export function roomFor(q: Question, seat: Seat): string | undefined {
  if (!q.room) return undefined;
  return q.verb === 'tell' ? inbox(q, seat) : `${phaseOf(q.id)}/${q.room}`;
}

interface Written {
  readonly before: Standing;
  readonly telling: Telling;
  readonly at: number;
  readonly rules: MatchRules;
}

/** The lines that an event is written down as; counts them. */
export function linesOf(scroll: RoomLog, event: { readonly type: string }, { before, telling, at, rules }: Written): readonly RoomLine[] {
  const add = (open: OpenRoom, line: Omit<Line, 'line' | 'at'>): RoomLine => {
    const number = (scroll.counts.get(open.room) ?? 0) + 1;
    scroll.counts.set(open.room, number);
    return { ...line, line: number, at, room: open.room, members: open.members, isPublic: open.isPublic };
  };
  const seats = before.game.names.map((_, seat) => seat);

  if (!isTableEvent(event)) {
    const text = rules.tell(event as never, telling);
    if (text === undefined) return [];
    return rules.announce(event as never).flatMap((name) => {
      const open = scroll.open.get(name);
      return open ? [add(open, { text })] : [];
    });
  }
  switch (event.type) {
    case 'asked':
      for (const open of roomsOf(event.question, seats)) {
        if (open.question.verb === 'say') scroll.open.set(open.name, open);
      }
      return [];
    case 'settled':
    case 'withdrawn': {
      const q = before.open.find((open) => open.id === event.question);
      const shown = q && event.type === 'settled' ? event.answers.flatMap((answer) => announced(q, answer)) : [];
      if (q?.verb === 'say' && q.room && scroll.open.get(q.room)?.question.id === q.id) scroll.open.delete(q.room);
      return shown;
    }
    case 'answered': {
      const q = before.open.find((open) => open.id === event.question);
      if (!q) return [];
      if (q.verb === 'choose') return q.heard === 'at-once' ? announced(q, event.answer) : [];
      if (q.verb === 'say') return roomsOf(q, seats).map((open) => add(open, { by: event.answer.by, text: event.answer.says[0]! }));
      return whispered(q, event.answer);
    }
    case 'delayed': {
      const text = rules.tell(event, telling);
      return text === undefined ? [] : [...scroll.open.values()].map((open) => add(open, { text }));
    }
    case 'passed':
    case 'refused':
      return [];
  }

  /** A choice that is heard is announced in the room of its question, while that is open. */
  function announced(q: Question, answer: Answer): readonly RoomLine[] {
    const open = q.room ? scroll.open.get(q.room) : undefined;
    const text = rules.tell({ type: 'answered', question: q.id, answer, at }, { ...telling, question: q });
    return open && text !== undefined ? [add(open, { by: answer.by, says: answer.says, text })] : [];
  }

  /** A whisper stands in the inboxes of both ends; the Village hears at most that it happened. */
  function whispered(q: Question, answer: Answer): readonly RoomLine[] {
    const to = seatOf(answer.says[0]!);
    const ends = roomsOf(q, seats).filter(({ members }) => members.includes(answer.by) || members.includes(to));
    const lines = ends.map((open) => add(open, { by: answer.by, to, text: answer.says[1]! }));
    if (q.heard !== 'at-once') return lines;
    const talk = [...scroll.open.values()].find((open) => open.isPublic && phaseOf(open.question.id) === phaseOf(q.id));
    const text = rules.tell(
      { type: 'answered', question: q.id, answer: { ...answer, says: [answer.says[0]!, ''] }, at },
      { ...telling, question: q },
    );
    return talk && text !== undefined ? [...lines, add(talk, { text })] : lines;
  }
}
