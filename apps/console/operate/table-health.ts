import { type Open, silentIn, waiting } from '@maw/games/kernel/question.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import type { Clock, Summary } from '../api/shapes.ts';
import type { Tape } from '../time/tape.ts';

/** How a table goes on. `stuck`: what was due has not come about. `unfollowed`: the page does not read its clock. */
export type Health = 'lobby' | 'running' | 'paused' | 'stuck' | 'unfollowed' | 'over';

/** As `maw_tables_stuck` counts them: alarms are polled several times a second. */
const STUCK_MS = 30_000;

/**
 * @param clock of the table; undefined while it is not known
 * @param isFollowed whether the clock is kept up to date: an old one tells nothing
 */
export function healthOf({ stage }: Pick<Summary, 'stage'>, clock: Clock | undefined, isFollowed: boolean): Health {
  if (stage === 'over') return 'over';
  if (!isFollowed) return 'unfollowed';
  if (clock?.pausedSince !== undefined) return 'paused';
  if (clock?.until !== undefined && clock.now - clock.until > STUCK_MS) return 'stuck';
  return stage === 'lobby' ? 'lobby' : 'running';
}

/** A question whose answers are awaited. */
export interface Awaited {
  readonly question: string;
  /** Who has not answered yet; of those who answer in turn, the next one. */
  readonly seats: readonly number[];
  readonly since: number;
  readonly until: number;
}

/**
 * Whom a table waits for. Talk that ends by the clock waits for nobody.
 * @param open the questions that are open
 * @param events the narrator's view: when they were asked
 */
export function awaitedOf(
  open: readonly Open[],
  events: readonly { readonly at: number; readonly event: { readonly type: string; readonly [field: string]: unknown } }[],
): readonly Awaited[] {
  return open.flatMap((question) => {
    if (question.settles === 'by-the-clock' && question.verb !== 'choose') return [];
    const seats = question.inTurn ? waiting(question) : silentIn(question).filter((seat) => !question.passed.includes(seat));
    if (!seats.length) return [];
    const isAbout = ({ event }: (typeof events)[number]): boolean =>
      event.type === 'asked'
        ? (event['question'] as { readonly id: string }).id === question.id
        : question.inTurn && event['question'] === question.id;
    return [{ question: question.id, seats, since: events.findLast(isAbout)?.at ?? 0, until: question.until }];
  });
}

/** How the seats are played now: as the table was opened, and as it was changed since. */
export function seatPlansOf({ moments }: Tape): readonly SeatPlan[] {
  const match = moments.at(-1)?.after.game;
  return match?.opening.seats.map((plan, seat) => ({ ...plan, kind: match.holders[seat]! })) ?? [];
}
