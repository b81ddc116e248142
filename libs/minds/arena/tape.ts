import type { Match } from '@maw/games/match/state.ts';
import type { Game, Position } from '@maw/games/kernel/play.ts';
import type { Instant, Seat } from '@maw/games/kernel/question.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '../news.ts';

export type TapeEvent = { readonly type: string; readonly [field: string]: unknown };

/** How far on a tape a seat has looked, how much of that it has seen, and what it must know of it to understand the rest. */
export interface Hearing {
  readonly seat: Seat;
  read: number;
  seen: number;
  verbs: OpenVerbs;
}

export const newHearing = (seat: Seat): Hearing => ({ seat, read: 0, seen: 0, verbs: {} });

interface Entry {
  readonly event: TapeEvent;
  readonly at: Instant;
  /** Where the table stood before it; made out when somebody looks. */
  before: Position<Match> | undefined;
}

/** The tape of a table in the arena. What a seat sees of it is only made out when its mind looks: most minds look seldom, or not at all. */
export function newTape(game: Game<Match, { readonly type: string }>, names: readonly string[]) {
  const entries: Entry[] = [];

  function before(i: number): Position<Match> {
    const entry = entries[i]!;
    return (entry.before ??= game.evolve(before(i - 1), entries[i - 1]!.event));
  }

  const seen = (i: number, seat: Seat): TapeEvent | undefined => game.see(before(i), entries[i]!.event, seat) as TapeEvent | undefined;

  return {
    length: (): number => entries.length,
    events: (): readonly TapeEvent[] => entries.map(({ event }) => event),

    /** Writes what happened at a moment; `from` is where the table stood. */
    write(events: readonly { readonly type: string }[], from: Position<Match>, at: Instant): void {
      for (const [i, event] of events.entries()) entries.push({ event: event as TapeEvent, at, before: i === 0 ? from : undefined });
    },

    /** What a seat has seen from one place of the tape up to another, as news. */
    hear(heard: Hearing, since: number, upTo: number): readonly News[] {
      const news: News[] = [];
      for (; heard.read < upTo; heard.read++) {
        const event = seen(heard.read, heard.seat);
        if (!event) continue;
        const entry = { n: ++heard.seen, at: entries[heard.read]!.at, event };
        heard.verbs = updateVerbs(heard.verbs, entry);
        if (heard.read >= since) news.push(newsFromEvent(entry, { names, verbs: heard.verbs, isRead: true }));
      }
      return news;
    },

    /** Whether there was anything to see for a seat between two places besides what it has done itself. */
    hasNews(seat: Seat, since: number, upTo: number): boolean {
      for (let i = since; i < upTo; i++) {
        const { event } = entries[i]!;
        if ((event.type !== 'answered' || (event['answer'] as { by: Seat }).by !== seat) && seen(i, seat)) return true;
      }
      return false;
    },
  };
}
