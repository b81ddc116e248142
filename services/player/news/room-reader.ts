import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { Memory } from '../state/memory.ts';
import { addRoomLines, namesOf, type NewsSource, readRoom } from './collect-news.ts';

interface RoomReaderOptions {
  readonly source: NewsSource;
  readonly message: Message<'seat.decide'>;
  /** The interval at which a room without events is read, in milliseconds. */
  readonly readEveryMs: number;
  openQuestions(): readonly Asking[];
  /** Called with the questions that ended with their room. */
  closeQuestions(questions: readonly string[]): void;
}

export interface RoomReader {
  /** Notes that a room has a new line, and wakes whoever waits for one. */
  roomChanged(room: string): void;
  hasChanges(): boolean;
  /** Aborted with the next change. */
  nextChange(): AbortSignal;
  /** Adds the unread lines of the rooms of open questions to the memory. */
  collect(memory: Memory): Promise<Memory>;
  /** Closes the questions of rooms that are closed; nothing announces that for private rooms. */
  checkClosed(memory: Memory): Promise<void>;
}

interface ReaderState extends RoomReaderOptions {
  readonly changed: Set<string>;
  readonly readAt: Map<string, number>;
  change: AbortController;
}

/** Reads the rooms of a decision: after an event, or when they were not read for long. */
export function roomReader(options: RoomReaderOptions): RoomReader {
  const state: ReaderState = { ...options, changed: new Set(), readAt: new Map(), change: new AbortController() };
  return {
    roomChanged(room) {
      state.changed.add(room);
      state.change.abort();
    },
    hasChanges: () => state.changed.size > 0,
    nextChange: () => state.change.signal,
    async collect(memory) {
      state.change = new AbortController();
      let collected = memory;
      for (const room of openRooms(state)) if (isDue(state, room)) collected = await readLines(state, collected, room);
      return collected;
    },
    async checkClosed(memory) {
      for (const room of openRooms(state)) await readPage(state, memory, room);
    },
  };
}

const openRooms = ({ openQuestions }: ReaderState): ReadonlySet<string> =>
  new Set(openQuestions().flatMap(({ room }) => (room === undefined ? [] : [room])));

const isDue = ({ changed, source, readAt, readEveryMs }: ReaderState, room: string): boolean =>
  changed.has(room) || source.now() - (readAt.get(room) ?? -Infinity) >= readEveryMs;

/** Reads pages of a room until there is nothing new. */
async function readLines(state: ReaderState, memory: Memory, room: string): Promise<Memory> {
  const { data } = state.message;
  state.changed.delete(room);
  state.readAt.set(room, state.source.now());
  const isInbox = data.questions.some((question) => question.room === room && question.verb === 'tell');
  for (let before = memory; ;) {
    const page = await readPage(state, before, room);
    const after = page ? addRoomLines(before, room, page.lines, namesOf(data), isInbox ? data.seat : undefined) : before;
    if (after === before) return after;
    before = after;
  }
}

async function readPage({ source, message, closeQuestions }: ReaderState, memory: Memory, room: string) {
  const page = await readRoom(source, message, room, memory.rooms[room] ?? 0);
  if (page && !page.isOpen) closeQuestions(questionsEndingWith(message.data.questions, room));
  return page;
}

/** The talk of a room ends with it, and so does a vote that may be changed while there is talk. */
function questionsEndingWith(questions: readonly Asking[], room: string): readonly string[] {
  const here = questions.filter((question) => question.room === room);
  const hasTalk = here.some(({ verb }) => verb === 'say');
  return here.filter(({ verb, final }) => verb !== 'choose' || (hasTalk && !final)).map(({ id }) => id);
}
