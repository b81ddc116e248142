import type { Match } from '@maw/games/match/state.ts';
import type { Game, Position } from '@maw/games/kernel/play.ts';
import { type Instant, phaseOf, type Question, type Seat } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '../news.ts';

export type TapeEvent = { readonly type: string; readonly [field: string]: unknown };

/** How far a seat has read the tape, how much of it the seat saw, and the questions that are open there. */
export interface Cursor {
  readonly seat: Seat;
  read: number;
  seen: number;
  verbs: OpenVerbs;
  /** The position as the seat knows it, where news are read as sentences. */
  view: Position<Match> | undefined;
}

export const newCursor = (seat: Seat): Cursor => ({ seat, read: 0, seen: 0, verbs: {}, view: undefined });

interface Entry {
  readonly event: TapeEvent;
  readonly at: Instant;
  /** The position before it; computed on demand. */
  before: Position<Match> | undefined;
}

/** The tape of a game in the arena. A seat's view is only computed when its mind reads it: many read seldom or never. */
export function newTape(
  game: Game<Match, { readonly type: string }>,
  rules: Pick<AnyRules, 'tell' | 'announce'>,
  names: readonly string[],
) {
  const entries: Entry[] = [];

  function before(i: number): Position<Match> {
    const entry = entries[i]!;
    return (entry.before ??= game.evolve(before(i - 1), entries[i - 1]!.event));
  }

  const seen = (i: number, seat: Seat): TapeEvent | undefined => game.see(before(i), entries[i]!.event, seat) as TapeEvent | undefined;

  function told(i: number, event: TapeEvent): Told {
    const forAll = game.see(before(i), entries[i]!.event, 'audience') as TapeEvent | undefined;
    return toldOf(rules, names, { event, forAll, open: before(i).open });
  }

  return {
    length: (): number => entries.length,
    events: (): readonly TapeEvent[] => entries.map(({ event }) => event),

    /** Appends events; `from` is the position before them. */
    write(events: readonly { readonly type: string }[], from: Position<Match>, at: Instant): void {
      for (const [i, event] of events.entries()) entries.push({ event: event as TapeEvent, at, before: i === 0 ? from : undefined });
    },

    /** What a seat saw between two indices, as news. @param hasText whether as sentences, too */
    read(cursor: Cursor, since: number, upTo: number, hasText: boolean): readonly News[] {
      const news: News[] = [];
      for (; cursor.read < upTo; cursor.read++) {
        const event = seen(cursor.read, cursor.seat);
        if (!event) continue;
        if (hasText) cursor.view = game.evolve(cursor.view ?? game.begin(), event);
        const entry = { n: ++cursor.seen, at: entries[cursor.read]!.at, event };
        cursor.verbs = updateVerbs(cursor.verbs, entry);
        if (cursor.read < since) continue;
        const seenEvent = hasText ? { ...entry, ...told(cursor.read, event) } : entry;
        news.push(newsFromEvent(seenEvent, { names, verbs: cursor.verbs, isRead: !hasText }));
      }
      return news;
    },

    /** Whether a seat saw anything between two indices besides its own answers. */
    hasNews(seat: Seat, since: number, upTo: number): boolean {
      for (let i = since; i < upTo; i++) {
        const { event } = entries[i]!;
        if ((event.type !== 'answered' || (event['answer'] as { by: Seat }).by !== seat) && seen(i, seat)) return true;
      }
      return false;
    },
  };
}

interface Told {
  readonly text?: string;
  readonly room?: string;
  readonly isPublic?: true;
}

interface Seen {
  readonly event: TapeEvent;
  /** As the audience sees it. */
  readonly forAll: TapeEvent | undefined;
  /** Before the event. */
  readonly open: readonly Question[];
}

/** The sentence about an event, whether everybody sees it, and the room in which it is heard, as the gamemaster has them. */
export function toldOf(rules: Pick<AnyRules, 'tell' | 'announce'>, names: readonly string[], { event, forAll, open }: Seen): Told {
  const id = event['question'];
  const question = event.type === 'asked' ? (id as Question) : open.find((each) => each.id === id);
  const telling = question ? { names, question } : { names };
  const text = rules.tell(event, telling);
  const isPublic = text !== undefined && forAll !== undefined && rules.tell(forAll, telling) === text;
  const room = question ? roomFor(event, question, open) : rules.announce(event)[0];
  return {
    ...(text === undefined ? {} : { text }),
    ...(room ? { room: `${phaseOf(question?.id ?? '')}/${room}` } : {}),
    ...(isPublic ? { isPublic } : {}),
  };
}

/** Speech is heard in the room of its question. A choice is announced there at once, if all may hear it while people talk there. */
function roomFor({ type }: TapeEvent, { verb, heard, room }: Question, open: readonly Question[]): string | undefined {
  if (verb !== 'choose') return room;
  const isAnnounced = type === 'answered' ? heard === 'at-once' : ['majority-reached', 'majority-lost', 'hastened'].includes(type);
  return isAnnounced && open.some((other) => other.verb === 'say' && other.room === room) ? room : undefined;
}

export type Tape = ReturnType<typeof newTape>;
