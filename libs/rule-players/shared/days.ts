import type { Seat } from '@maw/games/kernel/question.ts';

/** The public record of a day, as far as all games have it. */
export interface PublicDay {
  /** By voter. */
  readonly votes: { readonly [voter: number]: unknown };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
}

/** What is known by day. */
interface Diary<Day> {
  readonly days: { readonly [day: number]: Day };
}

/** Changes the record of one day. @param blank a day of which nothing is known */
export function onDay<Day, Known extends Diary<Day>>(known: Known, number: number, blank: Day, change: (day: Day) => Partial<Day>): Known {
  const day = known.days[number] ?? blank;
  return { ...known, days: { ...known.days, [number]: { ...day, ...change(day) } } };
}

/** Adds whom a player called a wolf; each counts once a day, and nobody accuses itself. */
export function accuse<Day extends PublicDay, Known extends Diary<Day>>(
  known: Known,
  number: number,
  blank: Day,
  { by, accuses }: { readonly by: Seat; readonly accuses: readonly Seat[] },
): Known {
  const accused = accuses.flatMap((about) => (about === by ? [] : [`${by}/${about}`]));
  if (!accused.length) return known;
  return onDay<PublicDay, Known>(known, number, blank, ({ accusations }) => ({ accusations: [...new Set([...accusations, ...accused])] }));
}
