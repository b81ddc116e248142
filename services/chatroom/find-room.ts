import type { Delivery } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Room, Rooms } from '@maw/store/ports/rooms.ts';
import { mayUse, notThere } from './check-speech.ts';
import type { RoomWaiters } from './room-waiters.ts';

/** How often a message that may not wait is delivered before it is refused. */
const MAX_ATTEMPTS = 3;

/** What finding a room needs. */
export interface RoomFinder {
  readonly rooms: Rooms;
  readonly waiters: RoomWaiters;
  readonly concurrency: number;
  /** How long a message waits for its room, in milliseconds. */
  readonly aheadMs: number;
  now(): number;
  /** How many messages are waiting. */
  waiting: number;
}

/** When the sender of a message stops waiting for its answer, in milliseconds since the epoch. */
export const deadline = ({ replyby }: Message): number | undefined => (replyby === undefined ? undefined : Date.parse(replyby));

/**
 * The room of a message, with its seat as a member. A question may be faster than the opening of its room, so a message waits for it; so does
 * one that may not use the room, since a fast answer would reveal that it exists, and since a mind may be asked before the room is told of it.
 * At most half of the concurrency waits, so that openings are still consumed; other messages are retried later.
 * @throws Refusal not-a-member when the room does not open in time
 */
export async function findRoom(
  finder: RoomFinder,
  message: Message<'room.speak' | 'room.read'>,
  { signal, attempt, sender }: Delivery,
): Promise<Room> {
  const { rooms, waiters, now } = finder;
  const table = message.subject;
  const { room: name, seat } = message.data;
  const until = Math.min(now() + finder.aheadMs, deadline(message) ?? Number.POSITIVE_INFINITY);
  let isWaiting = false;
  try {
    for (;;) {
      const opened = waiters.next(table, name, signal);
      const room = await rooms.room(table, name);
      if (room && mayUse(room, seat, sender)) return room;
      if (now() >= until) throw notThere(name, seat);
      if (!isWaiting) {
        mustHaveSlot(finder, name, seat, attempt);
        finder.waiting++;
        isWaiting = true;
      }
      signal.throwIfAborted();
      await opened;
    }
  } finally {
    if (isWaiting) finder.waiting--;
  }
}

/** @throws Error to retry later; Refusal not-a-member after the last attempt */
function mustHaveSlot({ waiting, concurrency }: RoomFinder, room: string, seat: number, attempt: number): void {
  if (waiting < concurrency / 2) return;
  if (attempt >= MAX_ATTEMPTS) throw notThere(room, seat);
  throw new Error(`${waiting} messages are waiting for their rooms: retrying later`); // logged, so it names no room
}
