import type { Position } from '../kernel/play.ts';
import { type Instant, latestEnd, phaseOf } from '../kernel/question.ts';
import type { MatchRules } from './match.ts';
import type { Match } from './state.ts';

/** What everybody may know of the time at a table. */
export interface PublicClock {
  /** The phase, such as `round-1/day-2` or `round-1/night-2`. Absent when the table is over, or the game does not name it. */
  readonly phase?: string;
  /** When it ends at the latest. The end of a secret phase does not depend on what is asked in it, of whom, or answered. */
  readonly until?: Instant;
  /** Since when the table is paused. It goes on with the time that was left then. */
  readonly pausedSince?: Instant;
}

/**
 * The clock of a table, the same for every eye.
 * @param position as the audience knows it, and nothing else
 * @param since when the last public event happened, later by the time that was given back after it
 */
export function publicClock(rules: MatchRules, position: Position<Match>, since: Instant): PublicClock {
  const { game, pause } = position;
  if (game.closed) return {};
  return { ...phaseOfAll(rules, position, since), ...(pause && { pausedSince: pause.since }) };
}

function phaseOfAll(rules: MatchRules, { game, open }: Position<Match>, since: Instant): PublicClock {
  if (open.length) {
    const ends = open.map((q) => Math.min(latestEnd(q), q.majorityUntil ?? Infinity));
    return { phase: [...new Set(open.map(({ id }) => phaseOf(id)))].join(' '), until: Math.min(...ends) };
  }
  if (!rules.secretPhase) return {};
  const { phase, ms } = rules.secretPhase(game);
  return { phase, until: since + ms };
}
