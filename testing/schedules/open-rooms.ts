import type { Rooms } from '@maw/store/ports/rooms.ts';
import { TABLE, type Oracle } from './oracle.ts';

/** The rooms of a table as its chatroom has them. */
export async function openRooms({ roomLog: scroll, lines, tape }: NonNullable<Oracle['ledger']>, rooms: Rooms): Promise<void> {
  for (const { room, name, question, members, speakers } of scroll.open.values()) {
    const { maxChars, until, id } = question;
    await rooms.open({ table: TABLE, room, name, members, speakers, maxChars, until, question: id, opened: tape.length });
  }
  for (const { room, members: _, isPublic: __, ...line } of [...lines.values()].flat()) await rooms.addLine(TABLE, room, line);
}
