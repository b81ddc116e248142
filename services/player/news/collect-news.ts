import type { Bus } from '@maw/bus/bus.ts';
import { type ReplyData, contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { newsFromLine, newsFromEvent, updateVerbs } from '@maw/minds/news.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Memory } from '../state/memory.ts';
import { isRefused } from '../is-refused.ts';

type Seen = Data<'seat.decide'>['news'][number];
type Line = ReplyData<'room.read'>['lines'][number];

/** How many rooms' reading marks are kept: rooms are left for good. */
const MOST_ROOMS = 30;
/** How long the gamemaster or the chatroom may take to answer. */
const ANSWER_MS = 5_000;
const PAGE = 1_000;

/** Takes events of the seat's view into memory: each once, and the lines among them that were read in their room not as lines again. */
export function addSeenEvents(memory: Memory, seen: readonly Seen[], names: readonly string[]): Memory {
  return seen.reduce((before, each) => {
    if (each.n <= before.n) return before;
    const verbs = updateVerbs(before.verbs, each);
    const heard = each.room === undefined ? 0 : (before.rooms[each.room] ?? 0);
    const isRead = each.line !== undefined && each.line <= heard;
    const news = newsFromEvent(each, { names, verbs: { ...before.verbs, ...verbs }, isRead });
    const rooms = each.room === undefined || each.line === undefined || isRead ? before.rooms : marked(before.rooms, each.room, each.line);
    return { ...before, n: each.n, verbs, rooms, pending: [...before.pending, news] };
  }, memory);
}

/** Takes lines read in a room into memory. */
export function addRoomLines(memory: Memory, room: string, lines: readonly Line[], names: readonly string[], inboxOf?: number): Memory {
  const fresh = lines.filter(({ line }) => line > (memory.rooms[room] ?? 0));
  if (!fresh.length) return memory;
  return {
    ...memory,
    rooms: marked(memory.rooms, room, fresh.at(-1)!.line),
    pending: [...memory.pending, ...fresh.map((line) => newsFromLine(room, line, names, inboxOf))],
  };
}

const marked = (rooms: Memory['rooms'], room: string, line: number): Memory['rooms'] => {
  const { [room]: _, ...others } = rooms;
  return Object.fromEntries([...Object.entries(others).slice(-MOST_ROOMS), [room, line]]);
};

export interface NewsSource {
  readonly bus: Bus;
  readonly log: Log;
  now(): number;
  readonly signal: AbortSignal;
}

/** What a decision brings with it, and before that whatever this seat has missed, asked for from the gamemaster. */
export async function collectDecisionNews(ears: NewsSource, memory: Memory, message: Message<'seat.decide'>): Promise<Memory> {
  const { after, news, seat } = message.data;
  const names = namesOf(message.data);
  let heard = memory;
  while (heard.n < after) {
    const page = await viewAfter(ears, message, heard.n);
    if (!page?.seen.length) {
      ears.log.warn({ table: message.subject, seat, from: heard.n, to: after }, 'a gap in what a seat has seen could not be filled');
      break;
    }
    heard = addSeenEvents(
      heard,
      page.seen.filter(({ n }) => n <= after),
      names,
    );
  }
  return addSeenEvents(heard, news, names);
}

/** What the seat has seen since: the answer to a private choice (what a seer learns) is told to it alone, and no room rings for it. */
export async function collectViewNews(ears: NewsSource, memory: Memory, message: Message<'seat.decide'>): Promise<Memory> {
  let heard = memory;
  for (;;) {
    const page = await viewAfter(ears, message, heard.n);
    if (!page?.seen.length) return heard;
    heard = addSeenEvents(heard, page.seen, namesOf(message.data));
    if (!page.more) return heard;
  }
}

async function viewAfter({ bus, now, signal }: NewsSource, { id, subject, data }: Message<'seat.decide'>, after: number) {
  const about = { id: crypto.randomUUID(), source: 'player', subject, at: now(), causeid: id, replyBy: now() + ANSWER_MS };
  try {
    const reply = await bus.request(contracts.write('table.view', { eye: data.seat, after, limit: PAGE }, about), { signal });
    return isRefused(reply) ? undefined : reply.data;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The unread lines of a room and whether it is open; nothing when nobody answers. */
export async function readRoom(
  { bus, now, signal }: NewsSource,
  { id, subject, data: { seat } }: Message<'seat.decide'>,
  room: string,
  after: number,
): Promise<{ readonly lines: readonly Line[]; readonly isOpen: boolean } | undefined> {
  const about = { id: crypto.randomUUID(), source: 'player', subject, at: now(), causeid: id, replyBy: now() + ANSWER_MS };
  try {
    const reply = await bus.request(contracts.write('room.read', { room, seat, after }, about), { signal });
    if (isRefused(reply)) return ['room-closed', 'not-a-member'].includes(reply.data.reason) ? { lines: [], isOpen: false } : undefined;
    return reply.data;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Everybody's name, by seat. */
export function namesOf({ players }: Pick<Data<'seat.decide'>, 'players'>): readonly string[] {
  const names: string[] = [];
  for (const { seat, name } of players) names[seat] = name;
  return names;
}
