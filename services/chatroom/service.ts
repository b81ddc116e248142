import type { Bus, Delivery } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Line, Room, Rooms } from '@maw/store/ports/rooms.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { speechLimit } from './speech-limit.ts';
import { roomWaiters } from './room-waiters.ts';
import { checkSpeech, mustBeMember, notThere } from './check-speech.ts';

export interface ChatroomOptions {
  readonly concurrency: number;
  /** How long a message that is ahead of its room waits for it, in milliseconds. */
  readonly aheadMs: number;
  /** Speeches per second and seat, and how many may come at once; per replica. */
  readonly speechesPerSecond: number;
  readonly burst: number;
}

export const defaultOptions: ChatroomOptions = { concurrency: 128, aheadMs: 3_000, speechesPerSecond: 2, burst: 6 };

/** How often a message that may not wait for its room is put aside before it is refused. */
const MOST_ATTEMPTS = 3;

const TYPES = ['room.open', 'room.close', 'room.said', 'room.speak', 'room.read', 'room.who'] as const;

/** The chatroom: the door and the room. Any replica takes any message; what it knows is in the store. */
export async function chatroom(ports: { bus: Bus; rooms: Rooms; now(): number; log: Log; options?: Partial<ChatroomOptions> }) {
  const { bus, rooms, now, log } = ports;
  const options = { ...defaultOptions, ...ports.options };
  const pace = speechLimit(options);
  const arrived = roomWaiters();
  let waiting = 0;

  async function hear(message: Message<(typeof TYPES)[number]>, delivery: Delivery): Promise<Reply | void> {
    const table = message.subject;
    switch (message.type) {
      case 'room.open':
        await rooms.open({ table, ...message.data });
        arrived.ring(table, message.data.room);
        await archive(table, message.data.room); // it may be the last that was missing
        return;
      case 'room.close':
        await rooms.close(table, message.data.room, message.data);
        await archive(table, message.data.room);
        return;
      case 'room.said':
        return keep(message);
      case 'room.speak':
        return speak(message, delivery);
      case 'room.read':
        return read(message, delivery);
      case 'room.who':
        return who(message);
    }
  }

  /** Keeps a line and rings for it; said again when the line was delivered again, for the first ringing may be lost. */
  async function keep({ id, subject: table, data: { room, ...line } }: Message<'room.said'>): Promise<void> {
    await rooms.addLine(table, room, line as Line);
    const about = { id: `${id}/line`, source: 'chatroom', subject: table, at: now(), causeid: id };
    await bus.publish(contracts.write('room.line', { room, line: line.line }, about));
    await archive(table, room);
  }

  async function archive(table: string, room: string): Promise<void> {
    const known = await rooms.room(table, room);
    if (known?.closed === undefined || known.isArchived) return;
    if (await rooms.archive(table, room)) log.info({ table, room }, 'room archived');
  }

  /** Verifies a speech and hands it on; the gamemaster’s answer goes straight back to the speaker. */
  async function speak(message: Message<'room.speak'>, delivery: Delivery): Promise<void> {
    const table = message.subject;
    const { room: name, seat, text } = message.data;
    const room = await waitFor(table, name, seat, message, delivery);
    const isAgain = pace.knows(message.id);
    if (!isAgain) checkSpeech(room, seat, text); // sent again: the gamemaster says again what came of it
    if (!pace.allows(`${table}:${seat}`, message.id, now()))
      throw new Refusal('too-fast', `at most ${options.speechesPerSecond} speeches a second`);
    const about = {
      id: message.id,
      source: message.source,
      subject: table,
      at: now(),
      causeid: message.causeid,
      replyBy: deadline(message),
    };
    // Another replica may have passed it on while the room was open: whether it is on the tape only the gamemaster knows.
    const late = room.closed === undefined || isAgain ? {} : { objection: 'room-closed' as const };
    await delivery.forward(contracts.write('table.act', { seat, question: room.question, says: [text], ...late }, about));
  }

  async function read(message: Message<'room.read'>, delivery: Delivery): Promise<Reply> {
    const table = message.subject;
    const { room: name, seat, after, limit } = message.data;
    const room = await waitFor(table, name, seat, message, delivery);
    const { lines: found, last } = await rooms.lines(table, name, after, limit);
    const lines = fitting(found);
    await rooms.markRead(table, name, seat, Math.min(after, last));
    if (after > 0) await purge(room);
    const isOpen = room.closed === undefined;
    return { performative: 'inform', data: { lines: lines.map(({ to: _, ...line }) => line), isOpen, last } };
  }

  /** What every member says it has read leaves the live log. */
  async function purge({ table, room, members }: Room): Promise<void> {
    const marks = await rooms.readMarks(table, room);
    const all = Math.min(...members.map((seat) => marks.find((mark) => mark.seat === seat)?.line ?? 0));
    if (all > 0) await rooms.purge(table, room, all);
  }

  async function who(message: Message<'room.who'>): Promise<Reply> {
    const table = message.subject;
    const { room: name, seat: asking } = message.data;
    const room = await rooms.room(table, name);
    if (!room) throw notThere(name, asking);
    mustBeMember(room, asking);
    const members = room.members.map((seat) => ({ seat, maySpeak: room.speakers.includes(seat) }));
    return { performative: 'inform', data: { isOpen: room.closed === undefined, members } };
  }

  /**
   * The room of a message, in which its seat is. A question may be quicker than the opening of its room, so a message that is ahead waits for
   * it; so does one from a seat that is not in the room, for which a quick answer would tell that there is such a room.
   * Those that wait never take all hands: the opening must be heard. Beyond half of them, a message is put aside for its next attempts.
   * @throws Refusal not-a-member when it does not come
   */
  async function waitFor(table: string, name: string, seat: number, message: Message, { signal, attempt }: Delivery): Promise<Room> {
    const until = Math.min(now() + options.aheadMs, deadline(message) ?? Number.POSITIVE_INFINITY);
    let isWaiting = false;
    try {
      for (;;) {
        const coming = arrived.next(table, name, signal);
        const room = await rooms.room(table, name);
        if (room?.members.includes(seat)) return room;
        if (now() >= until) throw notThere(name, seat);
        if (!isWaiting) {
          if (waiting >= options.concurrency / 2) {
            if (attempt >= MOST_ATTEMPTS) throw notThere(name, seat);
            throw new Error(`${waiting} messages wait for their rooms already: ${name} is looked for later`);
          }
          waiting++;
          isWaiting = true;
        }
        signal.throwIfAborted();
        await coming;
      }
    } finally {
      if (isWaiting) waiting--;
    }
  }

  const listening = await bus.consume('chatroom', TYPES, { concurrency: options.concurrency }, hear);
  return { close: (): Promise<void> => listening.stop() };
}

/** What one answer may have in bytes of JSON: a whole message may have a mebibyte. */
const PAGE_BYTES = 400_000;

/** The first lines that fit into an answer; at least one when there is any. */
function fitting(lines: readonly Line[]): readonly Line[] {
  let bytes = 0;
  const most = lines.findIndex((line, i) => (bytes += Buffer.byteLength(JSON.stringify(line))) > PAGE_BYTES && i > 0);
  return most < 0 ? lines : lines.slice(0, most);
}

const deadline = ({ replyby }: Message): number | undefined => (replyby === undefined ? undefined : Date.parse(replyby));
