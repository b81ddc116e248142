/** What operators do to a table, whatever is played at it. */
import { paused, resumed } from '../kernel/pause.ts';
import type { Position } from '../kernel/play.ts';
import type { Instant, Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type TableEvent, withdraw } from '../kernel/rules.ts';
import type { Match, MatchEvent, SeatPlan } from './state.ts';

type Events = readonly (MatchEvent | TableEvent)[];

/** Stops a table. Nothing, when it is paused already. @throws Refusal phase-over */
export function pauseTable({ game, pause }: Position<Match>, now: Instant): Events {
  mustRun(game);
  return pause ? [] : [paused(now)];
}

/** Lets a table go on. Nothing, when it is not paused. @throws Refusal phase-over */
export function resumeTable({ game, pause }: Position<Match>, now: Instant): Events {
  mustRun(game);
  return pause ? [resumed(pause, now)] : [];
}

/** Ends a table without winners and points. @throws Refusal phase-over */
export function abortTable({ game, open }: Position<Match>, why: string | undefined): Events {
  mustRun(game);
  const aborted: MatchEvent = { type: 'aborted', ...(why === undefined ? {} : { why }) };
  return [aborted, { type: 'closed', winners: [] }, ...open.map((q) => withdraw(q.id))];
}

/** Gives a seat another mind from its next decision on. @throws Refusal not-an-option, phase-over */
export function assignMind(s: Match, seat: Seat, mind: Pick<SeatPlan, 'recipe' | 'parameters' | 'model'>): Events {
  mustRun(s);
  if (!s.opening.seats[seat]) throw new Refusal('not-an-option', `there is no seat ${seat}`);
  return [{ type: 'assigned', seat, ...mind }];
}

/** @throws Refusal phase-over */
export function mustRun({ closed }: Match): void {
  if (closed) throw new Refusal('phase-over', 'the table is over');
}
