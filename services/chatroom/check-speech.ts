import { Refusal } from '@maw/contracts/refusal.ts';
import { isPrintable } from '@maw/games/kernel/refusal.ts';
import type { Room } from '@maw/store/ports/rooms.ts';

/**
 * What a seat is told that is not in a room, and just the same where there is no such room: that wolves have one to whisper in would tell how
 * many of them live.
 */
export const notThere = (room: string, seat: number): Refusal => new Refusal('not-a-member', `seat ${seat} is in no room ${room}`);

/** @throws Refusal not-a-member */
export function mustBeMember({ members, room }: Room, seat: number): void {
  if (!members.includes(seat)) throw notThere(room, seat);
}

/**
 * Whether a seat may say this in a room, as far as the room knows. When its time is over only the gamemaster says, who may have put it off;
 * why a member may not speak, who may be dead or have nothing left to say, only the gamemaster knows; and so whether what comes after the
 * closing had come before it as well.
 * @throws Refusal not-a-member, nothing-said, too-long, unprintable
 */
export function checkSpeech(room: Room, seat: number, text: string): void {
  mustBeMember(room, seat);
  if (!room.speakers.includes(seat)) return;
  if (!text.trim()) throw new Refusal('nothing-said');
  const length = [...text].length;
  if (length > room.maxChars) throw new Refusal('too-long', `${length} characters; at most ${room.maxChars}`);
  if (!isPrintable(text)) throw new Refusal('unprintable', 'control characters and line breaks are not speech');
}
