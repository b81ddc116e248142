import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { type NewsSource, addRoomLines, namesOf, readRoom } from './collect-news.ts';
import type { Memory } from '../state/memory.ts';
import { wakeUp } from '../sleep.ts';

interface Wanted {
  readonly ears: NewsSource;
  readonly message: Message<'seat.decide'>;
  readonly readEveryMs: number;
  open(): readonly Asking[];
  /** Questions have ended with their room. */
  close(questions: readonly string[]): void;
}

/** The rooms of a decision: read when their doorbell has rung, or when it has not for long. */
export function roomReader({ ears, message, readEveryMs, open, close }: Wanted) {
  const names = namesOf(message.data);
  const rung = new Set<string>();
  const readAt = new Map<string, number>();
  let early = wakeUp();
  const all = (): ReadonlySet<string> => new Set(open().flatMap(({ room }) => (room === undefined ? [] : [room])));

  const isInbox = (room: string): boolean => message.data.questions.some((q) => q.room === room && q.verb === 'tell');

  /** The questions that end with a room: its talk, and a vote that may be changed as long as there is talk. */
  function endedWith(room: string): readonly string[] {
    const here = message.data.questions.filter((q) => q.room === room);
    const isTalk = here.some(({ verb }) => verb === 'say');
    return here.filter(({ verb, final }) => verb !== 'choose' || (isTalk && !final)).map(({ id }) => id);
  }

  return {
    ring(room: string): void {
      rung.add(room);
      early.trigger();
    },
    hasRung: (): boolean => rung.size > 0,
    /** Rings with the next new line. */
    bell: () => early,

    /** Takes the unread lines into memory. */
    async hear(memory: Memory): Promise<Memory> {
      early = wakeUp();
      let heard = memory;
      for (const room of all()) {
        if (!rung.has(room) && ears.now() - (readAt.get(room) ?? -Infinity) < readEveryMs) continue;
        rung.delete(room);
        readAt.set(room, ears.now());
        for (let had: Memory | undefined; had !== heard;) {
          had = heard;
          const page = await readRoom(ears, message, room, heard.rooms[room] ?? 0);
          if (page) heard = addRoomLines(heard, room, page.lines, names, isInbox(room) ? message.data.seat : undefined);
          if (page && !page.isOpen) close(endedWith(room));
        }
      }
      return heard;
    },

    /** Only asks whether they are open still: of what is private, no doorbell tells that it has closed. */
    async look(memory: Memory): Promise<void> {
      for (const room of all()) {
        const page = await readRoom(ears, message, room, memory.rooms[room] ?? 0);
        if (page && !page.isOpen) close(endedWith(room));
      }
    },
  };
}
