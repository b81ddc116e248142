import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { Memory } from '../state/memory.ts';
import { addRoomLines, namesOf, type NewsSource, NOT_A_MEMBER, readRoom } from './collect-news.ts';
import type { TableEvents } from './table-events.ts';

type Line = ReplyData<'room.read'>['lines'][number];

interface RoomReaderOptions {
  readonly source: NewsSource;
  readonly message: Message<'seat.decide'>;
  readonly events: Pick<TableEvents, 'linesAfter'>;
  /** The interval at which a room without events is read, in milliseconds. */
  readonly readEveryMs: number;
  openQuestions(): readonly Asking[];
  /** Called with the questions that ended with their room. */
  closeQuestions(questions: readonly string[]): void;
}

export type RoomReader = ReturnType<typeof roomReader>;

interface ReaderState extends RoomReaderOptions {
  readonly changed: Set<string>;
  readonly readAt: Map<string, number>;
  /** Rooms that the seat has read in. */
  readonly found: Set<string>;
  change: AbortController;
}

/** Collects the lines of the rooms of a decision: as events brought them, else by reading, after an event or when a room was silent for long. */
export function roomReader(options: RoomReaderOptions) {
  const state: ReaderState = { ...options, changed: new Set(), readAt: new Map(), found: new Set(), change: new AbortController() };
  return {
    /** Notes that a room has a new line, and wakes whoever waits for one. */
    roomChanged(room: string): void {
      state.changed.add(room);
      state.change.abort();
    },
    hasChanges: (): boolean => state.changed.size > 0,
    /** Aborted with the next change. */
    nextChange: (): AbortSignal => state.change.signal,
    /** Adds the unread lines of the rooms of open questions to the memory. */
    async collect(memory: Memory): Promise<Memory> {
      state.change = new AbortController();
      let collected = memory;
      for (const room of openRooms(state)) {
        const heard = linesHeard(state, collected, room);
        if (heard) collected = addLines(state, collected, room, heard);
        else if (isDue(state, room)) collected = await readLines(state, collected, room);
      }
      return collected;
    },
    /** Whether the seat has read in a room since it was asked. */
    hasFound: (room: string): boolean => state.found.has(room),
    /** Closes the secret questions of rooms that are closed, which nothing announces. */
    async checkClosed(memory: Memory): Promise<void> {
      for (const room of openRooms(state, ({ secret }) => secret === true)) await readPage(state, memory, room);
    },
  };
}

const openRooms = ({ openQuestions }: ReaderState, isWanted: (question: Asking) => boolean = () => true): ReadonlySet<string> =>
  new Set(openQuestions().flatMap((question) => (question.room !== undefined && isWanted(question) ? [question.room] : [])));

const isDue = ({ changed, source, readAt, readEveryMs }: ReaderState, room: string): boolean =>
  changed.has(room) || source.now() - (readAt.get(room) ?? -Infinity) >= readEveryMs;

function noteRead({ changed, readAt, source }: ReaderState, room: string): void {
  changed.delete(room);
  readAt.set(room, source.now());
}

/** What events brought since the last line; undefined when nothing is new, or the room must be read. */
function linesHeard(state: ReaderState, { rooms }: Memory, room: string): readonly Line[] | undefined {
  const { changed, readAt, events, message, source, readEveryMs } = state;
  const asked = Date.parse(message.time);
  if (!changed.has(room) && (readAt.has(room) || source.now() - asked >= readEveryMs)) return undefined;
  const lines = events.linesAfter(message.subject, room, rooms[room] ?? 0, asked); // those of before came with the question
  if (lines) noteRead(state, room);
  return lines;
}

function addLines({ message: { data } }: ReaderState, memory: Memory, room: string, lines: readonly Line[]): Memory {
  const isInbox = data.questions.some((question) => question.room === room && question.verb === 'tell');
  return addRoomLines(memory, room, lines, namesOf(data), isInbox ? data.seat : undefined);
}

/** Reads pages of a room until there is nothing new. */
async function readLines(state: ReaderState, memory: Memory, room: string): Promise<Memory> {
  noteRead(state, room);
  for (let before = memory; ;) {
    const page = await readPage(state, before, room);
    const after = page ? addLines(state, before, room, page.lines) : before;
    if (!page || after === before || (after.rooms[room] ?? 0) >= page.last) return after;
    before = after;
  }
}

/** A room that is not there yet, which after an outage takes seconds, closes no question; one that the seat is no longer in does. */
async function readPage({ source, message, found, closeQuestions }: ReaderState, memory: Memory, room: string) {
  const page = await readRoom(source, message, room, memory.rooms[room] ?? 0);
  const isOut = page === NOT_A_MEMBER;
  if (isOut ? found.has(room) : page?.isOpen === false) closeQuestions(questionsEndingWith(message.data.questions, room));
  if (isOut || !page) return undefined;
  found.add(room);
  return page;
}

/** The talk of a room ends with it, and so does a vote that may be changed while there is talk. */
function questionsEndingWith(questions: readonly Asking[], room: string): readonly string[] {
  const here = questions.filter((question) => question.room === room);
  const hasTalk = here.some(({ verb }) => verb === 'say');
  return here.filter(({ verb, final }) => verb !== 'choose' || (hasTalk && !final)).map(({ id }) => id);
}
