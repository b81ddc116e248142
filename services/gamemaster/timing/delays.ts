import type { Instant, Open } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { Outage } from '@maw/store/ports/heartbeat.ts';
import { type TableState, publicQuestions } from '../state/table-state.ts';

type Delayed = Extract<TableEvent, { readonly type: 'delayed' }>;

/** The total time a table may get back: a game ends, however often the platform fails. A day, in milliseconds. */
export const MOST_BACK_MS = 86_400_000;

/**
 * The time a table gets back for outages before anything else is decided. The lost time runs from the start of the outage, or from the last
 * public event if later. It is given back when it exceeds a turn: the shortest time limit of an open public question, or zero when only secret
 * questions are open. All open questions are extended alike. The delay is public, so it depends on public facts only and reveals no secret.
 * Nothing is given back twice: every later event, the delay included, is dated after the outage.
 * @param outages the oldest first
 */
export function delaysFor({ game, standing, tape, views }: TableState, outages: readonly Outage[], now: Instant): readonly Delayed[] {
  const last = tape.at(-1);
  const unknown = last ? outages.filter(({ to }) => to > last.at) : [];
  if (!unknown.length || game.isOver(standing) || !standing.open.length) return [];
  const given = tape.flatMap(({ event }) => (event.type === 'delayed' ? [event as unknown as Delayed] : []));
  const known = publicQuestions(standing.open);
  const turn = known.length ? Math.min(...known.map((q) => turnOf(q, tape))) : 0;
  let since = Math.max(views.get('audience')?.seen.at(-1)?.at ?? 0, ...given.map(({ at }) => at));
  let left = MOST_BACK_MS - given.reduce((sum, { ms }) => sum + ms, 0);
  const lost = unknown.filter(({ from, to }) => to - Math.max(from, since) > turn);
  return lost.flatMap(({ from, to }, i): Delayed[] => {
    const start = Math.max(from, since);
    // Nothing has happened since the last outage: the clock resumes now.
    const at = i === lost.length - 1 ? Math.max(to, now) : to;
    const ms = at - start;
    if (ms > left) return [];
    left -= ms;
    since = at;
    return [{ type: 'delayed', ms, at }];
  });
}

/** The time limit of a question: one turn, or its whole duration. */
function turnOf({ id, inTurn, turnMs }: Open, tape: TableState['tape']): number {
  if (inTurn) return turnMs;
  const asked = tape.findLast(({ event }) => event.type === 'asked' && (event['question'] as Open).id === id);
  return asked ? (asked.event['question'] as Open).until - asked.at : 0;
}
