import type { Instant, Open } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { Outage } from '@maw/store/ports/heartbeat.ts';
import { type TableState, publicQuestions } from '../state/table-state.ts';

type Delayed = Extract<TableEvent, { readonly type: 'delayed' }>;

/** How much time a table gets back in all: a game ends, however often the platform fails. A day, in milliseconds. */
export const MOST_BACK_MS = 86_400_000;

/**
 * The time that a table gets back before anything else is decided at it. What it lost to an outage is the time since then, or since the last
 * event that everybody saw, for somebody wrote that down. It gets back all of it when it is longer than a turn: the shortest time that anything
 * now open gives, or any time at all while nothing is open but what is secret. All that is open is put off alike. Everybody sees whether
 * there was a delay, and how long: both follow from what everybody knows, so what is secret stays so. Nothing is given back twice: whatever is
 * written down afterwards, the delay itself first of all, is later than the outage.
 * @param outages the oldest first
 */
export function delaysFor(
  { game, standing, tape, views: sights }: TableState,
  outages: readonly Outage[],
  now: Instant,
): readonly Delayed[] {
  const last = tape.at(-1);
  const unknown = last ? outages.filter(({ to }) => to > last.at) : [];
  if (!unknown.length || game.isOver(standing) || !standing.open.length) return [];
  const given = tape.flatMap(({ event }) => (event.type === 'delayed' ? [event as unknown as Delayed] : []));
  const known = publicQuestions(standing.open);
  const turn = known.length ? Math.min(...known.map((q) => turnOf(q, tape))) : 0;
  let since = Math.max(sights.get('audience')?.seen.at(-1)?.at ?? 0, ...given.map(({ at }) => at));
  let left = MOST_BACK_MS - given.reduce((sum, { ms }) => sum + ms, 0);
  const lost = unknown.filter(({ from, to }) => to - Math.max(from, since) > turn);
  return lost.flatMap(({ from, to }, i): Delayed[] => {
    const start = Math.max(from, since);
    // Since the last outage was over nothing has happened here: this is the moment at which the clock goes on.
    const at = i === lost.length - 1 ? Math.max(to, now) : to;
    const ms = at - start;
    if (ms > left) return [];
    left -= ms;
    since = at;
    return [{ type: 'delayed', ms, at }];
  });
}

/** How long one has for an answer: one's turn, or all the time there was when it was asked. */
function turnOf({ id, inTurn, turnMs }: Open, tape: TableState['tape']): number {
  if (inTurn) return turnMs;
  const asked = tape.findLast(({ event }) => event.type === 'asked' && (event['question'] as Open).id === id);
  return asked ? (asked.event['question'] as Open).until - asked.at : 0;
}
