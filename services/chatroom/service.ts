import type { Bus, Delivery } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Line, Room, Rooms } from '@maw/store/ports/rooms.ts';
import { cleanLine } from '@maw/text/clean.ts';
import { checkSpeech, mayUse, notThere } from './check-speech.ts';
import { deadline, findRoom, type RoomFinder } from './find-room.ts';
import { type ChatroomOptions, defaultOptions } from './defaults.ts';
import { roomWaiters } from './room-waiters.ts';
import { type SpeechLimit, speechLimit } from './speech-rate.ts';

const TYPES = ['room.open', 'room.close', 'room.said', 'room.speak', 'room.read', 'room.who'] as const;

interface Ports {
  readonly bus: Bus;
  readonly rooms: Rooms;
  now(): number;
  readonly options?: Partial<ChatroomOptions>;
}

interface Chatroom extends RoomFinder {
  readonly bus: Bus;
  readonly speechesPerSecond: number;
  readonly limit: SpeechLimit;
}

/** Starts a chatroom. Any replica takes any message; all state but the rate limit is in the store. */
export async function chatroom(ports: Ports) {
  const { bus, rooms, now } = ports;
  const options = { ...defaultOptions, ...ports.options };
  const chat: Chatroom = { ...options, bus, rooms, now, waiters: roomWaiters(), limit: speechLimit(options), waiting: 0 };
  const handle = (message: Message<(typeof TYPES)[number]>, delivery: Delivery) => handleMessage(chat, message, delivery);
  const consumer = await bus.consume('chatroom', TYPES, { concurrency: options.concurrency }, handle);
  return { close: (): Promise<void> => consumer.stop() };
}

async function handleMessage(chat: Chatroom, message: Message<(typeof TYPES)[number]>, delivery: Delivery): Promise<Reply | void> {
  const table = message.subject;
  switch (message.type) {
    case 'room.open':
      return openRoom(chat, message);
    case 'room.close':
      await chat.rooms.close(table, message.data.room, message.data);
      await archive(chat, table, message.data.room);
      return;
    case 'room.said':
      return addLine(chat, message);
    case 'room.speak':
      return speak(chat, message, delivery);
    case 'room.read':
      return read(chat, message, delivery);
    case 'room.who':
      return who(chat, message, delivery);
  }
}

async function openRoom(chat: Chatroom, { subject: table, data }: Message<'room.open'>): Promise<void> {
  const isOpen = await chat.rooms.open({ table, ...data });
  chat.waiters.ring(table, data.room);
  if (!isOpen) await archive(chat, table, data.room);
}

/** Stores a line, and announces it unless the gamemaster does; a redelivered line is announced again, since the first announcement may be lost. */
async function addLine(chat: Chatroom, { id, subject: table, data }: Message<'room.said'>): Promise<void> {
  const { room, isPublic, isAnnounced, ...line } = data;
  const { isOpen } = await chat.rooms.addLine(table, room, line as Line);
  if (!isAnnounced) {
    const about = { id: `${id}/line`, source: 'chatroom', subject: table, at: chat.now(), causeid: id };
    await chat.bus.publish(contracts.write('room.line', { room, line: line.line, ...(isPublic ? { said: line } : {}) }, about));
  }
  if (!isOpen) await archive(chat, table, room);
}

/** Archives a closed room once all its lines are there: messages come in any order. */
async function archive({ rooms }: Chatroom, table: string, room: string): Promise<void> {
  await rooms.archive(table, room); // not logged: that a secret room was there tells who lives
}

/** Checks a speech and forwards it; the gamemaster answers the speaker directly. */
async function speak(chat: Chatroom, message: Message<'room.speak'>, delivery: Delivery): Promise<void> {
  const { limit, now } = chat;
  const { seat } = message.data;
  const text = cleanLine(message.data.text);
  const room = await findRoom(chat, message, delivery);
  const isAgain = limit.knows(message.id);
  if (!isAgain) checkSpeech(room, seat, text); // a repeated message gets the gamemaster's answer again
  const waitMs = limit.take(`${message.subject}:${seat}`, message.id, now());
  if (waitMs > 0) throw new Refusal('too-fast', `at most ${chat.speechesPerSecond} speeches a second`, waitMs);
  const about = {
    id: message.id,
    source: message.source,
    subject: message.subject,
    at: now(),
    causeid: message.causeid,
    replyBy: deadline(message),
  };
  // Another replica may have forwarded it while the room was open: only the gamemaster knows whether it is on the tape.
  const late = room.closed === undefined || isAgain ? {} : { objection: 'room-closed' as const };
  await delivery.forward(contracts.write('table.act', { seat, question: room.question, says: [text], ...late }, about));
}

async function read(chat: Chatroom, message: Message<'room.read'>, delivery: Delivery): Promise<Reply> {
  const { rooms } = chat;
  const table = message.subject;
  const { room: name, seat, after, limit } = message.data;
  const room = await findRoom(chat, message, delivery);
  const { lines, last } = await rooms.lines(table, name, after, limit);
  await rooms.markRead(table, name, seat, Math.min(after, last));
  if (after > 0) await purgeRead(rooms, room);
  const isOpen = room.closed === undefined;
  return { performative: 'inform', data: { lines: fitInPage(lines).map(({ to: _, ...line }) => line), isOpen, last } };
}

/** Lines that every member has read leave the live log. */
async function purgeRead(rooms: Rooms, { table, room, members }: Room): Promise<void> {
  const marks = await rooms.readMarks(table, room);
  const line = Math.min(...members.map((seat) => marks.find((mark) => mark.seat === seat)?.line ?? 0));
  if (line > 0) await rooms.purge(table, room, line);
}

async function who({ rooms }: Chatroom, message: Message<'room.who'>, { sender }: Delivery): Promise<Reply> {
  const { room: name, seat: asking } = message.data;
  const room = await rooms.room(message.subject, name);
  if (!room || !mayUse(room, asking, sender)) throw notThere(name, asking);
  const members = room.members.map((seat) => ({ seat, maySpeak: room.speakers.includes(seat) }));
  return { performative: 'inform', data: { isOpen: room.closed === undefined, members } };
}
