import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { latestEnd, type Open, type Question } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Standing } from '../state/game.ts';
import type { TableState } from '../state/table-state.ts';
import { type RoomLine, roomsOf } from '../state/room-log.ts';

/** Builds the envelope of a message that follows from the tape. */
export type EnvelopeOf = (kind: string, sequence: number, at: number, replyBy?: number) => Parameters<typeof contracts.write>[2];

interface RoomMessage {
  readonly message: Message;
  /** Whether not everybody may know of the room or the line. */
  readonly isSecret: boolean;
}

/**
 * The messages to the chatroom that follow from one event.
 * @param counted by room: how many lines were sent so far; grows
 * @param isMoved a `table.moved` follows, which carries the lines of public rooms
 */
export function roomMessages(
  state: TableState,
  recorded: RecordedEvent,
  { before, after }: { readonly before: Standing; readonly after: Standing },
  counted: Map<string, number>,
  isMoved: boolean,
  about: EnvelopeOf,
): RoomMessage[] {
  const { sequence, at } = recorded;
  const event = recorded.event as { readonly type: string };
  const seats = state.standing.game.names.map((_, seat) => seat);
  const out: RoomMessage[] = [];
  for (const q of openedBy(event, after)) {
    for (const { room, name, members, speakers } of roomsOf(q, seats)) {
      const data = {
        room,
        question: q.id,
        name,
        members: [...members],
        speakers: [...speakers],
        minds: members.filter((seat) => after.game.holders[seat] === 'mind'),
        maxChars: q.maxChars,
        until: latestEnd(q),
        opened: sequence,
      };
      out.push({ message: contracts.write('room.open', data, about(`open-${room}`, sequence, at)), isSecret: q.among !== 'table' });
    }
  }
  for (const line of state.lines.get(sequence) ?? []) {
    const { isPublic, room } = line;
    counted.set(room, line.line);
    const data = {
      ...lineData(line),
      ...(isPublic ? { isPublic: true as const } : {}),
      ...(isPublic && isMoved ? { isAnnounced: true as const } : {}),
    };
    out.push({ message: contracts.write('room.said', data, about(`said-${room}-${line.line}`, sequence, at)), isSecret: !isPublic });
  }
  if (isTableEvent(event) && (event.type === 'settled' || event.type === 'withdrawn')) {
    const q = before.open.find((open) => open.id === event.question);
    for (const { room } of q ? roomsOf(q, seats) : []) {
      const data = { room, closed: sequence, lines: counted.get(room) ?? 0 };
      out.push({ message: contracts.write('room.close', data, about(`close-${room}`, sequence, at)), isSecret: q?.among !== 'table' });
    }
  }
  return out;
}

/** The lines of an append that everybody may read. */
export const publicLines = ({ lines }: TableState, batch: readonly RecordedEvent[]) =>
  batch.flatMap(({ sequence }) => (lines.get(sequence) ?? []).filter(({ isPublic }) => isPublic).map(lineData));

const lineData = ({ members: _, isPublic: __, says, ...rest }: RoomLine) => ({ ...rest, ...(says ? { says: [...says] } : {}) });

/** The questions whose rooms an event opens. A delay or pause opens all rooms again with their new deadlines, a handover with their new holders. */
function openedBy(event: { readonly type: string }, after: Standing): readonly (Question & Partial<Open>)[] {
  if (event.type === 'handed') return after.open;
  if (!isTableEvent(event)) return [];
  if (event.type === 'asked') return [event.question];
  return event.type === 'delayed' || event.type === 'resumed' ? after.open : [];
}
