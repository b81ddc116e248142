import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Data, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import { newsFromEvent, newsFromLine, updateVerbs } from '@maw/minds/news.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { isRefused } from '../is-refused.ts';
import type { Memory } from '../state/memory.ts';

type SeenEvent = Data<'seat.decide'>['news'][number];
type RoomPage = ReplyData<'room.read'>;

/** In how many rooms the last line read is remembered; rooms are left for good. */
const MAX_ROOMS = 30;
/** How long the gamemaster or the chatroom may take to reply. */
const REPLY_MS = 5_000;
const PAGE_SIZE = 1_000;
/** Why a room may not be read: it is not there, or the seat is not in it. */
export const NOT_A_MEMBER = 'not-a-member';

/** Adds events of the view of the seat to its memory, each once. A line that was read in its room before does not become news again. */
export function addSeenEvents(memory: Memory, seen: readonly SeenEvent[], names: readonly string[]): Memory {
  return seen.reduce((before, event) => {
    if (event.n <= before.n) return before;
    const { room, line } = event;
    const verbs = updateVerbs(before.verbs, event);
    const isRead = line !== undefined && line <= (room === undefined ? 0 : (before.rooms[room] ?? 0));
    const news = newsFromEvent(event, { names, verbs: { ...before.verbs, ...verbs }, isRead });
    const rooms = room === undefined || line === undefined || isRead ? before.rooms : withLastLine(before.rooms, room, line);
    return { ...before, n: event.n, verbs, rooms, pending: [...before.pending, news] };
  }, memory);
}

/**
 * Adds lines that were read in a room.
 * @param inboxOf the seat whose whispers the room carries
 */
export function addRoomLines(
  memory: Memory,
  room: string,
  lines: readonly RoomPage['lines'][number][],
  names: readonly string[],
  inboxOf?: number,
): Memory {
  const unread = lines.filter(({ line }) => line > (memory.rooms[room] ?? 0));
  if (!unread.length) return memory;
  return {
    ...memory,
    rooms: withLastLine(memory.rooms, room, unread.at(-1)!.line),
    pending: [...memory.pending, ...unread.map((line) => newsFromLine(room, line, names, inboxOf))],
  };
}

const withLastLine = (rooms: Memory['rooms'], room: string, line: number): Memory['rooms'] => {
  const { [room]: _, ...others } = rooms;
  return Object.fromEntries([...Object.entries(others).slice(-MAX_ROOMS), [room, line]]);
};

/** Where news is requested. */
export interface NewsSource {
  readonly bus: Bus;
  readonly log: Log;
  now(): number;
  readonly signal: AbortSignal;
}

/** Adds the news of a decision, and before them whatever the seat has missed, which the gamemaster is asked for. */
export async function collectDecisionNews(source: NewsSource, memory: Memory, message: Message<'seat.decide'>): Promise<Memory> {
  const { after, news } = message.data;
  const names = namesOf(message.data);
  let collected = memory;
  while (collected.n < after) {
    const page = await viewAfter(source, message, collected.n);
    if (!page?.seen.length) {
      source.log.warn(
        { table: message.subject, decision: message.id, from: collected.n, to: after },
        'missed events could not be read; the seat goes on without',
      );
      break;
    }
    const missed = page.seen.filter(({ n }) => n <= after);
    collected = addSeenEvents(collected, missed, names);
  }
  return addSeenEvents(collected, news, names);
}

/** Adds what the seat has seen since. The result of a private choice (what a seer learns) is announced to nobody. */
export async function collectViewNews(source: NewsSource, memory: Memory, message: Message<'seat.decide'>): Promise<Memory> {
  let collected = memory;
  for (;;) {
    const page = await viewAfter(source, message, collected.n);
    if (!page?.seen.length) return collected;
    collected = addSeenEvents(collected, page.seen, namesOf(message.data));
    if (!page.more) return collected;
  }
}

/**
 * The next page of the view; undefined when it is refused or nobody replies. Not traced: a seat that missed a question by night catches up by day,
 * and others have nothing to catch up with.
 */
async function viewAfter({ bus, now, signal }: NewsSource, message: Message<'seat.decide'>, after: number) {
  try {
    const view = contracts.write('table.view', { eye: message.data.seat, after, limit: PAGE_SIZE }, requestAbout(message, now()));
    const reply = await untraced(() => bus.request(view, { signal }));
    return isRefused(reply) ? undefined : reply.data;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * The unread lines of a room, and whether it is open; undefined when nobody replies. Not traced: when a phase ends, those who are awake look
 * whether their rooms are closed.
 */
export async function readRoom(
  { bus, now, signal }: NewsSource,
  message: Message<'seat.decide'>,
  room: string,
  after: number,
): Promise<RoomPage | typeof NOT_A_MEMBER | undefined> {
  try {
    const read = contracts.write('room.read', { room, seat: message.data.seat, after }, requestAbout(message, now()));
    const reply = await untraced(() => bus.request(read, { signal }));
    if (!isRefused(reply)) return reply.data;
    return reply.data.reason === NOT_A_MEMBER ? NOT_A_MEMBER : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

const requestAbout = ({ id, subject }: Message<'seat.decide'>, at: number) => ({
  id: crypto.randomUUID(),
  source: 'player',
  subject,
  at,
  causeid: id,
  replyBy: at + REPLY_MS,
});

/** The names of all players, by seat. */
export function namesOf({ players }: Pick<Data<'seat.decide'>, 'players'>): readonly string[] {
  const names: string[] = [];
  for (const { seat, name } of players) names[seat] = name;
  return names;
}
