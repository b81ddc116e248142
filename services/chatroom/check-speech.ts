import { Refusal } from '@maw/contracts/refusal.ts';
import { unprintable } from '@maw/games/kernel/refusal.ts';
import type { Room } from '@maw/store/ports/rooms.ts';

/**
 * The refusal of a seat that is not a member, the same as for a room that does not exist: that the wolves have a room would reveal how many of
 * them live.
 */
export const notThere = (room: string, seat: number): Refusal => new Refusal('not-a-member', `seat ${seat} is in no room ${room}`);

/** Whether a service may use a room for a seat: the web service for every member, all others for those that minds play. */
export const mayUse = ({ members, minds = members }: Room, seat: number, sender: string | undefined): boolean =>
  members.includes(seat) && (sender === 'web' || minds.includes(seat));

/**
 * Checks a speech as far as the room knows. Only the gamemaster knows whether the time is over, which it may have extended; why a member may not
 * speak, who may be dead or have nothing left to say; and whether a speech after the closing was forwarded before it.
 * @param seat a member
 * @throws Refusal nothing-said, too-long, unprintable
 */
export function checkSpeech(room: Room, seat: number, text: string): void {
  if (!room.speakers.includes(seat)) return;
  if (!text.trim()) throw new Refusal('nothing-said');
  const length = [...text].length;
  if (length > room.maxChars) throw new Refusal('too-long', `${length} characters; at most ${room.maxChars}`);
  const why = unprintable(text);
  if (why) throw new Refusal(why.reason, why.detail);
}
