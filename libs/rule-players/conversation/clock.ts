import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Instant, Seat } from '@maw/games/kernel/question.ts';

/** What the clock of a seat goes by: what everybody at the table has heard. The same whatever its role is and whatever it has found out. */
export interface Heard {
  readonly phase: string;
  /** Lines in this phase: its own, and those of all. */
  readonly own: number;
  readonly all: number;
  /** Somebody has named it, and it has not spoken since. */
  readonly isNamed: boolean;
}

/** When a seat speaks where everybody speaks when they like. JSON. */
export interface Clock extends Heard {
  /** When it wants to speak next; null: that is not drawn yet. */
  readonly due: Instant | null;
  /** How often that was drawn in this phase. */
  readonly draws: number;
}

/** How a table talks. */
export interface Rhythm {
  /** How many take part. */
  readonly n: number;
  /** The mean wait of a seat that has its share of the talk, in the unit of the clock. */
  readonly mean: number;
  /** How many times sooner a seat speaks that was named and has not answered. */
  readonly addressedFactor: number;
  /** Whether the share of the talk does not count. */
  readonly isEven?: boolean;
}

/** Whose clock it is, and where it stands. */
interface Now {
  readonly seed: string;
  readonly seat: Seat;
  readonly now: Instant;
}

/** A share of the talk makes a seat so many times as quick or slow, at most. */
const MOST_FACTOR = 4;

/** The clock of a phase, before anything was heard. */
export const newClock = (phase: string): Clock => ({ phase, own: 0, all: 0, isNamed: false, due: null, draws: 0 });

/** The next moment is drawn with each line that is heard, and with each one that has passed. */
export function heardBy(clock: Clock | undefined, heard: Heard, now: Now, rhythm: Rhythm): Clock {
  const before = clock?.phase === heard.phase ? clock : newClock(heard.phase);
  const after = { ...before, ...heard };
  return before.due === null || heard.all !== before.all ? drawn(after, now, rhythm) : after;
}

/** Whether its moment has come. */
export const isDue = ({ due }: Clock, now: Instant): boolean => due !== null && now >= due;

/** Draws the next moment: exponential, sooner below a share of 1/n of the talk and later above, and sooner for who was named. */
export function drawn(clock: Clock, { seed, seat, now }: Now, { n, mean, addressedFactor, isEven }: Rhythm): Clock {
  const { phase, own, all, isNamed, draws } = clock;
  const share = all && !isEven ? (own * n) / all : 1;
  const factor = Math.min(MOST_FACTOR, Math.max(1 / MOST_FACTOR, MOST_FACTOR ** (1 - share))) * (isNamed ? addressedFactor : 1);
  const chance = diceOf(seed, `${seat}/${phase}/${draws}/talk`).below(1_000_000) / 1_000_000;
  return { ...clock, due: now + Math.floor((-Math.log(1 - chance) * mean) / factor), draws: draws + 1 };
}
