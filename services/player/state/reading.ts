import type { Instant, Seat } from '@maw/games/kernel/question.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';

/** What a reader at the table has to read, from the lines of the rooms in which the seat may speak. */
export interface Reading {
  /** When everything that was said so far can have been read. */
  readonly until: Instant;
  /** By room: the last line that is counted. */
  readonly lines: { readonly [room: string]: number };
  /** By seat: how often it has spoken in this phase. */
  readonly spoken: { readonly [seat: Seat]: number };
}

/** 250 words a minute. */
const WORD_MS = 240;
/** For each line besides its words: to see who speaks. */
const LINE_MS = 1_500;
/** How long a mind looks at an open choice that is asked once. */
export const CHOICE_MS = 2_000;
/** How often each of the living speaks before a mind votes. */
const MIN_SPEECHES = 2;

export const newReading: Reading = { until: 0, lines: {}, spoken: {} };

const nameOf = (room: string): string => room.slice(room.lastIndexOf('/') + 1);

/**
 * Counts the news. Only lines of rooms with the name of a room in which the seat may speak count, of earlier phases too: everybody who hears the
 * seat has the same lines, so its pace tells nothing.
 */
export function readNews(reading: Reading, news: readonly News[], questions: readonly Asking[]): Reading {
  const rooms = questions.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const names = new Set(rooms.map(nameOf));
  return news.reduce((before, { room, line, by, text = '', speech, at }) => {
    if (room === undefined || line === undefined || !names.has(nameOf(room)) || line <= (before.lines[room] ?? 0)) return before;
    const words = (speech ?? text).split(/\s+/).length;
    const isSpeech = by !== undefined && speech !== undefined && rooms.includes(room);
    return {
      until: Math.max(before.until, at) + LINE_MS + words * WORD_MS,
      lines: { ...before.lines, [room]: line },
      spoken: isSpeech ? { ...before.spoken, [by]: (before.spoken[by] ?? 0) + 1 } : before.spoken,
    };
  }, reading);
}

interface HoldingBack {
  readonly reading: Reading;
  readonly seat: Seat;
  readonly living: readonly Seat[];
  readonly asked: Instant;
  readonly now: Instant;
}

/**
 * Whether a mind does not vote yet, where a majority has a time of grace: it speaks twice first. It waits for the others to have done so during
 * a third of the time, and for itself during half of it.
 */
export function isHeldBack({ verb, graceMs, until }: Asking, { reading, seat, living, asked, now }: HoldingBack): boolean {
  if (verb !== 'choose' || graceMs === undefined) return false;
  const share = (now - asked) / Math.max(1, until - asked);
  const hasSpoken = (each: Seat): boolean => (reading.spoken[each] ?? 0) >= MIN_SPEECHES;
  return hasSpoken(seat) ? share < 1 / 3 && !living.every(hasSpoken) : share < 1 / 2;
}
