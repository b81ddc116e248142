import type { ReplyData as ReplyOf, Data } from '@maw/contracts/contracts.ts';
import { type Instant, phaseOf, type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { sanitize, quote } from './sanitize.ts';

type Seen = Data<'seat.decide'>['news'][number];
type Line = ReplyOf<'room.read'>['lines'][number];

/** One piece of news for a seat: an event of its view, or a line that it read in a room before the event arrived. */
export interface News {
  readonly at: Instant;
  /** The number in the seat's view; absent for a line read in a room. */
  readonly n?: number;
  readonly room?: string;
  readonly line?: number;
  /** Who spoke or chose. */
  readonly by?: Seat;
  /** The raw speech: for parsing, never for a prompt. */
  readonly speech?: string;
  /** The options that were chosen. */
  readonly says?: readonly string[];
  /** The event itself, for strategies that know the game. */
  readonly event?: { readonly type: string; readonly [field: string]: unknown };
  /** The line for the log, speech quoted; absent when there is nothing to tell or it has been read already. */
  readonly text?: string;
  /** Everybody at the table has the same line. */
  readonly isPublic?: true;
}

/** Events that only a seat, or its side, is told: what a Seer finds, what Merlin sees. */
const OWN_RESULTS: ReadonlySet<string> = new Set([
  'saw', 'met', 'looked', 'swapped', 'copied', 'exchanged', 'inspected', 'told', 'warned', 'divined', 'identified',
]); // prettier-ignore
export const isOwnResult = (event: News['event']): boolean => event !== undefined && OWN_RESULTS.has(event.type);

/** Notices of the machine and of the table: no mind needs them. */
const NOTICES: ReadonlySet<string> = new Set([
  'opened', 'joined', 'handed', 'assigned', 'aborted', 'delayed', 'paused', 'resumed',
]); // prettier-ignore

/** The phase in which something happened, `round-1/quest-1`; undefined when the news do not tell. A result may be told in a room that came after it. */
export function phaseOfNews({ event, room }: News, round: number): string | undefined {
  const { quest, question }: { readonly [field: string]: unknown } = event ?? {};
  if (typeof quest === 'number') return `round-${round}/quest-${quest}`;
  const id = event?.type === 'asked' ? (question as { readonly id: string }).id : (room ?? question);
  return typeof id === 'string' && phaseOf(id) ? phaseOf(id) : undefined;
}

/** `night-2` of `round-1/night-2/seer`. */
export const periodOf = (phase: string): string => phase.split('/')[1] ?? '';
/** `Night 2` of `night-2`. */
export const titleOf = (period: string): string => period.charAt(0).toUpperCase() + period.slice(1).replaceAll('-', ' ');

/** The rooms of all players. */
const PUBLIC_ROOM = /(?:^|\/)(?:Village|Table|Lobby)$/;
export const isPublicRoom = (room: string): boolean => PUBLIC_ROOM.test(room);

/** The verbs of the open questions, by id: they tell how to read their answers. */
export interface OpenVerbs {
  readonly [question: string]: string;
}

/** Adds the question of `asked`, and removes it when it ends. */
export function updateVerbs(verbs: OpenVerbs, { event }: Seen): OpenVerbs {
  const q = event['question'];
  if (event.type === 'asked') {
    const { id, verb } = q as { id: string; verb: string };
    return { ...verbs, [id]: verb };
  }
  if (event.type !== 'settled' && event.type !== 'withdrawn') return verbs;
  const { [q as string]: _, ...rest } = verbs;
  return rest;
}

interface About {
  readonly names: readonly string[];
  readonly verbs: OpenVerbs;
  /** Its line was read in its room already: only the event is news. */
  readonly isRead: boolean;
}

/** News from an event of a seat's view. */
export function newsFromEvent(seen: Seen, { names, verbs, isRead }: About): News {
  const { event, n, at, room, line, isPublic } = seen;
  const where = { ...(room === undefined ? {} : { room }), ...(line === undefined ? {} : { line }) };
  const place = { n, at, event, ...where, ...(isPublic ? { isPublic } : {}) };
  const told = (write: () => string | undefined) => {
    const text = isRead ? undefined : write();
    return text === undefined ? {} : { text };
  };
  const sentence = () => (seen.text === undefined || NOTICES.has(event.type) ? undefined : sanitize(seen.text));
  const answer = event.type === 'answered' ? (event['answer'] as { by: Seat; says: readonly string[] }) : undefined;
  if (!answer) return { ...place, ...told(sentence) };
  const { by, says } = answer;
  switch (verbs[event['question'] as string] ?? 'say') {
    case 'choose':
      return { ...place, by, says, ...told(sentence) };
    case 'tell': {
      const [to = '', speech = ''] = says;
      if (!speech) return { ...place, by, ...told(sentence) };
      return { ...place, by, speech, ...told(() => `${nameOf(names, by)} whispers to ${nameOf(names, seatOf(to))}: ${quote(speech)}`) };
    }
    default: {
      const speech = says.at(-1) ?? '';
      return { ...place, by, speech, ...told(() => spoken(names, by, speech, room)) };
    }
  }
}

/**
 * News from a line of a room. Speech has `by` and no choice; everything else is the gamemaster's.
 * @param inboxOf the owner of the room if it is an inbox for private lines
 */
export function newsFromLine(room: string, { line, by, text, says, at }: Line, names: readonly string[], inboxOf?: Seat): News {
  const place = { room, line, at, ...(by === undefined ? {} : { by }), ...(isPublicRoom(room) ? { isPublic: true as const } : {}) };
  if (by === undefined) return { ...place, text: sanitize(text) };
  if (says) return { ...place, says, text: sanitize(text) };
  if (inboxOf === undefined) return { ...place, speech: text, text: spoken(names, by, text, room) };
  const to = by === inboxOf ? '' : ` to ${nameOf(names, inboxOf)}`; // the line of an own whisper does not name its recipient
  return { ...place, speech: text, text: `${nameOf(names, by)} whispers${to}: ${quote(text)}` };
}

const nameOf = (names: readonly string[], seat: Seat): string => sanitize(names[seat] ?? `Seat ${seat}`);

const spoken = (names: readonly string[], by: Seat, speech: string, room: string | undefined): string =>
  `${room === undefined ? '' : `[${sanitize(room.slice(room.lastIndexOf('/') + 1))}] `}${nameOf(names, by)}: ${quote(speech)}`;
