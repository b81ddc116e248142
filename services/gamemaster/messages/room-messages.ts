import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import type { Open, Question } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Standing } from '../state/game.ts';
import type { TableState } from '../state/table-state.ts';
import { roomsOf } from '../state/room-log.ts';

/** Builds the envelope of a message that follows from the tape. */
export type EnvelopeOf = (kind: string, sequence: number, at: number, replyBy?: number) => Parameters<typeof contracts.write>[2];

/**
 * The messages to the chatroom that follow from one event.
 * @param counted by room: how many lines were sent so far; grows
 */
export function roomMessages(
  state: TableState,
  recorded: RecordedEvent,
  { before, after }: { readonly before: Standing; readonly after: Standing },
  counted: Map<string, number>,
  about: EnvelopeOf,
): Message[] {
  const { sequence, at } = recorded;
  const event = recorded.event as { readonly type: string };
  const seats = state.standing.game.names.map((_, seat) => seat);
  const out: Message[] = [];
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
        until: lastOf(q),
        opened: sequence,
      };
      out.push(contracts.write('room.open', data, about(`open-${room}`, sequence, at)));
    }
  }
  for (const { members: _, isPublic: __, room, line, says, ...rest } of state.lines.get(sequence) ?? []) {
    counted.set(room, line);
    out.push(
      contracts.write(
        'room.said',
        { ...rest, room, line, ...(says ? { says: [...says] } : {}) },
        about(`said-${room}-${line}`, sequence, at),
      ),
    );
  }
  if (isTableEvent(event) && (event.type === 'settled' || event.type === 'withdrawn')) {
    const q = before.open.find((open) => open.id === event.question);
    for (const { room } of q ? roomsOf(q, seats) : []) {
      out.push(
        contracts.write('room.close', { room, closed: sequence, lines: counted.get(room) ?? 0 }, about(`close-${room}`, sequence, at)),
      );
    }
  }
  return out;
}

/** The questions whose rooms an event opens. A delay opens all rooms again with their new deadlines, a handover with their new holders. */
function openedBy(event: { readonly type: string }, after: Standing): readonly (Question & Partial<Open>)[] {
  if (event.type === 'handed') return after.open;
  if (!isTableEvent(event)) return [];
  if (event.type === 'asked') return [event.question];
  return event.type === 'delayed' ? after.open : [];
}

/** The latest end of a question: when turns remain, each may take its full time. */
function lastOf({ inTurn, until, of, turnMs, answers = [], passed = [] }: Question & Partial<Open>): number {
  return inTurn ? until + turnMs * Math.max(0, of.length - answers.length - passed.length - 1) : until;
}
