import type { Message } from '@maw/contracts/contracts.ts';
import { diffFaults, type Fault } from '@maw/store/integrity/fault.ts';
import type { Line } from '@maw/store/ports/rooms.ts';
import type { StoredRoom } from '@maw/store/ports/maintenance.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';

type Terms = NonNullable<StoredRoom['opening']>;

interface Opening {
  readonly terms: Terms;
  readonly at: number;
  /** Those before any handover: a version that did not note who is a mind did not open rooms again then. */
  readonly withoutMinds: Terms;
}

/** A room as a tape says it should be, and when each part was recorded. */
export interface RoomOfTape {
  opening: Opening | undefined;
  closing: { readonly closed: number; readonly lines: number; readonly at: number } | undefined;
  readonly lines: Line[];
}

/** Collects the messages to the chatroom as the chatroom applies them: the latest opening and the latest closing count. */
export function roomsOfTape() {
  const all = new Map<string, RoomOfTape>();
  const roomNamed = (name: string): RoomOfTape => {
    const known = all.get(name) ?? { opening: undefined, closing: undefined, lines: [] };
    all.set(name, known);
    return known;
  };
  return {
    all: all as ReadonlyMap<string, RoomOfTape>,
    hear(message: Message, { at, event }: RecordedEvent): void {
      if (message.type === 'room.open') {
        const { room, ...terms } = message.data;
        const { minds: _, ...rest } = terms;
        const known = roomNamed(room);
        const before = known.opening?.withoutMinds;
        known.opening = { terms, at, withoutMinds: event.type === 'handed' && before ? before : rest };
      } else if (message.type === 'room.close') {
        const { room, ...about } = message.data;
        roomNamed(room).closing = { ...about, at };
      } else if (message.type === 'room.said') {
        const { room, isPublic: _, isAnnounced: __, ...line } = message.data;
        roomNamed(room).lines.push(line as Line);
      }
    },
  };
}

/**
 * Where the rooms of a table differ from its tape. What is missing is a fault when it was recorded before `since`, since rooms learn of it by
 * messages; what should not be there is a fault at once.
 */
export function roomFaults(expected: ReadonlyMap<string, RoomOfTape>, kept: readonly StoredRoom[], since: number): readonly Fault[] {
  const there = new Map(kept.map((room) => [room.room, room]));
  return [
    ...[...expected].flatMap(([name, room]) => faultsOf(`room ${name}`, room, there.get(name), since)),
    ...kept.filter(({ room }) => !expected.has(room)).map(stranger),
  ];
}

const stranger = ({ room, live, archive }: StoredRoom): Fault => ({
  place: `room ${room}`,
  wrong: 'room',
  expected: 'no such room: the tape has none',
  found: `a room with ${live.length + archive.length} lines`,
});

function faultsOf(place: string, room: RoomOfTape, kept: StoredRoom | undefined, since: number): readonly Fault[] {
  const { opening, closing } = room;
  if (!kept) {
    const last = Math.min(...[opening?.at, closing?.at, ...room.lines.map(({ at }) => at)].filter((at) => at !== undefined));
    return last < since ? [{ place, wrong: 'room', expected: `a room with ${room.lines.length} lines`, found: 'none' }] : [];
  }
  const faults: Fault[] = [...openingFaults(place, room, kept, since), ...closingFaults(place, room, kept, since)];
  faults.push(...lineFaults(place, room, kept, since));
  const isDone = closing !== undefined && kept.closing?.closed === closing.closed && linesThere(kept).size >= closing.lines;
  if (kept.isArchived && !closing) faults.push({ place, wrong: 'room', expected: 'not archived: it is open', found: 'archived' });
  if (isDone && !kept.isArchived && closing.at < since)
    faults.push({ place, wrong: 'room', expected: 'archived: it is closed, and all its lines are there', found: 'not archived' });
  return faults;
}

function openingFaults(place: string, { opening }: RoomOfTape, kept: StoredRoom, since: number): readonly Fault[] {
  if (!opening) return kept.opening ? [{ place, wrong: 'room', expected: 'never opened', found: 'opened' }] : [];
  if (opening.at >= since && (kept.opening?.opened ?? 0) < opening.terms.opened) return []; // still in flight
  const terms = kept.opening?.minds ? opening.terms : opening.withoutMinds;
  return diffFaults(`${place}, opening`, 'room', terms, kept.opening);
}

function closingFaults(place: string, { closing }: RoomOfTape, kept: StoredRoom, since: number): readonly Fault[] {
  if (closing && closing.at >= since && (kept.closing?.closed ?? 0) < closing.closed) return [];
  const { at: _, ...about } = closing ?? { at: 0 };
  return diffFaults(`${place}, closing`, 'room', closing ? about : undefined, kept.closing);
}

function lineFaults(place: string, { lines }: RoomOfTape, kept: StoredRoom, since: number): readonly Fault[] {
  const faults: Fault[] = [];
  const there = linesThere(kept);
  for (const line of lines) {
    const found = there.get(line.line);
    if (found || line.at < since) faults.push(...diffFaults(`${place}, line ${line.line}`, 'line', line, found));
  }
  for (const [number, line] of there) {
    if (number > lines.length || number < 1) faults.push(...diffFaults(`${place}, line ${number}`, 'line', undefined, line));
  }
  for (const { line } of kept.live) {
    if (line > kept.purged) continue;
    const [expected, found] = [`in the archive alone: lines 1 to ${kept.purged} are`, 'in the live log'];
    faults.push({ place: `${place}, line ${line}`, wrong: 'line', expected, found });
  }
  for (const { line } of kept.archive) {
    if (line <= kept.purged) continue;
    const [expected, found] = [`in the live log: lines 1 to ${kept.purged} are in the archive`, 'in the archive'];
    faults.push({ place: `${place}, line ${line}`, wrong: 'line', expected, found });
  }
  return faults;
}

const linesThere = ({ live, archive }: StoredRoom): ReadonlyMap<number, Line> =>
  new Map([...live, ...archive].map((line) => [line.line, line]));
